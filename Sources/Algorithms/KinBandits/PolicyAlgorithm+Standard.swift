extension PolicyAlgorithm {
    /// The default for a shared model: Thompson sampling on Bayesian logistic regression.
    ///
    /// A scale of 0.1 has less regret if contexts change with every round, but without a prior it stays with a wrong
    /// action in a quarter of the runs whose actions stay the same.
    public static var standard: PolicyAlgorithm { .logisticThompson() }

    /// The default for a model per arm: ``adaptive(width:)``.
    ///
    /// On eleven labelled data sets played as bandits, it earned more reward than LinUCB with any single width. Its
    /// constants were chosen on other data sets.
    public static var standardPerArm: PolicyAlgorithm { .adaptive() }

    /// The algorithm with other parameters, if given.
    ///
    /// - Parameters:
    ///   - amount: The parameter of the exploration.
    ///   - epsilon: The share of all choices that are uniformly random. For ε-greedy it is the exploration's own share,
    ///     unless `amount` gives that.
    package func with(amount: Double?, epsilon: Double?) -> PolicyAlgorithm {
        var changed = self
        if let amount { changed.exploration.amount = amount }
        guard let epsilon else { return changed }
        if amount == nil, case .epsilonGreedy = exploration {
            changed.exploration.amount = epsilon
        } else {
            changed.epsilon = epsilon
        }
        return changed
    }
}
