import Foundation
import KinTestSupport
import Testing

@testable import KinBandits

/// A policy chooses with the probabilities that it reports before the choice.
@Suite("Propensities")
struct PropensityTests {
    static let algorithms: [PolicyAlgorithm] =
        PolicyTests.algorithms + [
            PolicyAlgorithm(.linear, .thompson(scale: 0.5)), PolicyAlgorithm(.logistic, .thompson(scale: 1)),
        ]

    /// A policy with arms that has only seen 0 in its last feature.
    static func trained(_ algorithm: PolicyAlgorithm, effectiveWindow: Double) throws -> BanditPolicy {
        var random = SeededGenerator(seed: 27)
        var policy = try BanditPolicy(
            PolicySettings(algorithm, dimension: 3, arms: 5, effectiveWindow: effectiveWindow, seed: 270))
        for round in 0..<40 {
            let choice = try policy.choose(in: [random.uniform(), 20 * random.uniform(), 0])
            let isRight = (choice.action + round) % 3 == 0
            try policy.learn(reward: isRight ? 1 : 0, for: choice.event)
        }
        return policy
    }

    @Test(arguments: algorithms + [.standardPerArm], [Double.infinity, 25])
    func probabilitiesMatchChoiceFrequenciesOnFreshFeatures(_ algorithm: PolicyAlgorithm, effectiveWindow: Double)
        throws
    {
        let policy = try Self.trained(algorithm, effectiveWindow: effectiveWindow)
        let context = [0.4, -11, 1000]
        for among in [nil, [4, 1, 2]] {
            let arms = among ?? Array(0..<5)
            let probabilities = try policy.probabilities(in: context, among: among)
            let rewards = try policy.expectedRewards(in: context, among: among)
            #expect(abs(probabilities.reduce(0, +) - 1) < 1e-12)
            // Only the choice itself is random, so 20,000 choices are 20,000 draws from one distribution. A hundred of
            // them run in full.
            var playing = policy
            let distribution = try policy.observing(try policy.expanded(context)).armProbabilities(
                try policy.expanded(context), among: among
            ).probabilities
            #expect(distribution.values == probabilities)
            var counts = [Double](repeating: 0, count: arms.count)
            let rounds = 20_000
            for round in 0..<rounds {
                var generator = SeededGenerator.stream(policy.choices + UInt64(round), of: policy.settings.seed)
                let place = distribution.draw(using: &generator)
                counts[place] += 1
                guard round < 100 else { continue }
                let choice = try playing.choose(in: context, among: among)
                #expect(
                    choice.action == arms[place] && choice.propensity == probabilities[place]
                        && choice.expectedReward == rewards[place])
            }
            for (place, arm) in arms.enumerated() {
                let p = probabilities[place]
                let error = (p * (1 - p) / Double(rounds)).squareRoot()
                #expect(
                    abs(counts[place] / Double(rounds) - p) <= 3 * error, "arm \(arm): \(counts) for \(probabilities)")
                #expect(try policy.explain(context, arm: arm).expectedReward == rewards[place])
            }
        }
    }

    /// Without arms: exact if the probabilities have a closed form, and within the errors of both samples if they are
    /// drawn.
    @Test(arguments: algorithms)
    func probabilitiesMatchChoiceFrequenciesAmongRows(_ algorithm: PolicyAlgorithm) throws {
        var random = SeededGenerator(seed: 28)
        var policy = try BanditPolicy(PolicySettings(algorithm, dimension: 3, effectiveWindow: 25, seed: 280))
        let table = try PolicyTests.actions(5, 3, &random)
        for round in 0..<30 {
            let choice = try policy.choose(from: table)
            try policy.learn(reward: Double((choice.action + round) % 2), for: choice.event)
        }
        let draws = 12_000
        let probabilities = try policy.probabilities(of: table, draws: draws, seed: 1)
        let rewards = try policy.expectedRewards(of: table)
        var counts = [Double](repeating: 0, count: 5)
        let rounds = 3000
        for _ in 0..<rounds {
            let choice = try policy.choose(from: table)
            counts[choice.action] += 1
            guard abs(choice.expectedReward - rewards[choice.action]) < 1e-12 else {
                Issue.record("\(choice) for \(rewards)")
                return
            }
        }
        for (count, p) in zip(counts, probabilities) {
            let error = (p * (1 - p) * (1 / Double(rounds) + 1 / Double(draws))).squareRoot()
            #expect(abs(count / Double(rounds) - p) <= 3 * error, "\(counts) for \(probabilities)")
        }
    }

    /// An action that wins no draw still has a positive probability, and the probability is right on average.
    @Test func everyPossibleWinnerHasAPositiveProbability() throws {
        var random = SeededGenerator(seed: 29)
        var policy = try BanditPolicy(PolicyAlgorithm(.linear, .thompson(scale: 0.4)), dimension: 4, seed: 1)
        let table = try PolicyTests.actions(12, 4, &random)
        for _ in 0..<60 {
            let choice = try policy.choose(from: table)
            try policy.learn(reward: PolicyTests.reward(choice.event.features, &random), for: choice.event)
        }
        let truth = try policy.probabilities(of: table, draws: 100_000, seed: 2)
        #expect(truth.contains { $0 < 0.02 })
        var sums = [Double](repeating: 0, count: 12)
        let rounds = 4000
        for round in 0..<rounds {
            let once = try policy.probabilities(of: table, draws: 1, seed: UInt64(10 + round))
            #expect(once.allSatisfy { $0 > 0 } && abs(once.reduce(0, +) - 1) < 1e-12)
            for i in sums.indices { sums[i] += once[i] }
        }
        for (sum, p) in zip(sums, truth) {
            #expect(abs(sum / Double(rounds) - p) <= 4 * (p * (1 - p) / Double(rounds)).squareRoot() + 1e-4)
        }
    }

    /// Upper bounds with draws give every action a chance, which vanishes where the model is certain.
    @Test(arguments: [3.5, 1] as [Double])
    func explorationVanishesWhereTheModelIsCertain(deviation: Double) throws {
        let policy = try BanditPolicy(PolicyAlgorithm(.linear, .upperBoundOrDraw(width: 1)), dimension: 1, seed: 1)
        var others: [Double] = []
        for certainty in [1, 10, 100, .infinity] as [Double] {
            let scored = policy.explored([0.5, 2, 1], deviations: [1, 2, deviation].map { $0 / certainty })
            let values = scored.probabilities.values
            #expect(values.allSatisfy { $0 > 0 } && abs(values.reduce(0, +) - 1) < 1e-12)
            let chosen = certainty == 1 && deviation == 3.5 ? 2 : 1
            #expect(values[chosen] > 63.0 / 64)
            // The odds of a normal difference, and even odds for the best mean itself.
            let odds = [1.5, 0, 1].enumerated().map { i, gap in
                let spread = ([1, 2, deviation][i] * [1, 2, deviation][i] + 4).squareRoot() / certainty
                return gap == 0 ? 0.5 : 0.5 * erfc(gap / spread * 0.5.squareRoot())
            }
            for i in odds.indices where i != chosen {
                #expect(abs(values[i] - odds[i] / odds.reduce(0, +) / 64) < 1e-12)
            }
            others.append(values[0])
        }
        #expect(others == others.sorted(by: >) && others[3] < 1e-300)
    }

    /// The estimate 1[a] ∕ p of how often an arm "is there" is 1 on average, even for an arm that wins one draw in
    /// twenty.
    @Test func rareArmsHaveUnbiasedEstimates() throws {
        var policy = try BanditPolicy(PolicyAlgorithm(.linear, .thompson(scale: 1)), dimension: 1, arms: 3, seed: 5)
        for (arm, reward) in [(0, 1.0), (1, 0.2), (2, 0.3)] {
            for _ in 0..<6 {
                try policy.learn(reward: reward, for: BanditPolicy.Event(features: [1], arm: arm, propensity: 1))
            }
        }
        let probabilities = try policy.probabilities(in: [1])
        #expect(probabilities[1] < 0.1 && probabilities[1] > 0.01, "\(probabilities)")
        var sum = 0.0
        let rounds = 4000
        for _ in 0..<rounds {
            let choice = try policy.choose(in: [1])
            if choice.action == 1 { sum += 1 / choice.propensity }
        }
        let error = ((1 / probabilities[1] - 1) / Double(rounds)).squareRoot()
        #expect(abs(sum / Double(rounds) - 1) < 4 * error)
    }

    @Test func armsWithoutObservationsHaveThePrior() throws {
        var policy = try BanditPolicy(PolicySettings(.linUCB(), dimension: 6, arms: 9, hasPairs: true, seed: 1))
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5 {
            let context = (0..<6).map { _ in 100 * random.normalDeviate() }
            let choice = try policy.choose(in: context)
            try policy.learn(reward: 1, for: choice.event)
            for arm in 0..<9 where policy.lastObservation[arm] == 0 {
                #expect(policy.posteriors[arm] == Posterior(prior: policy.prior))
            }
        }
    }

    /// Older rounds fade by 1 ∕ effectiveWindow each, the newest does not. With almost no prior, the mean equals the
    /// mean of the faded rewards exactly.
    @Test func theNewestObservationDoesNotFade() throws {
        let effectiveWindow = 1000.0
        var settings = PolicySettings(
            .epsilonGreedy(0), dimension: 1, priorPrecision: 1e-9, effectiveWindow: effectiveWindow, seed: 1)
        settings.priorIntercept = 0
        var policy = try BanditPolicy(settings)
        var (sum, weight) = (0.0, 0.0)
        for round in 0..<300 {
            let reward = round % 40 < 20 ? 1.0 : 0
            try policy.learn(reward: reward, for: BanditPolicy.Event(features: [0], propensity: 1))
            let kept = 1 - 1 / effectiveWindow
            (sum, weight) = (sum * kept + reward, weight * kept + 1)
            let told = try policy.explain([0])
            // Less than a twentieth of a prior of 10⁻⁹ may be missing.
            #expect(abs(told.score - sum / weight) < 1e-8, "round \(round)")
            #expect(abs(told.deviation * told.deviation * weight - 1) < 1e-8)
        }
    }
}

@Suite("Probability that a normal variable is the largest")
struct MaximumProbabilitiesTests {
    @Test func twoVariablesMatchTheFormula() {
        for ratio in [1.0, 3, 1e3, 1e6] {
            for gap in [0, 0.3, -2, 5] {
                let found = MaximumProbabilities.of(means: [7e6 + gap, 7e6], deviations: [1, ratio])
                let truth = MaximumProbabilities.normalCDF(gap / (1 + ratio * ratio).squareRoot())
                #expect(abs(found[0] - truth) < 2e-9 && abs(found[1] - (1 - truth)) < 2e-9, "\(ratio) \(gap) \(found)")
            }
        }
    }

    @Test func manyVariablesMatchAFineSum() {
        var random = TestSeed().generator
        for count in [2, 3, 7, 26, 200] {
            let means = (0..<count).map { _ in random.normalDeviate() }
            let deviations = (0..<count).map { _ in 0.3 + random.uniform() }
            let found = MaximumProbabilities.of(means: means, deviations: deviations)
            var sums = [Double](repeating: 0, count: count)
            let step = 0.02
            for node in -600..<700 {
                let x = Double(node) * step
                var (before, after) = (1.0, 1.0)
                let z = (0..<count).map { (x - means[$0]) / deviations[$0] }
                let below = z.map(MaximumProbabilities.normalCDF)
                var part = [Double](repeating: 0, count: count)
                for i in 0..<count {
                    part[i] = before * normalDensity(z[i]) / deviations[i]
                    before *= below[i]
                }
                for i in (0..<count).reversed() {
                    sums[i] += step * part[i] * after
                    after *= below[i]
                }
            }
            for i in 0..<count { #expect(abs(found[i] - sums[i]) < 1e-8, "\(count)") }
        }
    }

    @Test func equalVariablesShareAndUnlikelyOnesStayPositive() {
        for count in [1, 2, 5, 100] {
            let found = MaximumProbabilities.of(
                means: Array(repeating: 3, count: count), deviations: Array(repeating: 0.1, count: count))
            #expect(found.allSatisfy { abs($0 * Double(count) - 1) < 1e-12 })
        }
        let far = MaximumProbabilities.of(means: [0, -1e9, -5], deviations: [1, 1, 1])
        #expect(far.allSatisfy { $0 > 0 } && far[1] < 1e-300 && abs(far[2] / 2.035e-4 - 1) < 1e-3)
        #expect(MaximumProbabilities.of(means: [1, 2, 2], deviations: [0, 0, 0]) == [0, 0.5, 0.5])
        #expect(MaximumProbabilities.of(means: [1, 2], deviations: [.infinity, 1]) == [0, 1])
    }

    private func normalDensity(_ z: Double) -> Double { exp(-z * z / 2) / (2 * Double.pi).squareRoot() }
}
