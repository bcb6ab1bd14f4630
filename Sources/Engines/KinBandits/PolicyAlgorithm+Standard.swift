extension PolicyAlgorithm {
    /// The default of a shared model: Thompson sampling on Bayesian logistic regression.
    ///
    /// Its regret on simulated people (tastes that stay and change, fatigue, streaks, new offers) was the least or near it at every task, with
    /// ``PolicySettings/standardEffectiveWindow``.
    public static var standard: PolicyAlgorithm { .logisticThompson(scale: 0.1) }

    /// The default of a model per arm: ``logisticUCB(features:)`` with an epsilon of 0.01.
    ///
    /// Of labels played as a bandit it found more than LinUCB in five of five sets (letters and synthetic classes).
    ///
    /// - Parameter features: The number of features of a model, the constant and pairs included.
    public static func standard(features: Int) -> PolicyAlgorithm {
        var algorithm = logisticUCB(features: features)
        algorithm.epsilon = 0.01
        return algorithm
    }
}

extension PolicySettings {
    /// The effective window that suits ``PolicyAlgorithm/standard`` and one person's tastes, in observations: 300.
    public static var standardEffectiveWindow: Double { 300 }
}
