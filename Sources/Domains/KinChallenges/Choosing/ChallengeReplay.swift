/// A replay of a person's decision log, which judges a policy that starts untrained and learns only from rewards in
/// the log.
///
/// The policy learns the rewards in the order of their arrival, and makes each decision before it learns from it. For
/// the policy that made the log, each probability equals the logged propensity.
public struct ChallengeReplay: Sendable {
    /// The informative rounds, in the order of the decisions: answered, random, and with known candidates. The model of
    /// the rewards is the policy's own, before it has learned the round.
    public private(set) var rounds: [LoggedRound] = []
    /// The rounds with known avoided challenges, which releases before 0.3.0 did not store.
    public private(set) var variedRounds: [LoggedRound] = []
    /// ``variedRounds`` with the policy's probabilities if no choice avoids categories for variety.
    public private(set) var freeRounds: [LoggedRound] = []
    /// The number of decisions without a known outcome.
    public private(set) var openCount = 0
    /// The number of answered decisions without candidates. The policy learns from them, but is not judged by them.
    public private(set) var unknownCount = 0
    /// The number of answered decisions that were certain: only one challenge was available, or a queued challenge
    /// explores already. No other choice was possible. The policy learns from these decisions, but is not judged by
    /// them.
    public private(set) var certainCount = 0

    /// Judges a policy by the decisions of a person.
    ///
    /// - Parameters:
    ///   - decisions: The decisions of one person, in any order.
    ///   - algorithm: The policy's model of rewards and its exploration.
    ///   - seed: The seed of the draws of Thompson sampling.
    /// - Throws: `.invalidArgument` for the algorithm's parameters; `.dimensionMismatch` for features of a different
    ///   release; `.numericalFailure`.
    /// - Complexity: O(candidates · features²) for each decision.
    public init(
        _ decisions: some Sequence<ChallengeDecision>, algorithm: PolicyAlgorithm, seed: UInt64 = 0
    ) throws(KinError) {
        let decisions = decisions.sorted { $0.number < $1.number }
        guard let user = decisions.first?.userID else { return }
        var policy = try ChallengeState(userID: user, algorithm: algorithm, seed: seed).policy
        var observations = decisions.flatMap(ChallengeObservation.all(of:)).sorted {
            ($0.number, $0.decision.number) < ($1.number, $1.decision.number)
        }[...]
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
            while let observation = observations.first, observation.number <= candidates.observations {
                try policy.learn(
                    reward: observation.reward, for: observation.decision.event, weight: observation.weight)
                observations.removeFirst()
            }
            let actions = try candidates.actions.features
            let expected = try policy.expectedRewards(of: actions)
            func round(of rows: [Int]) throws(KinError) -> LoggedRound {
                let some = rows.count == actions.rows ? actions : actions.selecting(rows)
                let probabilities = try policy.probabilities(of: some, seed: seed &+ UInt64(decision.number))
                return LoggedRound(
                    reward: reward, propensity: decision.propensity, action: rows.firstIndex(of: candidates.chosen)!,
                    probabilities: probabilities, estimates: rows.map { expected[$0] })
            }
            let avoided = Set(candidates.avoided ?? [])
            let all = Array(0..<actions.rows)
            let varied = try round(of: all.filter { !avoided.contains($0) })
            rounds.append(varied)
            guard candidates.avoided != nil else { continue }
            variedRounds.append(varied)
            freeRounds.append(avoided.isEmpty ? varied : try round(of: all))
        }
    }
}

/// A reward of a decision, as learned by the policy that made the log.
private struct ChallengeObservation {
    let decision: ChallengeDecision
    /// The position of the reward among all that the policy learned; 0 if unknown.
    let number: Int
    /// The reward of the outcome, or of being ignored, 0…1.
    let reward: Double
    /// The number of equal rewards that it counts for.
    let weight: Double

    /// The rewards of a decision: none before its outcome is known, and two if the outcome came after the challenge had
    /// counted as ignored.
    static func all(of decision: ChallengeDecision) -> [ChallengeObservation] {
        guard let reward = decision.reward else { return [] }
        var all = [
            ChallengeObservation(
                decision: decision, number: decision.learned ?? 0, reward: reward, weight: decision.weight)
        ]
        if let ignored = decision.ignored {
            all.append(
                ChallengeObservation(
                    decision: decision, number: ignored, reward: ChallengeReward.reward(.ignored),
                    weight: ChallengeReward.weight(.ignored)))
        }
        return all
    }
}
