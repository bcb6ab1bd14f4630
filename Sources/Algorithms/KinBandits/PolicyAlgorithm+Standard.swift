extension PolicyAlgorithm {
    /// The default of a shared model: Thompson sampling on Bayesian logistic regression.
    ///
    /// Its regret on simulated people (tastes that stay and change, fatigue, streaks, new offers) was the least or near it at every task, with
    /// ``PolicySettings/standardEffectiveWindow``.
    public static var standard: PolicyAlgorithm { .logisticThompson(scale: 0.1) }

    /// The default of a model per arm: ``adaptive(width:)``.
    ///
    /// Labels of eleven sets played as a bandit gave it more than any one width of LinUCB, with constants that other sets had chosen.
    public static var standardPerArm: PolicyAlgorithm { .adaptive() }
}

extension PolicySettings {
    /// The effective window that suits ``PolicyAlgorithm/standard`` and one person's tastes, in observations: 300.
    public static var standardEffectiveWindow: Double { 300 }
}
