import Foundation
import KinTestSupport
import Testing

@testable import KinEvaluation

/// Estimators with limited importance compared with `dr`, on logs of known value.
@Suite("Limited importance weights")
struct LimitedImportanceTests {
    typealias Estimator = OffPolicyEvaluation.Estimator

    /// The logging policy: near the evaluated one, uniform, or far from it.
    enum Logging: CaseIterable { case near, uniform, far }
    /// The noise of rewards: nearly none, rewards of 0 or 1, or a deviation of 1.
    enum Noise: CaseIterable { case low, binary, high }
    /// The model of rewards: nearly right, mostly random, or biased in one direction.
    enum Model: CaseIterable { case good, bad, biased }

    private static let actions = 6
    private static let limited = Estimator.allCases.filter(\.hasParameter)

    /// No error is significantly above 1.05 times the error of `dr`; with a good model it is lower.
    @Test(arguments: [200, 2000], Model.allCases)
    func limitsAreNeverMuchWorseThanNoLimit(count: Int, model: Model) throws {
        var random = TestSeed().generator
        for logging in Logging.allCases {
            let contexts = Self.contexts(logging, model, &random)
            for noise in Noise.allCases {
                var squares: [Estimator: [Double]] = [:]
                for _ in 0..<(count == 200 ? 250 : 40) {
                    let (rounds, truth) = Self.log(count, of: contexts, noise, &random)
                    let evaluation = try OffPolicyEvaluation(rounds)
                    for estimator in Self.limited + [.doublyRobust] {
                        let error = evaluation.value(estimator) - truth
                        squares[estimator, default: []].append(error * error)
                    }
                }
                let robust = try #require(squares[.doublyRobust])
                let base = robust.meanAndError.mean
                for estimator in Self.limited {
                    let own = try #require(squares[estimator])
                    let excess = zip(own, robust).map { $0 - 1.05 * 1.05 * $1 }.meanAndError
                    let ratio = (own.meanAndError.mean / base).squareRoot()
                    let note = "\(estimator) \(logging) \(noise) \(model) \(count): \(ratio)"
                    #expect(excess.mean < 3 * excess.standardError && ratio < 1.2, "\(note)")
                    if model == .good { #expect(ratio < 1, "\(note)") }
                }
            }
        }
    }

    /// Intervals of 95 % hold the truth about as often as those of `dr`, also where limits remove most of the variance:
    /// the estimates stay near `dr`.
    @Test(arguments: [Logging.uniform, .far], [0, 200])
    func intervalsHoldTheTruthAsOftenAsWithoutLimits(logging: Logging, resamples: Int) throws {
        var random = TestSeed().generator
        let logs = 200
        let contexts = Self.contexts(logging, .biased, &random)
        var held: [Estimator: Int] = [:]
        for _ in 0..<logs {
            let (rounds, truth) = Self.log(500, of: contexts, .binary, &random)
            let evaluation = try OffPolicyEvaluation(rounds)
            for estimator in Self.limited + [.doublyRobust] {
                let estimate = try evaluation.estimate(estimator, resamples: resamples, range: -100...100)
                let interval = try #require(estimate.interval)
                #expect(interval.contains(estimate.value))
                held[estimator, default: 0] += interval.contains(truth) ? 1 : 0
            }
        }
        let robust = try #require(held[.doublyRobust])
        for estimator in Self.limited {
            let own = try #require(held[estimator])
            #expect(own >= robust - logs / 25, "\(estimator): \(own), dr: \(robust) of \(logs)")
        }
    }

    /// If the model has no errors, limits change nothing.
    @Test func withAnExactModelLimitsChangeNothing() throws {
        let rounds = (1...50).map {
            LoggedRound(reward: 1, propensity: 1 / Double($0), probability: 1, estimate: 1, value: 1)
        }
        for estimator in Self.limited { #expect(try OffPolicyEvaluation(rounds).value(estimator) == 1) }
    }

    /// The reward of each action, its probability under both policies, and the model's estimate.
    private struct Context {
        let pays: [Double]
        let evaluated: [Double]
        let logged: [Double]
        let estimates: [Double]
        /// The expected reward of the evaluated policy.
        let value: Double

        init(_ logging: Logging, _ model: Model, _ random: inout SeededGenerator) {
            pays = (0..<actions).map { _ in random.uniform() }
            evaluated = LimitedImportanceTests.softmax(2, &random)
            logged =
                switch logging {
                case .near: evaluated.map { 0.7 * $0 + 0.3 / Double(actions) }
                case .uniform: [Double](repeating: 1 / Double(actions), count: actions)
                case .far: LimitedImportanceTests.softmax(2.5, &random).map { 0.97 * $0 + 0.03 / Double(actions) }
                }
            estimates = pays.map { pay in
                switch model {
                case .good: 0.95 * pay + 0.05 * random.uniform()
                case .bad: 0.3 * pay + 0.7 * random.uniform()
                case .biased: 0.5 * pay + 0.6
                }
            }
            value = zip(evaluated, pays).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// The contexts that all logs draw from.
    private static func contexts(_ logging: Logging, _ model: Model, _ random: inout SeededGenerator) -> [Context] {
        (0..<1000).map { _ in Context(logging, model, &random) }
    }

    private static func log(
        _ count: Int, of contexts: [Context], _ noise: Noise, _ random: inout SeededGenerator
    ) -> (rounds: [LoggedRound], truth: Double) {
        var truth = 0.0
        let rounds = (0..<count).map { _ in
            let context = contexts[random.below(contexts.count)]
            let action = random.index(weights: context.logged, total: 1)
            let pay = context.pays[action]
            let reward =
                switch noise {
                case .low: pay + 0.05 * random.normalDeviate()
                case .binary: random.uniform() < pay ? 1.0 : 0
                case .high: pay + random.normalDeviate()
                }
            truth += context.value / Double(count)
            return LoggedRound(
                reward: reward, propensity: context.logged[action], action: action, probabilities: context.evaluated,
                estimates: context.estimates)
        }
        return (rounds, truth)
    }

    private static func softmax(_ scale: Double, _ random: inout SeededGenerator) -> [Double] {
        let scores = (0..<actions).map { _ in exp(scale * random.normalDeviate()) }
        return scores.map { $0 / scores.reduce(0, +) }
    }
}
