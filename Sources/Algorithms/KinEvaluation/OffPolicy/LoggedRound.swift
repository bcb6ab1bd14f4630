/// A round of a log with the numbers that an off-policy estimate needs.
public struct LoggedRound: Sendable, Hashable {
    /// The reward of the logged action.
    public let reward: Double
    /// The probability with which the logging policy chose the logged action, above 0 and up to 1.
    public let propensity: Double
    /// The probability with which the evaluated policy would have chosen the logged action.
    public let probability: Double
    /// The reward that a model expects of the logged action; 0 without a model.
    public let estimate: Double
    /// The reward that a model expects under the evaluated policy, Σ π(a) q(a); 0 without a model.
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
    ///   - propensity: The probability with which the logging policy chose it, 0 < p ≤ 1.
    ///   - action: The index of the logged action.
    ///   - probabilities: Of each action under the evaluated policy.
    ///   - estimates: The reward that a model expects of each; none without a model.
    /// - Precondition: `action` is an index of `probabilities`, and `estimates` has as many elements or none.
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

    /// Creates a round of which the features of the action count, and not which action has them (MIPS).
    ///
    /// Its importance is Σ π(a) p(e | a) ∕ Σ p(a) p(e | a) over all actions. With many actions it varies far less than π(a) ∕ p(a), and estimates are
    /// unbiased when actions of equal features have equal expected rewards. Saito and Joachims 2022, "Off-policy evaluation for large action
    /// spaces via embeddings", arXiv 2202.06317.
    ///
    /// - Parameters:
    ///   - reward: The reward of the logged action.
    ///   - likelihoods: The probability p(e | a) of the logged features for each action: 1 for those that have them and 0 for others, where
    ///     features are certain.
    ///   - propensities: Of each action under the logging policy; their sum over those that could have the features is above 0.
    ///   - probabilities: Of each action under the evaluated policy.
    ///   - estimates: The reward that a model expects of each; none without a model.
    /// - Precondition: There are as many of each, or no estimates.
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
        // What the model expects of an action of these features, as the log chooses among them.
        let estimate = zip(zip(likelihoods, propensities), estimates).reduce(0) { $0 + $1.0.0 * $1.0.1 * $1.1 }
        self.init(
            reward: reward, propensity: propensity, probability: sum(likelihoods, probabilities),
            estimate: propensity > 0 ? estimate / propensity : 0, value: sum(probabilities, estimates))
    }

    /// The importance weight π(a) ∕ p(a) of the round, 0 or more.
    public var importance: Double { probability / propensity }
}
