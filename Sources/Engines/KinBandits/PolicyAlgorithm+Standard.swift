extension PolicyAlgorithm {
    /// The default: Thompson sampling on Bayesian logistic regression, by its regret on made-up people (tastes that stay and
    /// change, fatigue, streaks, unseen offers): best or near the best everywhere with ``PolicySettings/standardMemory``.
    public static var standard: PolicyAlgorithm { .logisticThompson(scale: 0.1) }
}

extension PolicySettings {
    /// The memory that goes with ``PolicyAlgorithm/standard`` for one person's tastes, in lessons.
    public static var standardMemory: Double { 300 }
}
