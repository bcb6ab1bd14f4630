/// The affinity settings of a store: the weights of the blocks, whether rare goals count more, the rule of connections
/// and the limits of deliveries.
///
/// The rarity of goals and the quantiles of scores are not stored but computed from the souls in the store
/// (`Store.affinityModel()`), so that they retain nothing of an erased person.
public struct AffinitySettings: Sendable, Hashable {
    /// The weight of each block, in any unit.
    public var weights: AffinityWeights
    /// Whether all goals have the same weight, regardless of their rarity.
    public var everyGoalAlike: Bool
    /// Whether scores shrink if few events are behind the souls.
    public var shrinksScores: Bool
    /// The rule that turns a score into a connection.
    public var connections: ConnectionRule
    /// The limits of deliveries.
    public var delivery: DeliveryLimits

    /// The default: the standard weights, a higher weight for rare goals, scores that shrink, fixed bounds of connections,
    /// no limits.
    public static let standard = AffinitySettings()

    /// Creates settings from their parts.
    ///
    /// - Parameters:
    ///   - weights: The weight of each block.
    ///   - everyGoalAlike: Whether all goals have the same weight, regardless of their rarity.
    ///   - shrinksScores: Whether scores shrink if few events are behind the souls.
    ///   - connections: The rule that turns a score into a connection.
    ///   - delivery: The limits of deliveries.
    public init(
        weights: AffinityWeights = .standard, everyGoalAlike: Bool = false, shrinksScores: Bool = true,
        connections: ConnectionRule = .standard,
        delivery: DeliveryLimits = DeliveryLimits()
    ) {
        self.weights = weights
        self.everyGoalAlike = everyGoalAlike
        self.shrinksScores = shrinksScores
        self.connections = connections
        self.delivery = delivery
    }
}

extension AffinitySettings: StoredRecord, DeclaredRecord {
    static let table = RecordTable<AffinitySettings>("affinity_model", .text("id") { _ in id }, order: ["id"])

    /// The key of the only row.
    static let id = "current"

    package static let form = RecordSchema<AffinitySettings>(
        "affinity_model",
        .standard("weights", \.weights, .object, default: .standard),
        .standard("every_goal_alike", \.everyGoalAlike, .boolean, default: false),
        .standard("shrink", \.shrinksScores, .boolean, default: true, writesDefault: false),
        .optional("quantiles", \.connections.quantiles, .object),
        .standard(
            "minimum_coverage", \.connections.minimumCoverage, .number("0 to 1"), default: 0, writesDefault: false),
        .optional("deliveries_per_day", \.delivery.perDay, .integer(in: deliveries)),
        .standard("minimum_events", \.delivery.minimumEvents, .number("0 or more"), default: 0, writesDefault: false)
    ) { weights, everyGoalAlike, shrinksScores, quantiles, minimumCoverage, perDay, minimumEvents throws(KinError) in
        try AffinitySettings(
            weights: weights, everyGoalAlike: everyGoalAlike, shrinksScores: shrinksScores,
            connections: ConnectionRule(quantiles: quantiles, minimumCoverage: minimumCoverage),
            delivery: DeliveryLimits(perDay: perDay, minimumEvents: minimumEvents)
        ).checked()
    }

    private static let deliveries = 0...(1 << 40)

    /// Requires that every number is in its range.
    ///
    /// - Throws: `.invalidArgument` or `.notFinite`, with the field.
    func checked() throws(KinError) -> AffinitySettings {
        try KinError.requireCount(delivery.perDay ?? 0, "deliveries_per_day", upTo: Self.deliveries.upperBound)
        try KinError.check(connections.minimumCoverage, "minimum_coverage", "from 0 to 1", isValid: (0...1).contains)
        try KinError.check(delivery.minimumEvents, "minimum_events", "0 or more") { $0 >= 0 }
        return self
    }
}
