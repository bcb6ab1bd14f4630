/// A round of a log, with the numbers that an off-policy estimate needs.
///
///     let round = LoggedRound(reward: 1, propensity: 0.5, action: 2, probabilities: [0.2, 0.1, 0.7])
///     round.probability    // 0.7
///     round.importance     // 1.4
public struct LoggedRound: Sendable, Hashable {
    /// The reward of the logged action.
    public let reward: Double
    /// The probability that the logging policy chose the logged action, above 0 and up to 1.
    public let propensity: Double
    /// The probability that the evaluated policy would have chosen the logged action.
    public let probability: Double
    /// The model's expected reward of the logged action; 0 without a model.
    public let estimate: Double
    /// The model's expected reward under the evaluated policy, Σ π(a) q(a); 0 without a model.
    public let value: Double

    /// Creates a round from its numbers, which ``OffPolicyEvaluation/init(_:groups:hasEstimatedPropensities:)`` checks.
    public init(reward: Double, propensity: Double, probability: Double, estimate: Double = 0, value: Double = 0) {
        self.reward = reward
        self.propensity = propensity
        self.probability = probability
        self.estimate = estimate
        self.value = value
    }

    /// Creates a round from the evaluated policy's probabilities and a model's estimates for every action.
    ///
    /// - Parameters:
    ///   - reward: The reward of the logged action.
    ///   - propensity: The probability that the logging policy chose it, 0 < p ≤ 1.
    ///   - action: The index of the logged action.
    ///   - probabilities: The probability of each action under the evaluated policy.
    ///   - estimates: The model's expected reward of each action; empty without a model.
    /// - Precondition: `action` is an index of `probabilities`, and `estimates` is empty or has the same number of
    ///   elements.
    public init(
        reward: Double, propensity: Double, action: Int, probabilities: [Double], estimates: [Double] = []
    ) {
        precondition(
            estimates.isEmpty || estimates.count == probabilities.count, "an estimate for each action, or none")
        self.init(
            reward: reward, propensity: propensity, probability: probabilities[action],
            estimate: estimates.isEmpty ? 0 : estimates[action],
            value: zip(probabilities, estimates).reduce(0) { $0 + $1.0 * $1.1 })
    }

    /// Creates a round that depends on the action's features, not its identity (MIPS).
    ///
    /// Its importance is Σ π(a) p(e | a) ∕ Σ p(a) p(e | a) over all actions. With many actions it varies far less than
    /// π(a) ∕ p(a). Estimates are unbiased if actions with equal features have equal expected rewards. Saito and
    /// Joachims 2022, "Off-policy evaluation for large action spaces via embeddings", arXiv 2202.06317.
    ///
    /// - Parameters:
    ///   - reward: The reward of the logged action.
    ///   - likelihoods: The probability p(e | a) of the logged features for each action. If features are certain, it is
    ///     1 for actions that have the features and 0 for others.
    ///   - propensities: The probability of each action under the logging policy. The sum over actions that could have
    ///     the features must be above 0.
    ///   - probabilities: The probability of each action under the evaluated policy.
    ///   - estimates: The model's expected reward of each action; empty without a model.
    /// - Precondition: All arrays have the same number of elements, except that `estimates` may be empty.
    public init(
        reward: Double, likelihoods: [Double], propensities: [Double], probabilities: [Double], estimates: [Double] = []
    ) {
        precondition(
            likelihoods.count == propensities.count && likelihoods.count == probabilities.count
                && (estimates.isEmpty || estimates.count == probabilities.count),
            "a likelihood, a propensity and a probability for each action, and an estimate for each or none")
        func sum(_ values: [Double], _ weights: [Double]) -> Double {
            zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let propensity = sum(likelihoods, propensities)
        // The model's expected reward of an action with these features, weighted by the log's choice among such
        // actions.
        let estimate = zip(zip(likelihoods, propensities), estimates).reduce(0) { $0 + $1.0.0 * $1.0.1 * $1.1 }
        self.init(
            reward: reward, propensity: propensity, probability: sum(likelihoods, probabilities),
            estimate: propensity > 0 ? estimate / propensity : 0, value: sum(probabilities, estimates))
    }

    /// The importance weight π(a) ∕ p(a) of the round, 0 or more.
    public var importance: Double { probability / propensity }
}
