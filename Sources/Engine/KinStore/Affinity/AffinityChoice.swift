/// Settings of affinity that replace the store's; nil for the store's settings.
public struct AffinityChoice: Sendable, Hashable {
    /// The weights of the blocks.
    public var weights: AffinityWeights?
    /// Whether all goals count the same, regardless of their rarity.
    public var everyGoalAlike: Bool?
    /// Whether scores shrink if few events are behind the souls.
    public var shrinksScores: Bool?
    /// Whether connections use quantiles of the population instead of the fixed bounds.
    public var byQuantile: Bool?
    /// The shares of pairs that connections exceed, if they use quantiles; nil for the store's quantiles, else the
    /// standard ones.
    public var quantiles: ConnectionQuantiles?
    /// The smallest coverage of every connection, 0…1.
    public var minimumCoverage: Double?

    /// Creates a choice of affinity settings. Default: the store's settings.
    ///
    /// - Parameters:
    ///   - weights: The weights of the blocks.
    ///   - everyGoalAlike: Whether all goals count the same, regardless of their rarity.
    ///   - shrinksScores: Whether scores shrink if few events are behind the souls.
    ///   - byQuantile: Whether connections use quantiles of the population instead of the fixed bounds.
    ///   - quantiles: The shares of pairs that connections exceed. Given quantiles are used unless `byQuantile` is
    ///     false.
    ///   - minimumCoverage: The smallest coverage of every connection, 0…1.
    public init(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, shrinksScores: Bool? = nil,
        byQuantile: Bool? = nil, quantiles: ConnectionQuantiles? = nil, minimumCoverage: Double? = nil
    ) {
        self.weights = weights
        self.everyGoalAlike = everyGoalAlike
        self.shrinksScores = shrinksScores
        self.byQuantile = byQuantile
        self.quantiles = quantiles
        self.minimumCoverage = minimumCoverage
    }

    /// A choice of all settings of a store.
    init(_ settings: AffinitySettings) {
        self.init(
            weights: settings.weights, everyGoalAlike: settings.everyGoalAlike, shrinksScores: settings.shrinksScores,
            byQuantile: settings.connections.quantiles != nil, quantiles: settings.connections.quantiles,
            minimumCoverage: settings.connections.minimumCoverage)
    }

    /// The rule of connections after the choice has replaced its parts.
    ///
    /// - Throws: `.invalidArgument` or `.notFinite` for a coverage outside 0…1.
    package func connections(over rule: ConnectionRule) throws(KinError) -> ConnectionRule {
        try KinError.check(minimumCoverage, "minimum_coverage", "from 0 to 1") { $0 >= 0 && $0 <= 1 }
        var rule = rule
        let goesByQuantile = byQuantile ?? (quantiles != nil || rule.quantiles != nil)
        rule.quantiles = goesByQuantile ? quantiles ?? rule.quantiles ?? .standard : nil
        rule.minimumCoverage = minimumCoverage ?? rule.minimumCoverage
        return rule
    }
}

extension AffinitySettings {
    /// The settings after a choice has replaced some of them.
    ///
    /// - Throws: As ``AffinityChoice/connections(over:)``.
    package func with(_ choice: AffinityChoice) throws(KinError) -> AffinitySettings {
        var settings = self
        settings.weights = choice.weights ?? weights
        settings.everyGoalAlike = choice.everyGoalAlike ?? everyGoalAlike
        settings.shrinksScores = choice.shrinksScores ?? shrinksScores
        settings.connections = try choice.connections(over: connections)
        return settings
    }
}
