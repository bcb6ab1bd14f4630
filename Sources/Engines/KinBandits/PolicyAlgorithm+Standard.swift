extension PolicyAlgorithm {
    /// The default: Thompson sampling on Bayesian logistic regression, by its regret on made-up people (tastes that stay and
    /// change, fatigue, streaks, unseen offers): best or near the best everywhere with ``PolicySettings/standardEffectiveWindow``.
    public static var standard: PolicyAlgorithm { .logisticThompson(scale: 0.1) }

    /// The default for a model per arm of so many features, the constant included: ``logisticUCB(features:)``, one choice in a
    /// hundred uniform. Of labels played as a bandit it found more than LinUCB in five of five sets, letters and made-up ones.
    public static func standard(features: Int) -> PolicyAlgorithm {
        var algorithm = logisticUCB(features: features)
        algorithm.epsilon = 0.01
        return algorithm
    }
}

extension PolicySettings {
    /// The memory that goes with ``PolicyAlgorithm/standard`` for one person's tastes, in observations.
    public static var standardEffectiveWindow: Double { 300 }
}
