extension PolicyAlgorithm {
    /// The default: Thompson sampling on Bayesian logistic regression.
    public static var standard: PolicyAlgorithm { .logisticThompson() }
}

extension PolicySettings {
    /// The memory that goes with ``PolicyAlgorithm/standard`` for one person's tastes, in lessons.
    public static let standardMemory = 300.0
}
