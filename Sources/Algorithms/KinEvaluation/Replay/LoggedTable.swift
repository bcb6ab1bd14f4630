/// A log of a policy: the context, the arm, the reward and the propensity of each round.
public struct LoggedTable: Sendable, Equatable {
    /// The contexts, a row for each round.
    public let contexts: Matrix<Double>
    /// The arm of each round, 0 ..< ``armCount``.
    public let arms: [Int]
    /// The number of arms.
    public let armCount: Int
    /// The reward of each round.
    public let rewards: [Double]
    /// The logging policy's probability of each logged arm, above 0 and at most 1.
    public let propensities: [Double]

    /// Creates a log from its columns.
    ///
    /// - Parameters:
    ///   - contexts: The contexts, a row for each round.
    ///   - arms: The arm of each round, 0 ..< `armCount`.
    ///   - armCount: The number of arms.
    ///   - rewards: The reward of each round.
    ///   - propensities: The probabilities of the choices. Default: nil, which uses each arm's share of all rounds;
    ///     valid if choices did not depend on the context.
    /// - Throws: `.dimensionMismatch` unless every column has an entry for every row, `.invalidArgument` for an arm out
    ///   of range or a propensity outside 0 < p ≤ 1, `.notFinite` for a reward that is not finite, by row.
    public init(
        contexts: Matrix<Double>, arms: [Int], armCount: Int, rewards: [Double], propensities: [Double]? = nil
    ) throws(KinError) {
        try KinError.requireCount(armCount, "armCount")
        let sizes = [arms.count, rewards.count, propensities?.count ?? arms.count]
        guard sizes.allSatisfy({ $0 == contexts.rows }) else {
            throw KinError(
                .dimensionMismatch, "\(contexts.rows) contexts do not fit \(sizes) arms, rewards, propensities")
        }
        if let row = arms.firstIndex(where: { !(0..<armCount).contains($0) }) {
            throw KinError(.invalidArgument, "the arm is \(arms[row]); there are \(armCount)").within("row", row)
        }
        if let row = rewards.firstIndex(where: { !$0.isFinite }) {
            throw KinError(.notFinite, "the reward is \(rewards[row])").within("row", row)
        }
        if let row = propensities?.firstIndex(where: { !($0 > 0 && $0 <= 1) }) {
            throw KinError(.invalidArgument, "the propensity is not above 0 and at most 1").within("row", row)
        }
        let counts = Dictionary(arms.map { ($0, 1.0) }, uniquingKeysWith: +)
        self.contexts = contexts
        self.arms = arms
        self.armCount = armCount
        self.rewards = rewards
        self.propensities = propensities ?? arms.map { counts[$0]! / Double(arms.count) }
    }
}

/// The rounds that a replayed policy learns from.
public enum ReplayLearning: String, Sendable, Hashable, CaseIterable {
    /// Every round of the log, after its evaluation.
    case everyRound = "every"
    /// Only rounds in which the policy's own choice equals the logged arm, as in live use (Li, Chu, Langford and
    /// Wang 2011, "Unbiased offline evaluation of contextual-bandit-based news article recommendation algorithms").
    case acceptedRounds = "accepted"
}
