/// One round of a log, as an estimate of another policy's value needs it.
public struct LoggedRound: Sendable, Hashable {
    /// What the logged action brought.
    public let reward: Double
    /// The probability with which the logging policy chose the logged action, above 0 and up to 1.
    public let propensity: Double
    /// The probability with which the evaluated policy would have chosen the logged action.
    public let probability: Double
    /// The reward that a model expects of the logged action; 0 without a model.
    public let estimate: Double
    /// The reward that a model expects under the evaluated policy, Σ π(a) q(a); 0 without a model.
    public let value: Double

    /// A round from its numbers.
    public init(reward: Double, propensity: Double, probability: Double, estimate: Double = 0, value: Double = 0) {
        self.reward = reward
        self.propensity = propensity
        self.probability = probability
        self.estimate = estimate
        self.value = value
    }

    /// A round from what the evaluated policy and a model say of every action.
    ///
    /// - Parameters:
    ///   - reward: What the logged action earned.
    ///   - propensity: The probability with which the logging policy chose it, 0 < p ≤ 1.
    ///   - action: The place of the logged action among all.
    ///   - probabilities: Of each action under the evaluated policy.
    ///   - estimates: The reward that a model expects of each; none without a model.
    /// - Precondition: `action` is a place of `probabilities`, and `estimates` are as many or none.
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

    /// π(a) ∕ p(a), how many such rounds the evaluated policy would have had for this one.
    public var importance: Double { probability / propensity }
}
