import Foundation
import KinBandits
import KinCore
import KinTestSupport
import Testing

@Suite("Score intervals of off-policy estimates")
struct ScoreIntervalTests {
    /// Rounds with a few large weights, and the value of the policy.
    private static func log(_ count: Int, _ random: inout SeededGenerator) -> (rounds: [LoggedRound], truth: Double) {
        // Context 0 pays .8 and is logged rarely with the action that the policy takes; context 1 pays .3.
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

    @Test(arguments: [(100, 0.92), (400, 0.915)])
    func theyHoldTheTruthAsOftenAsTheySay(count: Int, least: Double) throws {
        let seed = TestSeed()
        var random = seed.generator
        var held = 0
        let trials = 600
        for _ in 0..<trials {
            let (rounds, truth) = Self.log(count, &random)
            if try OffPolicyEvaluation(rounds).estimate(.selfNormalized).interval.contains(truth) { held += 1 }
        }
        // Three deviations of 600 are 2.7 %.
        #expect(Double(held) / Double(trials) > least, "\(seed): \(held) of \(trials)")
        #expect(held < trials, "they say something")
    }

    /// θ is inside exactly where the test statistic says so.
    @Test func theEndsSolveTheEquation() throws {
        let seed = TestSeed()
        var random = seed.generator
        let (rounds, _) = Self.log(500, &random)
        let groups = rounds.indices.map { $0 / 3 }
        let evaluation = try OffPolicyEvaluation(rounds, groups: groups)
        for estimator in [OffPolicyEvaluation.Estimator.selfNormalized, .inversePropensity] {
            let interval = try evaluation.estimate(estimator, confidence: 0.9).interval
            for end in [interval.lowerBound, interval.upperBound] {
                var sums = [Wide](repeating: 0, count: 167)
                for (round, group) in zip(rounds, groups) {
                    let weight = Wide(round.importance)
                    sums[group] += weight * Wide(round.reward) - Wide(end) * (estimator == .selfNormalized ? weight : 1)
                }
                let (sum, squares) = (sums.reduce(0, +), sums.reduce(0) { $0 + $1 * $1 })
                let z = 1.6448536269514722
                #expect(abs(Double(sum * sum / squares).squareRoot() - z) < 1e-8, "\(estimator) \(seed)")
            }
        }
    }

    @Test func withTooLittleEvidenceNothingIsExcluded() throws {
        // One weight is nearly all of the evidence.
        let rounds = (0..<50).map { (i: Int) -> LoggedRound in
            let isRare = i == 0
            return LoggedRound(
                reward: Double(i % 2), propensity: isRare ? 1e-4 : 1, probability: isRare ? 1 : 0.01)
        }
        let found = try OffPolicyEvaluation(rounds).estimate(.selfNormalized)
        #expect(found.interval == 0...1 && found.value < 0.01)
        let none = try OffPolicyEvaluation([LoggedRound(reward: 1, propensity: 1, probability: 0)])
        #expect(try none.estimate(.selfNormalized).interval == 0...0)
        #expect(errorCode { try none.estimate(.selfNormalized, confidence: .nan) } == .invalidArgument)
        let equal = try OffPolicyEvaluation((0..<20).map { _ in LoggedRound(reward: 2, propensity: 1, probability: 1) })
        #expect(try equal.estimate(.selfNormalized).interval == 2...2)
    }
}
