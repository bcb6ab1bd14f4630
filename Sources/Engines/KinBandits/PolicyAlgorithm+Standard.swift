extension PolicyAlgorithm {
    /// The default: Thompson sampling on Bayesian logistic regression.
    public static var standard: PolicyAlgorithm { .logisticThompson() }
}
