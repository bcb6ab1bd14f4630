import KinBandits
import KinTestSupport
import Testing

/// Features times any factors give the same choices for every kind of policy, so units do not matter.
@Suite("Feature scales")
struct ScaleTests {
    private static let dimension = 4
    private static let factors = [1e-30, 1e-15, 1e-6, 1e6, 1e15, 1e30]
    /// The factors of the columns: the same for all, and a different one for each.
    private static let scales =
        factors.map { [Double](repeating: $0, count: dimension) }
        + [[1e-30, 1e30, 1, 1e-15], [1e15, 1e-6, 1e-30, 1e6]]

    /// The choices and numbers of a policy in a log of contexts or actions times factors.
    private struct Answers {
        var choices: [Int] = []
        var numbers: [Double] = []
    }

    /// Runs a policy that chooses, learns, discounts, is encoded and decoded, and explains its choices.
    private static func play(_ settings: PolicySettings, times scale: [Double]) throws -> Answers {
        var random = TestSeed().generator
        var policy = try BanditPolicy(settings)
        var answers = Answers()
        for round in 0..<60 {
            // Magnitudes grow in the log. One column starts with zeros and then has both signs; one has an offset.
            let rows = (0..<5).map { _ in
                [
                    random.uniform(), Double(round + 1) * random.normalDeviate(),
                    round < 8 ? 0 : random.uniform() - 0.2, 3 + 0.1 * random.normalDeviate(),
                ]
            }
            let actions = try Matrix(rows: rows.map { zip($0, scale).map(*) })
            let luck = random.uniform()
            let choice: BanditPolicy.Choice
            if settings.arms == nil {
                answers.numbers += try policy.probabilities(of: actions, draws: 16, seed: 3)
                answers.numbers += try policy.expectedRewards(of: actions)
                choice = try policy.choose(from: actions)
            } else {
                let context = Array(actions.row(0))
                answers.numbers += try policy.probabilities(in: context, among: [2, 0])
                answers.numbers += try policy.expectedRewards(in: context)
                choice = try policy.choose(in: context)
            }
            answers.choices.append(choice.action)
            answers.numbers += [choice.propensity, choice.expectedReward]
            let taste = rows[settings.arms == nil ? choice.action : 0]
            let chance = settings.arms == nil ? taste[0] : choice.action == (taste[1] > 0 ? 1 : 2) ? 0.8 : 0.2
            try policy.learn(reward: luck < chance ? 1 : 0, for: choice.event, weight: Double(1 + round % 2))
            if round == 40 { try policy.discount(by: 0.7) }
            if round % 20 == 19 { policy = try BanditPolicy(decoding: policy.encoded()) }
            let told = try policy.explain(choice.event.features, arm: choice.event.arm)
            answers.numbers += [told.score, told.deviation, told.intercept]
        }
        return answers
    }

    @Test(arguments: PolicyKind.allCases, [nil, 4])
    func unitsOfFeaturesDoNotMatter(_ kind: PolicyKind, arms: Int?) throws {
        for (hasPairs, window) in [(false, Double.infinity), (true, .infinity), (false, 30)] {
            let algorithm = kind.algorithm(dimension: Self.dimension, hasPairs: hasPairs, hasArms: arms != nil)
            let settings = PolicySettings(
                algorithm, dimension: Self.dimension, arms: arms, hasPairs: hasPairs, effectiveWindow: window,
                seed: TestSeed.value)
            let expected = try Self.play(settings, times: [1, 1, 1, 1])
            // The variants run with both end factors and both mixtures only.
            for scale in hasPairs || window.isFinite ? Self.scales.suffix(3) + Self.scales.prefix(1) : Self.scales {
                let answers = try Self.play(settings, times: scale)
                let place = "\(kind.rawValue), arms \(arms ?? 0), pairs \(hasPairs), \(scale)"
                #expect(answers.choices == expected.choices, "\(place)")
                #expect(answers.numbers.count == expected.numbers.count)
                let error = zip(answers.numbers, expected.numbers).map { abs($0 - $1) / (1e-3 + abs($1)) }.max() ?? 0
                #expect(error < 1e-6, "\(place): \(error)")
            }
        }
    }

    /// Prior weights are in the units of their features.
    @Test(arguments: PolicyKind.allCases)
    func priorWeightsHaveTheUnitsOfFeatures(_ kind: PolicyKind) throws {
        let algorithm = kind.algorithm(dimension: Self.dimension, hasPairs: false, hasArms: false)
        var settings = PolicySettings(algorithm, dimension: Self.dimension, seed: TestSeed.value)
        settings.priorIntercept = 0.2
        let weights = [0.5, -0.1, 0, 0.3]
        settings.priorWeights = weights
        let expected = try Self.play(settings, times: [1, 1, 1, 1])
        for scale in Self.scales {
            settings.priorWeights = zip(weights, scale).map(/)
            let answers = try Self.play(settings, times: scale)
            #expect(answers.choices == expected.choices, "\(kind.rawValue), \(scale)")
        }
    }

    @Test(arguments: PolicyKind.allCases)
    func labelsPlayedInOtherUnitsChooseTheSameArms(_ kind: PolicyKind) throws {
        var random = TestSeed().generator
        let rows = (0..<80).map { _ in (0..<Self.dimension).map { _ in random.normalDeviate() } }
        let labels = rows.map { $0[0] > 0 ? 0 : $0[1] > 0 ? 1 : 2 }
        let algorithm = kind.algorithm(dimension: Self.dimension, hasPairs: false, hasArms: true)
        let runs = try ([[1, 1, 1, 1]] + Self.scales).map { scale in
            var policy = try BanditPolicy(algorithm, dimension: Self.dimension, arms: 3, seed: TestSeed.value)
            return try policy.play(Matrix(rows: rows.map { zip($0, scale).map(*) }), labels: labels).arms
        }
        for run in runs { #expect(run == runs[0], "\(kind.rawValue)") }
    }

    /// A choice whose reward is never learned changes no later answer, however large its features are.
    @Test(arguments: PolicyKind.allCases, [nil, 4])
    func choicesWithoutRewardsChangeNothing(_ kind: PolicyKind, arms: Int?) throws {
        for hasPairs in [false, true] {
            var random = TestSeed().generator
            let algorithm = kind.algorithm(dimension: 3, hasPairs: hasPairs, hasArms: arms != nil)
            var policy = try BanditPolicy(
                PolicySettings(
                    algorithm, dimension: 3, arms: arms, hasPairs: hasPairs, effectiveWindow: 200, seed: TestSeed.value)
            )
            func chosen(_ rows: [[Double]]) throws -> BanditPolicy.Choice {
                try arms == nil ? policy.choose(from: Matrix(rows: rows)) : policy.choose(in: rows[0])
            }
            for round in 0..<60 {
                let choice = try chosen((0..<4).map { _ in (0..<3).map { _ in random.normalDeviate() } })
                try policy.learn(reward: Double(round % 2), for: choice.event)
            }
            let actions = try Matrix(rows: (0..<4).map { _ in (0..<3).map { _ in random.normalDeviate() } })
            func rewards() throws -> [Double] {
                try arms == nil
                    ? policy.expectedRewards(of: actions) : policy.expectedRewards(in: Array(actions.row(0)))
            }
            let before = try rewards()
            for size in [1e-30, 30, 1e6, 1e30] { _ = try chosen([[size, 0, -size], [0, 0, 0], [0, size, 0]]) }
            #expect(try rewards() == before, "\(kind.rawValue), arms \(arms ?? 0), pairs \(hasPairs)")
        }
    }

    /// At the ends of the range, answers are finite. Beyond it, calls throw an error and leave the policy unchanged.
    @Test(arguments: PolicyKind.allCases, [nil, 2])
    func extremesGiveFiniteAnswersOrAnError(_ kind: PolicyKind, arms: Int?) throws {
        var random = TestSeed().generator
        let ends = [0, 1e-300, .leastNonzeroMagnitude, 1e-40, 1, -1e40, 1e40, 1e-160]
        for hasPairs in [false, true] {
            let algorithm = kind.algorithm(dimension: 3, hasPairs: hasPairs, hasArms: arms != nil)
            for weight in [1, 1e9] {
                var policy = try BanditPolicy(
                    PolicySettings(algorithm, dimension: 3, arms: arms, hasPairs: hasPairs, seed: TestSeed.value))
                for round in 0..<40 {
                    let row = { (0..<3).map { _ in ends[random.below(ends.count)] } }
                    let choice =
                        try arms == nil
                        ? policy.choose(from: Matrix(rows: [row(), row(), row()])) : policy.choose(in: row())
                    #expect(choice.propensity > 0 && choice.propensity <= 1 && choice.expectedReward.isFinite)
                    let reward = algorithm.model == .linear ? [1e9, 0, -1e9][round % 3] : Double(round % 2)
                    try policy.learn(reward: reward, for: choice.event, weight: weight)
                    policy = try BanditPolicy(decoding: policy.encoded())
                }
                for wrong in [Double.nan, .infinity, 1.1e40] {
                    let before = policy
                    let context = [0, wrong, 1]
                    let event = BanditPolicy.Event(features: context, arm: arms.map { _ in 0 }, propensity: 1)
                    #expect(
                        errorCode {
                            _ =
                                try arms == nil
                                ? policy.choose(from: Matrix(rows: [[1, 2, 3], context])) : policy.choose(in: context)
                        } == .notFinite)
                    #expect(errorCode { try policy.learn(reward: 1, for: event) } == .notFinite)
                    #expect(policy == before)
                }
            }
        }
    }
}
