extension AffinityModel: JSONRecord, JSONObject {
    package static let recordName = "affinity_model"

    private static let keys = JSONKeys(
        [
            "weights", "every_goal_alike", "people", "goals", "quantiles", "minimum_coverage", "bounds", "calibration",
            "shrink",
        ],
        required: [])

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

    package init(from reader: inout JSONReader) throws(KinError) {
        var weights = AffinityWeights.standard
        var isPlain = false
        var people: Int?
        var counts: [String: Int] = [:]
        var connections = ConnectionRule.standard
        var calibration: AffinityCalibration?
        var shrinksScores = false
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: weights = try AffinityWeights(from: &reader)
            case 1: isPlain = try reader.boolean()
            case 2: people = try Self.count(&reader)
            case 4: connections.quantiles = try ConnectionQuantiles(from: &reader)
            case 5: connections.minimumCoverage = try reader.share()
            case 6: try reader.skip()
            case 7: calibration = try AffinityCalibration(from: &reader)
            case 8: shrinksScores = try reader.boolean()
            default:
                try reader.members { reader, goal throws(KinError) in counts[goal] = try Self.count(&reader) }
            }
        }
        guard !isPlain || people == nil && counts.isEmpty else {
            throw .field(
                "every_goal_alike", "if all goals count the same, goals are not counted; leave out people and goals")
        }
        guard people != nil || counts.isEmpty else {
            throw .field("people", "goals are counted among people; give the number of people")
        }
        self.init(
            weights: weights,
            rarity: isPlain || people == nil ? nil : try GoalRarity(people: people ?? 0, counts: counts),
            shrinksScores: shrinksScores)
        // In a separate function, since property observers do not run in initialisers.
        connect(by: connections, calibration: calibration)
    }

    private static func count(_ reader: inout JSONReader) throws(KinError) -> Int {
        let number = try reader.integer()
        guard let count = Int(exactly: number), count >= 0 else {
            throw KinError(.invalidArgument, "must be 0 or more, not \(number)")
        }
        return count
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("weights", weights)
        writer.member("every_goal_alike", rarity == nil)
        if shrinksScores { writer.member("shrink", true) }
        if let rarity {
            writer.member("people", rarity.people)
            writer.object("goals") { writer in
                for (goal, count) in rarity.counts.sorted(by: { $0.key < $1.key }) {
                    writer.member(goal, count)
                }
            }
        }
        if let quantiles = connections.quantiles {
            writer.member("quantiles", quantiles)
            writer.member("bounds", bounds)
        }
        if connections.minimumCoverage > 0 {
            writer.member("minimum_coverage", connections.minimumCoverage)
        }
        if let calibration { writer.member("calibration", calibration) }
    }
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
