import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinChallenges

@Suite("Challenge logs that judge other policies")
struct ChallengeReplayTests {
    private let catalog = try! ChallengeCatalog(ChallengeGenerator(seed: 2).challenges(24))
    private let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")

    /// The decisions of some months, written and read back. A challenge is completed if `completes` returns true.
    /// Otherwise it is skipped or ignored, and some ignored ones are completed late.
    private func log(
        days: Int, _ preferences: ChallengePreferences, algorithm: PolicyAlgorithm = ChallengeState.standardAlgorithm,
        isLate: Bool = false, _ random: inout SeededGenerator, completes: (Challenge, inout SeededGenerator) -> Bool
    ) throws -> [ChallengeDecision] {
        var selector = try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: .utc, profile: ["calm": 0.8, "focus": 0.3],
            state: ChallengeState(userID: preferences.userID, algorithm: algorithm))
        for number in 0..<days {
            let now = try start.adding(days: number)
            guard case .given(_, let challenge?) = try selector.today(at: now) else { continue }
            if completes(challenge, &random) {
                try selector.complete(rating: 3 + random.below(3), at: now)
            } else if random.uniform() < 0.5 {
                try selector.skip(at: now)
            } else if isLate, let late = selector.history.dropLast().last(where: { $0.status == .pending }) {
                try selector.complete(late.challengeID, rating: 3 + random.below(3), at: now)
            }
        }
        return try selector.changes.decisions.values.map { try ChallengeDecision(parsing: $0.jsonText) }
    }

    @Test(
        "replaying a policy on its own log gives its own probabilities and mean",
        arguments: [
            ChallengeState.standardAlgorithm, PolicyAlgorithm(.linear, .upperBound(width: 1), epsilon: 0.1),
            PolicyAlgorithm(.logistic, .inverseGap(gain: 3)),
        ])
    func ownPolicy(_ algorithm: PolicyAlgorithm) throws {
        var random = TestSeed().generator
        let decisions = try log(
            days: 60, ChallengePreferences(userID: "u1", recoveryDays: 5), algorithm: algorithm, isLate: true, &random
        ) {
            $1.uniform() < ($0.category == "calm" ? 0.9 : 0.4)
        }
        let replay = try ChallengeReplay(decisions.shuffled(using: &random), algorithm: algorithm)
        #expect(replay.rounds.count > 5 && decisions.contains { $0.ignored != nil })
        for round in replay.rounds { #expect(abs(round.probability - round.propensity) < 1e-12) }
        #expect(
            replay.rounds.count + replay.openCount + replay.unknownCount + replay.certainCount == decisions.count)
        #expect(replay.openCount == decisions.count { $0.reward == nil } && replay.unknownCount == 0)
        let evaluation = try OffPolicyEvaluation(replay.rounds)
        let mean = replay.rounds.reduce(0) { $0 + $1.reward } / Double(replay.rounds.count)
        for estimator in [OffPolicyEvaluation.Estimator.inversePropensity, .selfNormalized] {
            #expect(abs(evaluation.value(estimator) - mean) < 1e-9)
        }
        #expect(abs(evaluation.effectiveRounds - Double(replay.rounds.count)) < 1e-6)
    }

    @Test("on a random log, a learning policy gains and a constant one does not")
    func aPolicyThatLearns() throws {
        var random = TestSeed().generator
        let preferences = try ChallengePreferences(userID: "u1", recoveryDays: 0, selection: .random, variety: 1)
        let decisions = try log(days: 400, preferences, &random) {
            $1.uniform() < ($0.time.longestMinutes < 15 ? 0.9 : 0.1)
        }
        func gain(_ algorithm: PolicyAlgorithm) throws -> ClosedRange<Double> {
            let rounds = try ChallengeReplay(decisions, algorithm: algorithm).rounds
            let own = rounds.map {
                LoggedRound(reward: $0.reward, propensity: 1, probability: 1, estimate: $0.reward, value: $0.reward)
            }
            return try #require(
                try OffPolicyEvaluation(rounds).gain(
                    over: OffPolicyEvaluation(own), .doublyRobust, confidence: 0.999, resamples: 400, seed: 1
                ).interval)
        }
        #expect(try gain(ChallengeState.standardAlgorithm).lowerBound > 0.1)
        // An interval of 99.9 % misses the truth in one of a thousand logs, and then by little.
        let none = try gain(.epsilonGreedy(1))
        #expect(none.lowerBound < 0.05 && none.upperBound > -0.05, "\(none)")
    }

    @Test("decisions of earlier releases are counted and learned from but not judged")
    func earlierDecisions() throws {
        var random = TestSeed().generator
        let decisions = try log(days: 60, ChallengePreferences(userID: "u1", recoveryDays: 5), &random) {
            $1.uniform() < 0.5
        }
        .sorted { $0.number < $1.number }
        let answered = decisions.filter { $0.reward != nil }
        #expect(answered.allSatisfy { $0.candidates != nil && $0.learned != nil })
        let old = try decisions.enumerated().map { place, decision in
            guard place < 30 else { return decision }
            var json = decision.withoutCandidates.jsonText
            json.replace(/,"learned":\d+|,"weight":[.\d]+/, with: "")
            return try ChallengeDecision(parsing: json)
        }
        let replay = try ChallengeReplay(old, algorithm: ChallengeState.standardAlgorithm)
        #expect(replay.unknownCount == old.count { $0.reward != nil && $0.candidates == nil })
        #expect(replay.unknownCount > 10 && !replay.rounds.isEmpty)
        let fresh = try ChallengeReplay(old[30...], algorithm: ChallengeState.standardAlgorithm)
        #expect(fresh.rounds != replay.rounds, "what the old ones teach is known")
        #expect(try ChallengeReplay([], algorithm: ChallengeState.standardAlgorithm).rounds.isEmpty)
    }

    @Test("chosen challenges outside the candidates and invalid candidate bytes are refused")
    func damage() throws {
        var random = SeededGenerator(seed: 1)
        let decision = try #require(
            try log(days: 2, ChallengePreferences(userID: "u1"), &random) { _, _ in true }.first)
        let text = decision.jsonText
        for (good, bad) in [
            (#""chosen":\#(decision.candidates!.chosen)"#, #""chosen":4000"#), (#""actions":""#, #""actions":"AAAA"#),
            (#""observations":"#, #""observations":-1"#),
        ] {
            #expect(text.contains(good))
            #expect(throws: KinError.self) { try ChallengeDecision(parsing: text.replacing(good, with: bad)) }
        }
    }
}
