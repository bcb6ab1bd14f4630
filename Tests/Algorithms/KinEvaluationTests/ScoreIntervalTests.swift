import Foundation
import KinEvaluation
import KinTestSupport
import Testing

@Suite("Score intervals of off-policy estimates")
struct ScoreIntervalTests {
    /// Rounds with a few large weights, and the value of the policy.
    private static func log(_ count: Int, _ random: inout SeededGenerator) -> (rounds: [LoggedRound], truth: Double) {
        // Context 0 pays 0.8 and is rarely logged with the action that the policy takes; context 1 pays 0.3.
        let rounds = (0..<count).map { _ -> LoggedRound in
            let isRare = random.uniform() < 0.4
            let propensity = isRare ? 0.12 : 0.5
            let isTaken = random.uniform() < propensity
            let reward = random.uniform() < (isTaken ? (isRare ? 0.8 : 0.3) : 0.5) ? 1.0 : 0
            return LoggedRound(
                reward: reward, propensity: isTaken ? propensity : 1 - propensity, probability: isTaken ? 1 : 0)
        }
        return (rounds, 0.4 * 0.8 + 0.6 * 0.3)
    }

    @Test(arguments: [(100, 0.9), (400, 0.915)])
    func intervalsCoverTheTruthAtTheirConfidence(count: Int, least: Double) throws {
        var random = TestSeed().generator
        var (held, trials) = (0, 0)
        for _ in 0..<600 {
            let (rounds, truth) = Self.log(count, &random)
            guard let interval = try OffPolicyEvaluation(rounds).estimate(.selfNormalized).interval else { continue }
            trials += 1
            held += interval.contains(truth) ? 1 : 0
        }
        #expect(trials > 200, "\(trials)")
        // Three standard deviations are 2.7 % of 600 trials and 3.8 % of 300.
        #expect(Double(held) / Double(trials) > least, "\(held) of \(trials)")
        #expect(held < trials, "they say something")
    }

    /// The interval contains exactly those θ that the test statistic accepts.
    @Test func endsOfTheIntervalSolveTheEquation() throws {
        var random = TestSeed().generator
        let (rounds, _) = Self.log(500, &random)
        let groups = rounds.indices.map { $0 / 3 }
        let evaluation = try OffPolicyEvaluation(rounds, groups: groups)
        for estimator in [OffPolicyEvaluation.Estimator.selfNormalized, .inversePropensity] {
            let interval = try #require(try evaluation.estimate(estimator, confidence: 0.9).interval)
            for end in [interval.lowerBound, interval.upperBound] {
                var sums = [Wide](repeating: 0, count: 167)
                for (round, group) in zip(rounds, groups) {
                    let weight = Wide(round.importance)
                    sums[group] += weight * Wide(round.reward) - Wide(end) * (estimator == .selfNormalized ? weight : 1)
                }
                let (sum, squares) = (sums.reduce(0, +), sums.reduce(0) { $0 + $1 * $1 })
                let z = 1.6448536269514722
                #expect(abs(Double(sum * sum / squares).squareRoot() - z) < 1e-8, "\(estimator)")
            }
        }
    }

    @Test func tooLittleEvidenceGivesNoInterval() throws {
        // One weight carries nearly all of the evidence.
        let rounds = (0..<50).map { (i: Int) -> LoggedRound in
            let isRare = i == 0
            return LoggedRound(
                reward: Double(i % 2), propensity: isRare ? 1e-4 : 1, probability: isRare ? 1 : 0.01)
        }
        let found = try OffPolicyEvaluation(rounds).estimate(.selfNormalized)
        #expect(found.interval == nil && found.effectiveRounds < 2 && found.value < 0.01)
        #expect(try OffPolicyEvaluation(rounds).estimate(.selfNormalized, range: 0...1).interval == 0...1)
        #expect(
            errorCode { try OffPolicyEvaluation(rounds).estimate(.selfNormalized, range: 0...0.5) } == .invalidArgument)
        let none = try OffPolicyEvaluation([LoggedRound(reward: 1, propensity: 1, probability: 0)])
        #expect(
            try none.estimate(.selfNormalized).interval == nil && none.estimate(.selfNormalized).effectiveRounds == 0)
        #expect(errorCode { try none.estimate(.selfNormalized, confidence: .nan) } == .invalidArgument)
        let equal = try OffPolicyEvaluation((0..<20).map { _ in LoggedRound(reward: 2, propensity: 1, probability: 1) })
        #expect(try equal.estimate(.selfNormalized).interval == nil)
        #expect(try equal.estimate(.selfNormalized, range: 0...5).interval == 0...5)
    }

    /// The logging policy takes the first action 99 times in 100, and the evaluated policy the second 95 times in 100.
    @Test("a log that lacks the policy's actions, or any reward, has no interval", arguments: [true, false])
    func logsWithoutOverlapHaveNoInterval(_ hasRewards: Bool) throws {
        let (logged, evaluated) = ([0.99, 0.01], [0.05, 0.95])
        let rounds = (0..<200).map { (i: Int) -> LoggedRound in
            // Without rewards the log has each action as often as the evaluated policy takes it.
            let action = hasRewards || i % 20 == 0 ? 0 : 1
            return LoggedRound(
                reward: hasRewards ? Double(i % 3) / 2 : 0, propensity: hasRewards ? logged[action] : evaluated[action],
                action: action, probabilities: evaluated, estimates: [0.4, 0.3 + Double(i % 2) / 10])
        }
        let evaluation = try OffPolicyEvaluation(rounds)
        let same = try OffPolicyEvaluation(OffPolicyTests.madeUp)
        for estimator in OffPolicyEvaluation.Estimator.allCases where estimator != .directMethod {
            let found = try evaluation.estimate(estimator)
            #expect(found.effectiveRounds > 199 && found.interval == nil, "\(estimator): \(found)")
            #expect(try evaluation.estimate(estimator, range: 0...1).interval == 0...1, "\(estimator)")
            #expect(try evaluation.gain(over: same, estimator, seed: 1).interval == nil, "\(estimator)")
            #expect(try same.gain(over: evaluation, estimator, seed: 1).interval == nil, "\(estimator)")
            #expect(try same.estimate(estimator).interval != nil, "\(estimator)")
        }
    }

    /// Every estimate of a log is an interval with finite ends around a finite value, or an error.
    private static func check(
        _ message: String, of isBootstrap: Bool, _ estimate: () throws -> OffPolicyEvaluation.Estimate
    ) {
        do {
            let found = try estimate()
            let interval = found.interval ?? found.value...found.value
            let sum = interval.lowerBound / 4 + interval.upperBound / 4 + found.value / 4
            #expect(sum.isFinite && found.effectiveRounds.isFinite, "\(message): \(found)")
            #expect(isBootstrap || interval.contains(found.value), "\(message): \(found)")
        } catch {
            #expect((error as? KinError)?.code == .numericalFailure, "\(message): \(error)")
        }
    }

    static let magnitudes = [0x1p-1074, 0x1p-1030, 1e-200, 1e-155, 1e-150, 1, 1e9, 1e150, 1e200, 1e308]

    @Test("rewards and propensities of any magnitude give an interval or an error", arguments: magnitudes)
    func anyMagnitude(_ magnitude: Double) throws {
        var random = TestSeed().generator
        for trial in 0..<60 {
            let propensity = [1, 0.05, 1e-10, 1e-100][trial % 4]
            let isEqual = trial % 3 == 0
            let slates = (0..<(1 + random.below(9))).map { _ in
                (0..<(1 + random.below(3))).map { _ in
                    LoggedRound(
                        reward: magnitude * (isEqual ? 1 : random.uniform() * 2 - 1),
                        propensity: random.below(2) == 0 ? propensity : 1, probability: Double(random.below(3)) / 2,
                        estimate: magnitude * random.uniform(), value: magnitude * random.uniform())
                }
            }
            let evaluation = try OffPolicyEvaluation(slates.flatMap(\.self))
            for resamples in [0, 20] {
                for estimator in OffPolicyEvaluation.Estimator.allCases {
                    Self.check("\(estimator) trial \(trial)", of: resamples > 0) {
                        try evaluation.estimate(estimator, resamples: resamples)
                    }
                }
                for estimator in SlateEvaluation.Estimator.allCases {
                    Self.check("\(estimator) trial \(trial)", of: resamples > 0) {
                        try SlateEvaluation(slates).estimate(estimator, resamples: resamples)
                    }
                }
            }
            Self.check("gain", of: true) {
                try evaluation.gain(over: evaluation, .doublyRobust, resamples: 20, seed: 1)
            }
            #expect(evaluation.effectiveRounds.isFinite)
        }
    }

    /// With few effective rounds there is no interval; with more, its coverage matches its confidence.
    @Test(arguments: [0.3, 0.5])
    func intervalsNeedEnoughEffectiveRounds(truth: Double) throws {
        var random = TestSeed().generator
        for effective in [1, 2, 3, 5, 10, 30, 50] {
            var (given, held) = (0, 0)
            for _ in 0..<400 {
                // The evaluated policy's only action is logged with a small probability.
                let share = Double(effective) / 1000
                let rounds = (0..<1000).map { _ in
                    let isMatch = random.uniform() < share
                    return LoggedRound(
                        reward: random.uniform() < truth ? 1 : 0, propensity: isMatch ? share : 1 - share,
                        probability: isMatch ? 1 : 0)
                }
                guard let interval = try OffPolicyEvaluation(rounds).estimate(.selfNormalized).interval else {
                    continue
                }
                given += 1
                held += interval.contains(truth) ? 1 : 0
            }
            #expect(effective > 10 || given <= 4, "\(given) intervals of \(effective) rounds")
            // Five standard deviations of 400 trials at 0.93 are 6 %.
            #expect(
                effective < 30 || given > 350 && Double(held) / Double(given) > 0.87, "\(held) of \(given)")
        }
    }

    /// Scaling the rewards by a power of two scales the interval exactly, even if squares of the rewards would be 0 or
    /// infinite.
    @Test func theIntervalScalesWithTheRewards() throws {
        var random = TestSeed().generator
        let (rounds, _) = Self.log(200, &random)
        let interval = try #require(try OffPolicyEvaluation(rounds).estimate(.inversePropensity).interval)
        for unit in [0x1p-700, 0x1p-30, 0x1p900] {
            let scaled = rounds.map {
                LoggedRound(reward: $0.reward * unit, propensity: $0.propensity, probability: $0.probability)
            }
            let found = try #require(try OffPolicyEvaluation(scaled).estimate(.inversePropensity).interval)
            #expect(found == interval.lowerBound * unit...interval.upperBound * unit)
        }
    }

    /// A product of the importances of many slots is not finite, even if each one is ordinary.
    @Test func longSlatesAreAnError() throws {
        let slate = (0..<250).map { LoggedRound(reward: 1, propensity: 0.05, probability: $0 == 249 ? 0 : 1) }
        for estimator in [SlateEvaluation.Estimator.standard, .rewardInteraction] {
            #expect(errorCode { try SlateEvaluation([slate]).estimate(estimator) } == .numericalFailure)
        }
        #expect(try SlateEvaluation([slate]).estimate(.independent).value == 249 * 20)
    }
}
