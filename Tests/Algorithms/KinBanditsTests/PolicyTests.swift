import KinBandits
import KinTestSupport
import Testing

@Suite("Policies")
struct PolicyTests {
    static let algorithms: [PolicyAlgorithm] = [
        .epsilonGreedy(0.1), .linUCB(width: 0.5), .thompson(scale: 0.3), .logisticThompson(), .logisticUCB(),
        .squareCB(gain: 5), PolicyAlgorithm(.logistic, .inverseGap(gain: 10), epsilon: 0.05),
        PolicyAlgorithm(.linear, .upperBound(width: 1), epsilon: 0.2), .regCB(),
        PolicyAlgorithm(.linear, .upperBoundOrDraw(width: 0.5)),
    ]

    /// All of these tests run with every kind of policy, including new ones.
    @Test(arguments: PolicyKind.allCases)
    func everyKindOfPolicyIsTested(_ kind: PolicyKind) {
        let algorithm = kind.algorithm(dimension: 4, hasPairs: false, hasArms: false)
        let isTried = Self.algorithms.contains {
            var tried = $0
            tried.exploration.amount = algorithm.exploration.amount
            tried.epsilon = algorithm.epsilon
            return tried == algorithm
        }
        #expect(isTried, "add one with the model and the exploration of \(kind) to `algorithms`")
    }

    /// Six constant actions, each with its own feature. The last is twice as good as the others.
    @Test("no kind of policy stays with a worse action", arguments: PolicyKind.allCases)
    func findsTheBestAction(_ kind: PolicyKind) throws {
        let algorithm = kind.algorithm(dimension: 6, hasPairs: false, hasArms: false)
        let actions = try Matrix<Double>(rows: (0..<6).map { row in (0..<6).map { $0 == row ? 1 : 0 } })
        var random = TestSeed(test: "best action").generator
        let shares = try (0..<10).map { run in
            var policy = try BanditPolicy(algorithm, dimension: 6, seed: TestSeed.value + UInt64(run))
            var found = 0
            for round in 0..<1_500 {
                let choice = try policy.choose(from: actions)
                if round >= 1_000, choice.action == 5 { found += 1 }
                try policy.learn(reward: random.uniform() < (choice.action == 5 ? 0.6 : 0.3) ? 1 : 0, for: choice.event)
            }
            return Double(found) / 500
        }
        #expect(shares.filter { $0 < 0.3 }.count <= 1, "the shares of the best action in ten runs: \(shares)")
    }

    static func actions(_ count: Int, _ dimension: Int, _ random: inout SeededGenerator) throws -> Matrix<Double> {
        try Matrix(
            rows: count, columns: dimension, elements: (0..<count * dimension).map { _ in random.uniform() * 2 - 1 })
    }

    /// Rewards of a linear truth, as probabilities.
    static func reward(_ features: [Double], _ random: inout SeededGenerator) -> Double {
        let score = 0.5 + 0.45 * features.enumerated().reduce(0) { $0 + $1.1 * ($1.0 % 2 == 0 ? 1 : -1) / 2 }
        return random.uniform() < score ? 1 : 0
    }

    @Test(arguments: algorithms)
    func policiesLearnRewardingActions(_ algorithm: PolicyAlgorithm) throws {
        var random = TestSeed().generator
        var policy = try BanditPolicy(algorithm, dimension: 4, seed: TestSeed.value)
        var (early, late) = (0.0, 0.0)
        for round in 0..<1500 {
            let choice = try policy.choose(from: Self.actions(6, 4, &random))
            let reward = Self.reward(choice.event.features, &random)
            try policy.learn(reward: reward, for: choice.event)
            if round < 50 { early += reward / 50 }
            if round >= 1000 { late += reward / 500 }
        }
        // A uniform choice earns 0.5, the best action about 0.82.
        #expect(late > 0.68, "early \(early), late \(late)")
    }

    @Test(arguments: algorithms)
    func learnsAnArmForEachContext(_ algorithm: PolicyAlgorithm) throws {
        var random = TestSeed().generator
        var policy = try BanditPolicy(
            PolicySettings(algorithm, dimension: 2, arms: 3, hasPairs: true, seed: TestSeed.value))
        var late = 0.0
        for round in 0..<1500 {
            let context = [100 * random.uniform(), random.uniform() / 100]
            // The units differ from those of the prior: the policy has to observe the scales.
            let right = context[0] > 60 ? 0 : (context[1] > 0.005 ? 1 : 2)
            let choice = try policy.choose(in: context)
            try policy.learn(reward: choice.action == right ? 1 : 0, for: choice.event)
            if round >= 1000 { late += choice.action == right ? 1.0 / 500 : 0 }
        }
        #expect(late > 0.6, "\(late)")
    }

    /// The estimate 1[a] ∕ p of an action's mean count is unbiased. This property makes logged propensities valid.
    @Test func inversePropensitiesOfThompsonSamplingAreUnbiased() throws {
        var random = TestSeed().generator
        var policy = try BanditPolicy(
            PolicyAlgorithm(.linear, .thompson(scale: 1), epsilon: 0.2), dimension: 3, seed: TestSeed.value)
        let table = try Self.actions(4, 3, &random)
        var sums = [Double](repeating: 0, count: 4)
        let rounds = 20_000
        for _ in 0..<rounds {
            let choice = try policy.choose(from: table)
            sums[choice.action] += 1 / choice.propensity
        }
        // 1[a] ∕ p has mean 1; p ≥ 0.05 bounds its variance by 19.
        for sum in sums { #expect(abs(sum / Double(rounds) - 1) < 5 * (19 / Double(rounds)).squareRoot()) }
    }

    @Test func equalActionsAreEquallyLikely() throws {
        var policy = try BanditPolicy(.epsilonGreedy(0), dimension: 2, seed: 1)
        let same = try Matrix(rows: [[1.0, 2], [1, 2], [1, 2], [1, 2]])
        let choice = try policy.choose(from: same)
        #expect(choice.propensity == 0.25 && !choice.isExploring)
    }

    @Test func lateRewardsTeachTheSame() throws {
        var random = SeededGenerator(seed: 8)
        var policy = try BanditPolicy(.epsilonGreedy(0.2), dimension: 3, seed: 2)
        let events = try (0..<20).map { _ in try policy.choose(from: Self.actions(4, 3, &random)).event }
        var (now, later) = (policy, policy)
        for event in events { try now.learn(reward: event.features[0], for: event) }
        for event in events.reversed() { try later.learn(reward: event.features[0], for: event) }
        let table = try Self.actions(4, 3, &random)
        let pairs = zip(try now.expectedRewards(of: table), try later.expectedRewards(of: table))
        for (a, b) in pairs { #expect(abs(a - b) < 1e-12) }
    }

    @Test func priorWeightsDecideWithoutObservations() throws {
        var settings = PolicySettings(.epsilonGreedy(0), dimension: 2, priorPrecision: 4, seed: 1)
        settings.priorWeights = [0, 1]
        settings.priorIntercept = -0.5
        var policy = try BanditPolicy(settings)
        let table = try Matrix(rows: [[1.0, 0], [0, 1]])
        #expect(try policy.choose(from: table).action == 1)
        #expect(try policy.expectedRewards(of: table) == [-0.5, 0.5])
    }

    @Test func anEffectiveWindowForgetsAnOldPreference() throws {
        var results: [Double] = []
        for effectiveWindow in [Double.infinity, 100] {
            var policy = try BanditPolicy(
                PolicySettings(.epsilonGreedy(0.1), dimension: 2, effectiveWindow: effectiveWindow, seed: 4))
            let table = try Matrix(rows: [[1.0, 0], [0, 1]])
            var late = 0.0
            for round in 0..<1400 {
                let choice = try policy.choose(from: table)
                let right = round < 1000 ? 0 : 1
                try policy.learn(reward: choice.action == right ? 1 : 0, for: choice.event)
                if round >= 1200 { late += choice.action == right ? 1.0 / 200 : 0 }
            }
            results.append(late)
        }
        #expect(results[1] > 0.9 && results[1] > results[0] + 0.2, "\(results)")
    }

    @Test func aFullDiscountRestoresThePrior() throws {
        var random = SeededGenerator(seed: 8)
        var policy = try BanditPolicy(.standard, dimension: 3, seed: 2)
        let fresh = policy
        for _ in 0..<10 {
            let choice = try policy.choose(from: Self.actions(4, 3, &random))
            try policy.learn(reward: 1, for: choice.event)
        }
        try policy.discount(by: 0)
        let table = try Self.actions(4, 3, &random)
        #expect(try policy.expectedRewards(of: table) == fresh.expectedRewards(of: table))
        #expect(errorCode { try policy.discount(by: 1.5) } == .invalidArgument)
    }

    @Test func explanationsSumToTheScore() throws {
        var random = SeededGenerator(seed: 3)
        var policy = try BanditPolicy(PolicySettings(.logisticUCB(), dimension: 3, hasPairs: true, seed: 1))
        for _ in 0..<40 {
            let choice = try policy.choose(from: Self.actions(4, 3, &random))
            try policy.learn(reward: Self.reward(choice.event.features, &random), for: choice.event)
        }
        let told = try policy.explain([0.5, 0, -1])
        #expect(abs(told.terms.reduce(told.intercept) { $0 + $1.contribution } - told.score) < 1e-12)
        #expect(told.terms.allSatisfy { !$0.features.contains(1) } && told.terms.count == 5)
        #expect(zip(told.terms, told.terms.dropFirst()).allSatisfy { abs($0.contribution) >= abs($1.contribution) })
        #expect(told.deviation > 0 && (0...1).contains(told.expectedReward))
        let rewards = try policy.expectedRewards(of: Matrix(rows: [[0.5, 0, -1]]))
        #expect(abs(rewards[0] - told.expectedReward) < 1e-12)
    }
}
