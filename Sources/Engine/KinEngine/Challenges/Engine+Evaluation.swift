public import KinBandits
public import KinChallenges
public import KinCore
public import KinEvaluation
import KinStore

// The log of challenges judges other policies.

extension Engine {
    /// Estimates what another policy would have earned with the challenges of a person, or of everybody, from the log of decisions.
    ///
    /// The policy begins anew for each person, and learns as it goes from what the log reveals (`ChallengeReplay`). Beside it stands what the
    /// log's own policy earned on the same rounds.
    ///
    /// - Parameters:
    ///   - algorithm: The model of rewards and the exploration.
    ///   - user: The person whose log it is; nil for everybody, whose numbers alone leave the store.
    ///   - resamples: 0 for score intervals, and 1,000 resamples for those of the gains; or the resamples of all intervals: of rounds for one
    ///     person, of people for several.
    ///   - seed: The seed of resamples, and of the draws of Thompson sampling.
    /// - Throws: `.invalidArgument` for the algorithm's parameters or the resamples; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(decisions · candidates · features²), and O(resamples) for each round of one person or each of several people.
    public func evaluatePolicy(
        _ algorithm: PolicyAlgorithm = ChallengeState.standardAlgorithm, of user: String? = nil, resamples: Int = 0,
        seed: UInt64 = 1
    ) throws(KinError) -> PolicyEvaluation {
        var (evaluation, rounds, groups) = (PolicyEvaluation(), [LoggedRound](), [Int]())
        try store.forEachDecisionLog(of: user) { decisions throws(KinError) in
            let replay = try ChallengeReplay(decisions, algorithm: algorithm, seed: seed)
            rounds += replay.rounds
            groups += replay.rounds.map { _ in evaluation.people }
            evaluation.people += 1
            evaluation.openCount += replay.openCount
            evaluation.unknownCount += replay.unknownCount
            evaluation.certainCount += replay.certainCount
        }
        guard !rounds.isEmpty else { return evaluation }
        let people = Set(groups).count > 1 ? groups : nil
        let judged = try OffPolicyEvaluation(rounds, groups: people)
        // With the rewards themselves for a model, every estimate of the log's own policy is their mean.
        let own = try OffPolicyEvaluation(
            rounds.map {
                LoggedRound(
                    reward: $0.reward, propensity: $0.propensity, probability: $0.propensity, estimate: $0.reward,
                    value: $0.reward)
            }, groups: people)
        evaluation.rounds = rounds.count
        evaluation.effectiveRounds = judged.effectiveRounds
        evaluation.behaviour = try own.estimate(.inversePropensity, resamples: resamples, seed: seed)
        for estimator in OffPolicyEvaluation.Estimator.allCases {
            let estimate = try judged.estimate(estimator, resamples: resamples, seed: seed)
            let gain = try judged.gain(over: own, estimator, resamples: resamples == 0 ? 1000 : resamples, seed: seed)
            evaluation.estimates.append(PolicyEstimate(estimator: estimator, value: estimate, gain: gain))
        }
        return evaluation
    }
}

/// Estimates of what a policy would have earned on the log of another one.
public struct PolicyEvaluation: Sendable {
    /// The number of people with decisions.
    public internal(set) var people = 0
    /// The number of rounds that the estimates are made of.
    public internal(set) var rounds = 0
    /// The number of decisions left out because their outcome is not known.
    public internal(set) var openCount = 0
    /// The number of answered decisions left out because their candidates are not kept.
    public internal(set) var unknownCount = 0
    /// The number of answered decisions left out because no other choice was possible.
    public internal(set) var certainCount = 0
    /// The number of unweighted rounds of equal precision; where it is far below ``rounds``, the log says little about the policy.
    public internal(set) var effectiveRounds = 0.0
    /// The mean reward of the rounds as they were; nil without rounds.
    public internal(set) var behaviour: OffPolicyEvaluation.Estimate?
    /// The estimated mean reward of a round by each estimator, and its difference to ``behaviour``, with intervals of 95 %; none without rounds.
    public internal(set) var estimates: [PolicyEstimate] = []
}

/// An estimate of what a policy would have earned, by one estimator.
public struct PolicyEstimate: Sendable, Hashable {
    /// The estimator of the mean reward.
    public let estimator: OffPolicyEvaluation.Estimator
    /// The mean reward of a round.
    public let value: OffPolicyEvaluation.Estimate
    /// The difference to the mean reward of the rounds as they were.
    public let gain: OffPolicyEvaluation.Estimate
}
