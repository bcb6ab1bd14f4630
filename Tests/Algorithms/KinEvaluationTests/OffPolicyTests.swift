import KinTestSupport
import Testing

@testable import KinEvaluation

@Suite("Off-policy evaluation")
struct OffPolicyTests {
    typealias Estimator = OffPolicyEvaluation.Estimator

    /// 200 rounds from whole numbers, so that a different program can make the same ones.
    static var madeUp: [LoggedRound] {
        (0..<200).map { i in
            let weights = (0..<4).map { a in Double((i + a * a) % 5 + 1) }
            let sum = weights.reduce(0, +)
            return LoggedRound(
                reward: ((i * 7) % 5 == 0 ? 1 : 0) + Double(i % 11) / 10, propensity: Double(1 + i % 3) / 6,
                action: i % 4, probabilities: weights.map { $0 / sum },
                estimates: (0..<4).map { a in Double((3 * i + 2 * a) % 7) / 10 })
        }
    }

    /// The results of obp for these rounds: Benchmarks/peers/off_policy.py --made-up. Limited estimates have parameters.
    @Test(
        arguments: [
            (.inversePropensity, nil, 0.6390729104229105), (.selfNormalized, nil, 0.6997744399147277),
            (.directMethod, nil, 0.30082803862803864), (.doublyRobust, nil, 0.6707650849150849),
            (.switchDoublyRobust, 1.25, 0.5117780719280719), (.shrunkDoublyRobust, 2.5, 0.5193385258888444),
            (.subGaussianDoublyRobust, 0.125, 0.654716712621606),
        ] as [(Estimator, Double?, Double)])
    func estimatesEqualTheOpenBanditPipeline(_ estimator: Estimator, parameter: Double?, expected: Double) throws {
        #expect(abs(try OffPolicyEvaluation(Self.madeUp).value(estimator, parameter: parameter) - expected) < 1e-12)
    }

    @Test("a policy that takes no logged action has no self-normalised value, and all other values")
    func undefinedValues() throws {
        let rounds = (0..<30).map { LoggedRound(reward: Double($0 % 3), propensity: 0.5, probability: 0) }
        let (none, own) = try (OffPolicyEvaluation(rounds), OffPolicyEvaluation(Self.madeUp.prefix(30).map { $0 }))
        for estimator in Estimator.allCases {
            let isDefined = estimator != .selfNormalized
            #expect(try none.estimate(estimator).isDefined == isDefined, "\(estimator)")
            #expect(try none.gain(over: own, estimator, resamples: 2, seed: 1).isDefined == isDefined, "\(estimator)")
            #expect(try own.gain(over: none, estimator, resamples: 2, seed: 1).isDefined == isDefined, "\(estimator)")
            #expect(try own.estimate(estimator).isDefined, "\(estimator)")
        }
    }

    /// Five equal rounds of each person count as one round of evidence.
    @Test func groupsAreResampledAsAWhole() throws {
        let rounds = Self.madeUp
        let single = try OffPolicyEvaluation(rounds)
        let groups = rounds.indices.flatMap { [Int](repeating: 7 * $0, count: 5) }
        let grouped = try OffPolicyEvaluation(rounds.flatMap { [LoggedRound](repeating: $0, count: 5) }, groups: groups)
        for estimator in [Estimator.inversePropensity, .selfNormalized, .directMethod, .doublyRobust] {
            let (one, five) = try (
                single.estimate(estimator, resamples: 100, seed: 3),
                grouped.estimate(estimator, resamples: 100, seed: 3)
            )
            #expect(abs(one.value - five.value) < 1e-12)
            let (single, grouped) = try (#require(one.interval), #require(five.interval))
            #expect(abs(single.lowerBound - grouped.lowerBound) < 1e-12)
            #expect(abs(single.upperBound - grouped.upperBound) < 1e-12)
            #expect(abs(one.effectiveRounds - five.effectiveRounds) < 1e-9)
        }
        #expect(throws: KinError.self) { try OffPolicyEvaluation(rounds, groups: [1]) }
        #expect(throws: KinError.self) {
            try grouped.gain(over: OffPolicyEvaluation(grouped.rounds), .doublyRobust, seed: 1)
        }
    }

    /// Without a limit the estimates are doubly robust; at the other end of the range they are the direct method.
    @Test func limitedEstimatesAreBetweenDoublyRobustAndDirect() throws {
        let evaluation = try OffPolicyEvaluation(Self.madeUp)
        let (robust, direct) = (evaluation.value(.doublyRobust), evaluation.value(.directMethod))
        for (estimator, none) in [
            (Estimator.switchDoublyRobust, Double.infinity), (.shrunkDoublyRobust, .infinity),
            (.subGaussianDoublyRobust, 0),
        ] {
            #expect(abs(evaluation.value(estimator, parameter: none) - robust) < 1e-12)
        }
        for estimator in [Estimator.switchDoublyRobust, .shrunkDoublyRobust] {
            #expect(abs(evaluation.value(estimator, parameter: 0) - direct) < 1e-12)
        }
        for estimator in Estimator.allCases {
            #expect((evaluation.parameter(of: estimator) != nil) == estimator.hasParameter)
        }
        let single = try OffPolicyEvaluation([Self.madeUp[0]])
        for estimator in Estimator.allCases where estimator.hasParameter {
            #expect(single.value(estimator) == single.value(.doublyRobust), "one round shows no variance to lower")
        }
    }

    /// The sum of 300 equal values is rounded, which is no evidence of differences.
    @Test func roundsThatAgreeHaveNoInterval() throws {
        let round = LoggedRound(reward: 0.4, propensity: 0.5, probability: 0.5, estimate: 0.4, value: 0.4)
        let evaluation = try OffPolicyEvaluation([LoggedRound](repeating: round, count: 300))
        for estimator in Estimator.allCases {
            #expect(try evaluation.estimate(estimator).interval == nil, "\(estimator)")
        }
    }

    /// A world with known values: three actions paying 0.2, 0.5 and 0.9, logged by a policy that favours the first.
    static func logged(_ count: Int, model: [Double], _ random: inout SeededGenerator) -> [LoggedRound] {
        let (pays, logging, evaluated) = ([0.2, 0.5, 0.9], [0.7, 0.2, 0.1], [0.1, 0.3, 0.6])
        return (0..<count).map { _ in
            let u = random.uniform()
            let action = u < 0.7 ? 0 : u < 0.9 ? 1 : 2
            return LoggedRound(
                reward: random.uniform() < pays[action] ? 1 : 0, propensity: logging[action], action: action,
                probabilities: evaluated, estimates: model)
        }
    }

    private static let truth = 0.1 * 0.2 + 0.3 * 0.5 + 0.6 * 0.9

    @Test func intervalsCoverTheTruthAtTheirConfidence() throws {
        var random = TestSeed().generator
        for estimator in [Estimator.inversePropensity, .selfNormalized, .doublyRobust] {
            var held = 0
            for trial in 0..<200 {
                let rounds = Self.logged(400, model: [0.3, 0.3, 0.3], &random)
                let found = try OffPolicyEvaluation(rounds).estimate(
                    estimator, confidence: 0.9, resamples: 200, seed: UInt64(trial))
                if found.interval?.contains(Self.truth) == true { held += 1 }
            }
            // Binomial with p = 0.9: four standard deviations are 17 of 200. Percentile intervals of 400 rounds are
            // slightly too short.
            #expect(held >= 158 && held <= 197, "\(estimator) held \(held) of 200")
        }
    }

    @Test func aGainCancelsSharedNoise() throws {
        var random = SeededGenerator(seed: 3)
        let rounds = Self.logged(500, model: [0.2, 0.5, 0.9], &random)
        let own = try OffPolicyEvaluation(rounds)
        let none = try own.gain(over: own, .doublyRobust, seed: 1)
        #expect(none.value == 0 && none.interval == nil)
        let logging = try OffPolicyEvaluation(
            rounds.map { LoggedRound(reward: $0.reward, propensity: $0.propensity, probability: $0.propensity) })
        let gain = try own.gain(over: logging, .inversePropensity, seed: 1)
        #expect(abs(gain.value - own.value(.inversePropensity) + logging.value(.inversePropensity)) < 1e-15)
        let interval = try #require(gain.interval)
        #expect(interval.lowerBound > 0 && interval.contains(gain.value))
        #expect(try own.gain(over: logging, .inversePropensity, seed: 1) == gain)
        #expect(
            errorCode { try own.gain(over: OffPolicyEvaluation(Array(rounds.dropLast())), .doublyRobust, seed: 1) }
                == .dimensionMismatch)
    }

    @Test func theSameSeedGivesTheSameInterval() throws {
        let evaluation = try OffPolicyEvaluation(Self.madeUp)
        let first = try evaluation.estimate(.doublyRobust, resamples: 100, seed: 7)
        #expect(try evaluation.estimate(.doublyRobust, resamples: 100, seed: 7) == first)
        #expect(try evaluation.estimate(.doublyRobust, resamples: 100, seed: 8) != first)
        #expect(first.interval?.contains(first.value) == true)
    }

    @Test func effectiveRoundsUseKishsFormula() throws {
        let equal = (0..<10).map { _ in LoggedRound(reward: 1, propensity: 0.5, probability: 0.25) }
        #expect(try OffPolicyEvaluation(equal).effectiveRounds == 10)
        let one = equal.dropLast().map { LoggedRound(reward: $0.reward, propensity: 0.5, probability: 0) } + [equal[9]]
        #expect(try OffPolicyEvaluation(one).effectiveRounds == 1)
        #expect(try OffPolicyEvaluation(Array(one.dropLast())).value(.selfNormalized) == 0)
    }

    @Test func invalidRoundsAreRefused() throws {
        func code(_ round: LoggedRound) -> KinError.Code? { errorCode { try OffPolicyEvaluation([round]) } }
        #expect(errorCode { try OffPolicyEvaluation([]) } == .invalidArgument)
        #expect(code(LoggedRound(reward: 1, propensity: 0, probability: 1)) == .invalidArgument)
        #expect(code(LoggedRound(reward: 1, propensity: 1.1, probability: 1)) == .invalidArgument)
        #expect(code(LoggedRound(reward: 1, propensity: .nan, probability: 1)) == .invalidArgument)
        #expect(code(LoggedRound(reward: 1, propensity: 1, probability: -0.1)) == .invalidArgument)
        #expect(code(LoggedRound(reward: .nan, propensity: 1, probability: 1)) == .notFinite)
        #expect(code(LoggedRound(reward: 1, propensity: 1, probability: 1, estimate: .infinity)) == .notFinite)
        let fine = try OffPolicyEvaluation([LoggedRound(reward: 1, propensity: 1, probability: 1)])
        #expect(errorCode { try fine.estimate(.doublyRobust, confidence: 1, seed: 0) } == .invalidArgument)
        #expect(errorCode { try fine.estimate(.doublyRobust, resamples: 1, seed: 0) } == .invalidArgument)
    }
}
