extension AffinityModel: DeclaredRecord {
    /// Reads a model from its JSON object; missing members have their values in ``standard``.
    ///
    ///     {"weights":{"goals":0.4,"realms":0.25,"objects":0.2,"patterns":0.1,"valence":0.05},
    ///      "every_goal_alike":false,"people":120,"goals":{"anxiety":31,"sleep":18}}
    ///
    /// `shrink` is ``shrinksScores``. `people` and `goals` are the rarity: the number of people, and how many of them
    /// have each goal. `quantiles` and `minimum_coverage` are the rule of connections. `calibration` is the list of
    /// scores at the shares of ``AffinityCalibration``. `bounds` follow from these and are skipped.
    ///
    /// - Parameter json: One object, whose members are all optional.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The model as a JSON object, on one line.
    public var json: String { jsonText }

    package static let form = RecordSchema<AffinityModel>(
        "affinity_model",
        .standard("weights", \.weights, .object, default: .standard),
        .standard("every_goal_alike", \.isEveryGoalAlike, .boolean, default: false),
        .standard("shrink", \.shrinksScores, .boolean, default: false, writesDefault: false),
        .optional("people", \.people, count),
        .optional("goals", \.goalCounts, goals),
        .optional("quantiles", \.connections.quantiles, .object),
        .optional("bounds", \.writtenBounds, bounds),
        .standard("minimum_coverage", \.connections.minimumCoverage, .share, default: 0, writesDefault: false),
        .optional("calibration", \.calibration, .object)
    ) { weights, isPlain, shrinksScores, people, goals, quantiles, _, coverage, calibration throws(KinError) in
        let counts = goals ?? [:]
        guard !isPlain || people == nil && counts.isEmpty else {
            throw .field(
                "every_goal_alike", "if all goals count the same, goals are not counted; leave out people and goals")
        }
        guard people != nil || counts.isEmpty else {
            throw .field("people", "goals are counted among people; give the number of people")
        }
        let rarity = try people.map { people throws(KinError) in try GoalRarity(people: people, counts: counts) }
        var model = AffinityModel(weights: weights, rarity: rarity, shrinksScores: shrinksScores)
        model.connect(
            by: ConnectionRule(quantiles: quantiles, minimumCoverage: coverage), calibration: calibration)
        return model
    }

    private var isEveryGoalAlike: Bool { rarity == nil }
    private var people: Int? { rarity?.people }
    private var goalCounts: [String: Int]? { rarity?.counts }
    private var writtenBounds: ConnectionBounds? { connections.quantiles.map { _ in bounds } }

    private static let count = JSONForm<Int>(
        "integer, 0 or more",
        read: { reader throws(KinError) in
            let number = try reader.integer()
            guard let count = Int(exactly: number), count >= 0 else {
                throw KinError(.invalidArgument, "must be 0 or more, not \(number)")
            }
            return count
        }, write: { $1.integer($0) })
    private static let goals = JSONForm<[String: Int]>(
        "object of integer",
        read: { reader throws(KinError) in
            var counts: [String: Int] = [:]
            try reader.members { reader, goal throws(KinError) in counts[goal] = try count.read(&reader) }
            return counts
        },
        write: { counts, writer in
            NamedValues(counts.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }).write(to: &writer)
        })
    private static let bounds = JSONForm<ConnectionBounds>(
        "object",
        read: { reader throws(KinError) in
            try reader.skip()
            return .standard
        }, write: { $0.write(to: &$1) })
}

extension AffinityWeights: JSONRecord, JSONObject {
    package static let recordName = "weights of blocks"

    private static let keys = JSONKeys(SoulBlock.names, required: [])

    /// Reads an object of blocks with weights in any unit; missing weights are 0.
    package init(from reader: inout JSONReader) throws(KinError) {
        var values = [Double](repeating: 0, count: SoulBlock.names.count)
        try reader.members(of: Self.keys) { reader, block throws(KinError) in values[block] = try reader.number() }
        try self.init(values)
    }

    /// Writes an object of all blocks with their weights.
    package func writeMembers(to writer: inout JSONWriter) {
        for block in SoulBlock.allCases { writer.member(block.name, self[block]) }
    }
}
