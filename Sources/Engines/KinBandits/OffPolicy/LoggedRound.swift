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

    /// Creates a round from its numbers, which ``OffPolicyEvaluation/init(_:)`` checks.
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

    /// The importance weight π(a) ∕ p(a) of the round, 0 or more.
    public var importance: Double { probability / propensity }
}
