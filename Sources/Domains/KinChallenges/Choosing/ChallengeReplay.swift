public import KinBandits
public import KinCore

/// The log of a person's decisions, judged by another policy that begins anew and learns as it goes from what the log reveals.
///
/// The policy learns the rewards in the order in which they became known, and is asked at each decision before it learns from it. Judged by the
/// policy that made the log, each probability is the propensity of the log.
public struct ChallengeReplay: Sendable {
    /// The rounds that say something of the policy, in the order of the decisions: answered, by chance, among known challenges. The model of
    /// the rewards is the policy's own, before it has learned the round.
    public private(set) var rounds: [LoggedRound] = []
    /// The number of decisions whose outcome is not known.
    public private(set) var openCount = 0
    /// The number of answered decisions without candidates, which the policy learns from and is not judged by.
    public private(set) var unknownCount = 0
    /// The number of answered decisions that were certain: made among one challenge, or beside one that explores in the queue. No other choice was
    /// possible; the policy learns from them and is not judged by them.
    public private(set) var certainCount = 0

    /// Judges a policy by the decisions of a person.
    ///
    /// - Parameters:
    ///   - decisions: The decisions of one person, in any order.
    ///   - algorithm: The policy's model of rewards and its exploration.
    ///   - seed: The seed of the draws of Thompson sampling.
    /// - Throws: `.invalidArgument` for the algorithm's parameters; `.dimensionMismatch` for features of another release;
    ///   `.numericalFailure`.
    /// - Complexity: O(candidates · features²) for each decision.
    public init(
        _ decisions: some Sequence<ChallengeDecision>, algorithm: PolicyAlgorithm, seed: UInt64 = 0
    ) throws(KinError) {
        let decisions = decisions.sorted { $0.number < $1.number }
        guard let user = decisions.first?.userID else { return }
        var policy = try ChallengeState(userID: user, algorithm: algorithm, seed: seed).policy
        let outcomes = decisions.filter { $0.reward != nil }
            .sorted { ($0.learned ?? 0, $0.number) < ($1.learned ?? 0, $1.number) }
        var known = outcomes[...]
        for decision in decisions {
            guard let reward = decision.reward else {
                openCount += 1
                continue
            }
            guard let candidates = decision.candidates else {
                unknownCount += 1
                continue
            }
            guard decision.propensity < 1 else {
                certainCount += 1
                continue
            }
            while let outcome = known.first, outcome.learned ?? 0 <= candidates.observations {
                try outcome.teach(&policy)
                known.removeFirst()
            }
            let actions = try candidates.actions.features
            let expected = try policy.expectedRewards(of: actions)
            let probabilities = try policy.probabilities(of: actions, seed: seed &+ UInt64(decision.number))
            rounds.append(
                LoggedRound(
                    reward: reward, propensity: decision.propensity, action: candidates.chosen,
                    probabilities: probabilities, estimates: expected))
        }
    }
}

extension ChallengeDecision {
    /// Teaches a policy the outcome; nothing when it is not known.
    func teach(_ policy: inout BanditPolicy) throws(KinError) {
        if let reward { try policy.learn(reward: reward, for: event, weight: weight) }
    }
}
