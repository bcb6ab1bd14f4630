import KinTestSupport
import Testing

@testable import KinBandits

@Suite("Adaptive models")
struct AdaptiveModelTests {
    /// Plays labels as a bandit. Returns the mean reward of rounds 1,000 to 2,000, the policy after them, and the arms.
    static func played(
        _ settings: PolicySettings, scale: Double = 1, label: ([Double]) -> Int
    ) throws -> (reward: Double, policy: BanditPolicy, arms: [Int]) {
        var random = SeededGenerator(seed: 21)
        var policy = try BanditPolicy(settings)
        let rows = (0..<2000).map { _ in (0..<settings.dimension).map { _ in 2 * random.uniform() - 1 } }
        let contexts = try Matrix<Double>(rows: rows.map { $0.map { scale * $0 } })
        let run = try policy.play(contexts, labels: rows.map(label))
        return (Double(run.hits.suffix(1000).count { $0 }) / 1000, policy, run.arms)
    }

    static func largest(_ x: [Double]) -> Int { x.indices.max { x[$0] < x[$1] } ?? 0 }
    static func product(_ x: [Double]) -> Int { (x[0] * x[1] > 0 ? 1 : 0) + (x[2] > 0 ? 2 : 0) }

    /// If linear scores suffice, the pairs cost little.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func pairsCostLittleIfLinearScoresSuffice(seed: UInt64) throws {
        let own = try Self.played(PolicySettings(dimension: 4, arms: 4, seed: seed), label: Self.largest)
        let other = try Self.played(
            PolicySettings(.linUCB(features: 5), dimension: 4, arms: 4, seed: seed), label: Self.largest)
        #expect(own.reward > other.reward - 0.03 && own.reward > 0.85, "\(own.reward), LinUCB \(other.reward)")
    }

    /// If the sign of a product decides, models of single features can only guess between two arms, and the model of
    /// pairs prevails.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func pairsWinIfProductsDecide(seed: UInt64) throws {
        let own = try Self.played(PolicySettings(dimension: 3, arms: 4, seed: seed), label: Self.product)
        let other = try Self.played(
            PolicySettings(.linUCB(features: 4), dimension: 3, arms: 4, seed: seed), label: Self.product)
        #expect(own.reward > 0.75 && own.reward > other.reward + 0.15, "\(own.reward), LinUCB \(other.reward)")
        // The share falls again once both models predict the arms that the pairs have chosen.
        #expect(try #require(own.policy.adaptive).pairShare > 0.5)
    }

    @Test("the prior variance of a score does not grow above 16 features", arguments: [1, 5, 16, 17, 48, 400])
    func priorVariance(dimension: Int) {
        let precision = PolicySettings(dimension: dimension, arms: 5, seed: 0).priorPrecision
        #expect(precision >= 0.7 && Double(dimension) / precision <= 16 / 0.7 + 1e-9)
        #expect(dimension > 16 || precision == 0.7)
        #expect(PolicySettings(.linUCB(), dimension: dimension, arms: 5, seed: 0).priorPrecision == 0.05)
    }

    /// With the precision of 16 features, a policy explores too much.
    @Test("the prior suits many features")
    func manyFeatures() throws {
        let dimension = 112
        let rewards = try [nil, 0.7].map { precision in
            try (0..<2 as Range<UInt64>).reduce(0.0) { sum, seed in
                var random = SeededGenerator(seed: seed)
                let weights = (0..<5 * dimension).map { _ in random.uniform() - 0.5 }
                func score(_ arm: Int, _ x: [Double]) -> Double {
                    x.indices.reduce(0) { $0 + x[$1] * weights[arm * dimension + $1] }
                }
                let settings = PolicySettings(dimension: dimension, arms: 5, priorPrecision: precision, seed: seed)
                return try sum + Self.played(settings) { x in Self.largest((0..<5).map { score($0, x) }) }.reward / 2
            }
        }
        #expect(rewards[0] > rewards[1] + 0.005, "\(rewards)")
    }

    /// Covers features that never change, that change late, and that have the largest allowed values.
    @Test func constantLateAndHugeFeaturesKeepAnswersFinite() throws {
        var policy = try BanditPolicy(dimension: 4, arms: 3, seed: 5)
        var random = SeededGenerator(seed: 5)
        for round in 0..<400 {
            let x = [7, round < 200 ? 0 : 1, random.uniform(), round % 50 == 49 ? 1e9 : -1e9 * random.uniform()]
            let choice = try policy.choose(in: x)
            #expect(choice.propensity > 0 && choice.expectedReward > 0 && choice.expectedReward < 1)
            try policy.learn(reward: choice.action == (x[2] > 0.5 ? 1 : 0) ? 1 : 0, for: choice.event, weight: 0.5)
        }
        let rewards = try policy.expectedRewards(in: [7, 1, 0.9, -1e8])
        #expect(rewards[1] > rewards[0] && rewards[1] > rewards[2])
        let before = policy
        #expect(errorCode { try policy.choose(in: [7, 1, .nan, 0]) } == .notFinite)
        #expect(errorCode { try policy.choose(in: [7, 1, 0]) } == .dimensionMismatch)
        let event = try policy.choose(in: [7, 1, 0.9, 0]).event
        policy = before
        #expect(errorCode { try policy.learn(reward: 1.5, for: event) } == .invalidArgument)
        #expect(errorCode { try policy.learn(reward: .nan, for: event) } == .notFinite)
        #expect(policy == before)
        try policy.discount(by: 0)
        #expect(try policy.expectedRewards(in: [7, 1, 0.9, 0]) == [0.5, 0.5, 0.5])
    }

    /// The first observations are relearned from time to time, with the weights that the discounts have left them.
    @Test func aDiscountEqualsAWeight() throws {
        var random = SeededGenerator(seed: 6)
        var discounted = try BanditPolicy(dimension: 3, arms: 2, seed: 1)
        var (weighted, undiscounted) = (discounted, discounted)
        for round in 0..<64 {
            let x = (0..<3).map { _ in random.uniform() }
            let event = BanditPolicy.Event(features: x, arm: round % 2, propensity: 0.5)
            // The rule of the first rounds is reversed later.
            let reward: Double = (x[0] > 0.5) == (round < 40) ? 1 : 0
            if round == 40 { try discounted.discount(by: 0.05) }
            try discounted.learn(reward: reward, for: event)
            try weighted.learn(reward: reward, for: event, weight: round < 40 ? 0.05 : 1)
            try undiscounted.learn(reward: reward, for: event)
        }
        for _ in 0..<50 {
            let x = (0..<3).map { _ in random.uniform() }
            let found = try discounted.expectedRewards(in: x)
            #expect(zip(found, try weighted.expectedRewards(in: x)).allSatisfy { abs($0 - $1) < 0.02 })
        }
        let low = [0.1, 0.5, 0.5]
        let (found, without) = (try discounted.expectedRewards(in: low), try undiscounted.expectedRewards(in: low))
        #expect(found[0] > without[0] + 0.05, "\(found) \(without)")
    }

    /// After the first observations, each one is learned once. A discount moves the means towards the prior.
    @Test func discountsMoveMeansTowardsThePrior() throws {
        let before = try Self.played(PolicySettings(dimension: 3, arms: 4, seed: 1), label: Self.product).policy
        var (once, twice) = (before, before)
        try once.discount(by: 0.01)
        for _ in 0..<2 { try twice.discount(by: 0.1) }
        var (old, new) = (0.0, 0.0)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let x = (0..<3).map { _ in 2 * random.uniform() - 1 }
            let found = try once.expectedRewards(in: x)
            #expect(zip(found, try twice.expectedRewards(in: x)).allSatisfy { abs($0 - $1) < 1e-9 })
            for reward in found { new += abs(reward - 0.5) }
            for reward in try before.expectedRewards(in: x) { old += abs(reward - 0.5) }
        }
        #expect(new < 0.9 * old)
        #expect(try BanditPolicy(decoding: once.encoded()) == once)
    }

    /// The contributions of an explanation sum to the score.
    @Test func contributionsSumToTheScore() throws {
        let policy = try Self.played(PolicySettings(dimension: 3, arms: 4, seed: 1), label: Self.product).policy
        for arm in 0..<4 {
            let explanation = try policy.explain([0.4, -0.3, 0.2], arm: arm)
            let sum = explanation.terms.reduce(explanation.intercept) { $0 + $1.contribution }
            #expect(abs(sum - explanation.score) < 1e-9)
        }
        #expect(try policy.explain([0.9, -0.8, 0.1], arm: 2).terms[0].features == [0, 1])
    }

    /// The actions that could still be the best share all choices; the others get none.
    @Test func plausibleActionsShareAllChoices() {
        let kept = ActionProbabilities.plausible([0.5, 0.4, 0.1, 0.3], deviations: [0.1, 0, 0.35, 0.05])
        #expect(kept == [true, true, true, false])
        let third = 1.0 / 3
        #expect(ActionProbabilities(equalAmong: kept).values == [third, third, third, 0])
        #expect(ActionProbabilities.plausible([0.5, 0.4], deviations: [0, 0]) == [true, false])
    }
}

extension AdaptiveModelTests {
    /// A mean that is updated with each observation stays equal to the solved mean.
    @Test(arguments: [1, 0.9])
    func theUpdatedMeanEqualsTheSolvedMean(weight: Double) throws {
        var random = SeededGenerator(seed: 8)
        let width = 12
        let prior = DiagonalPrior(
            precision: [Double](repeating: 0.7, count: width), mean: [Double](repeating: 0, count: width))
        var (moved, solved) = (Posterior(prior: prior), Posterior(prior: prior))
        for _ in 0..<20_000 {
            let x = (0..<width).map { _ in 8 * random.uniform() - 4 }
            let reward = random.uniform() < 0.5 + x[0] / 10 ? 1.0 : 0
            let update = unsafe x.withUnsafeBufferPointer { x in
                unsafe PosteriorUpdate(
                    logistic: reward, weight: weight, score: solved.score(x.baseAddress!),
                    variance: solved.variance(x.baseAddress!))
            }
            unsafe x.withUnsafeBufferPointer { x in
                unsafe moved.learn(logistic: reward, weight: weight, x.baseAddress!)
                unsafe solved.add(x.baseAddress!, precision: update.precision, information: update.information)
            }
        }
        for (a, b) in zip(moved.mean, solved.mean) { #expect(abs(a - b) < 1e-10) }
    }
}
