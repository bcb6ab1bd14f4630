// Off-policy evaluation of challenge policies from the log.

extension Engine {
    /// Estimates from the log of decisions the reward that a different policy would have earned with the challenges of
    /// one person or all people.
    ///
    /// For each person the policy begins without knowledge and learns from the rewards that the log reveals
    /// (`ChallengeReplay`). The result also has the reward that the log's own policy earned on the same rounds.
    ///
    /// - Parameters:
    ///   - algorithm: The model of rewards and the exploration.
    ///   - user: The person whose log is used; nil for all people. The result has only totals.
    ///   - resamples: 0 for score intervals, with 1,000 resamples for the intervals of the gains; otherwise the number
    ///     of resamples for all intervals. Resamples are of rounds for one person, of people for several.
    ///   - seed: The seed of the resamples and of Thompson sampling's draws.
    /// - Throws: `.invalidArgument` for the algorithm's parameters or the resamples; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(decisions · candidates · features²), plus O(resamples) for each round of one person or each of
    ///   several people.
    public func evaluatePolicy(
        _ algorithm: PolicyAlgorithm = ChallengeState.standardAlgorithm, of user: String? = nil, resamples: Int = 0,
        seed: UInt64 = 1
    ) throws(KinError) -> PolicyEvaluation {
        var (evaluation, rounds, groups) = (PolicyEvaluation(), [LoggedRound](), [Int]())
        var (varied, free, freeGroups) = ([LoggedRound](), [LoggedRound](), [Int]())
        try store.forEachDecisionLog(of: user) { decisions throws(KinError) in
            let replay = try ChallengeReplay(decisions, algorithm: algorithm, seed: seed)
            rounds += replay.rounds
            groups += replay.rounds.map { _ in evaluation.people }
            varied += replay.variedRounds
            free += replay.freeRounds
            freeGroups += replay.freeRounds.map { _ in evaluation.people }
            evaluation.people += 1
            evaluation.openCount += replay.openCount
            evaluation.unknownCount += replay.unknownCount
            evaluation.certainCount += replay.certainCount
        }
        guard !rounds.isEmpty else { return evaluation }
        let people = Set(groups).count > 1 ? groups : nil
        let judged = try OffPolicyEvaluation(rounds, groups: people)
        // With the rewards as the model, every estimate of the log's own policy is their mean.
        let own = try OffPolicyEvaluation(
            rounds.map {
                LoggedRound(
                    reward: $0.reward, propensity: $0.propensity, probability: $0.propensity, estimate: $0.reward,
                    value: $0.reward)
            }, groups: people)
        // The gain of the log's own policy is 0. The doubly robust estimates would add the errors of the model, whose
        // intervals are too narrow in a log that explores rarely.
        let isOwn = rounds.allSatisfy { abs($0.importance - 1) < 1e-9 }
        evaluation.rounds = rounds.count
        evaluation.effectiveRounds = judged.effectiveRounds
        evaluation.behaviour = try own.estimate(.inversePropensity, resamples: resamples, seed: seed)
        for estimator in OffPolicyEvaluation.Estimator.allCases {
            let policy = isOwn && estimator != .directMethod ? own : judged
            let estimate = try policy.estimate(estimator, resamples: resamples, seed: seed)
            let gain = try policy.gain(over: own, estimator, resamples: resamples == 0 ? 1000 : resamples, seed: seed)
            evaluation.estimates.append(PolicyEstimate(estimator: estimator, value: estimate, gain: gain))
        }
        guard !free.isEmpty else { return evaluation }
        let freePeople = Set(freeGroups).count > 1 ? freeGroups : nil
        evaluation.varietyCost = try OffPolicyEvaluation(free, groups: freePeople).gain(
            over: OffPolicyEvaluation(varied, groups: freePeople), .doublyRobust,
            resamples: resamples == 0 ? 1000 : resamples, seed: seed)
        return evaluation
    }
}

/// Estimates of the reward that a policy would have earned on a different policy's log.
public struct PolicyEvaluation: Sendable {
    /// The number of people with decisions.
    public internal(set) var people = 0
    /// The number of rounds behind the estimates.
    public internal(set) var rounds = 0
    /// The number of decisions excluded because their outcome is unknown.
    public internal(set) var openCount = 0
    /// The number of answered decisions excluded because their candidates are not stored.
    public internal(set) var unknownCount = 0
    /// The number of answered decisions excluded because no other choice was possible.
    public internal(set) var certainCount = 0
    /// The number of unweighted rounds with equal precision. If it is far below ``rounds``, the log contains little
    /// information about the policy.
    public internal(set) var effectiveRounds = 0.0
    /// The mean reward of the logged rounds; nil without rounds.
    public internal(set) var behaviour: OffPolicyEvaluation.Estimate?
    /// The estimated mean reward of a round by each estimator, and its difference from ``behaviour``, with 95 %
    /// intervals; empty without rounds. For the policy that made the log, all but the direct method return ``behaviour``.
    public internal(set) var estimates: [PolicyEstimate] = []
    /// The cost of the variety of challenges: the doubly robust estimate of the policy's reward if no choice avoids
    /// categories, minus the estimate with the log's variety, on the same rounds. nil without rounds of 0.3.0 or later.
    ///
    /// Avoided challenges were never chosen, so the estimate for them is the model's alone.
    public internal(set) var varietyCost: OffPolicyEvaluation.Estimate?
}

/// An estimate, by one estimator, of the reward that a policy would have earned.
public struct PolicyEstimate: Sendable, Hashable {
    /// The estimator of the mean reward.
    public let estimator: OffPolicyEvaluation.Estimator
    /// The mean reward of a round.
    public let value: OffPolicyEvaluation.Estimate
    /// The difference from the mean reward of the logged rounds.
    public let gain: OffPolicyEvaluation.Estimate
}
