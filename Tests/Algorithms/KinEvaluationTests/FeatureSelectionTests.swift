import KinTestSupport
import Testing

@testable import KinEvaluation

@Suite("Selection of features that represent actions")
struct FeatureSelectionTests {
    /// Actions with three features: the first decides the reward, the second identifies the action, the third is
    /// irrelevant.
    private struct World {
        static let actions = 24
        let features = (0..<actions).map { [$0 % 3, $0, $0 / 2 % 2] }
        var rewards: [Double] = []
        var chosen: [Int] = []
        var truth = 0.0
        var propensities = Matrix<Double>(rows: 0, columns: 0)
        var probabilities = Matrix<Double>(rows: 0, columns: 0)

        init(_ rounds: Int, gap: Double, _ random: inout SeededGenerator) throws {
            var (logged, judged) = ([Double](), [Double]())
            for _ in 0..<rounds {
                let weights = (0..<Self.actions).map { _ in 0.05 + random.uniform() }
                let p = weights.map { $0 / weights.reduce(0, +) }
                let wanted = (0..<Self.actions).map { _ in random.uniform() * random.uniform() }
                let q = wanted.map { $0 / wanted.reduce(0, +) }
                let pays = features.map { 0.2 + gap * Double($0[0]) }
                var (u, action) = (random.uniform(), 0)
                while action < Self.actions - 1, u >= p[action] {
                    u -= p[action]
                    action += 1
                }
                chosen.append(action)
                rewards.append(random.uniform() < pays[action] ? 1 : 0)
                truth += zip(q, pays).reduce(0) { $0 + $1.0 * $1.1 } / Double(rounds)
                logged += p
                judged += q
            }
            propensities = try Matrix(rows: rounds, columns: Self.actions, elements: logged)
            probabilities = try Matrix(rows: rounds, columns: Self.actions, elements: judged)
        }

        func selection() throws -> FeatureSelection {
            try FeatureSelection(
                rewards: rewards, actions: chosen, features: features, propensities: propensities,
                probabilities: probabilities)
        }
    }

    /// The rounds equal those with likelihoods 0 and 1.
    @Test func selectedRoundsAreMarginal() throws {
        var random = SeededGenerator(seed: 5)
        let world = try World(50, gap: 0.2, &random)
        for (row, round) in try world.selection().rounds(keeping: [0, 2]).enumerated() {
            let own = world.features[world.chosen[row]]
            let expected = LoggedRound(
                reward: world.rewards[row],
                likelihoods: world.features.map { $0[0] == own[0] && $0[2] == own[2] ? 1 : 0 },
                propensities: Array(world.propensities.row(row)), probabilities: Array(world.probabilities.row(row)))
            #expect(abs(round.importance - expected.importance) < 1e-12 && round.reward == expected.reward)
        }
        let none = try world.selection().rounds(keeping: [])
        #expect(none.allSatisfy { abs($0.importance - 1) < 1e-12 })
    }

    /// The error is below that of all features. Features that decide the reward stay if dropping them would show.
    @Test func uninformativeFeaturesAreDropped() throws {
        var random = TestSeed().generator
        var (all, chosen, dropped) = (0.0, 0.0, 0)
        for _ in 0..<20 {
            let world = try World(200, gap: 0.3, &random)
            let selection = try world.selection()
            let kept = try selection.dimensions()
            if !kept.contains(1) { dropped += 1 }
            func error(_ kept: [Int]) throws -> Double {
                let found = try OffPolicyEvaluation(selection.rounds(keeping: kept)).value(.inversePropensity)
                return (found - world.truth) * (found - world.truth)
            }
            all += try error([0, 1, 2])
            chosen += try error(kept)
        }
        #expect(dropped >= 15, "\(dropped) of 20")
        #expect(chosen < 0.8 * all, "\(chosen) against \(all)")
    }

    @Test func invalidLogsAreRefused() throws {
        let one = try Matrix<Double>(rows: 1, columns: 2, elements: [0.5, 0.5])
        func code(
            _ rewards: [Double], _ actions: [Int], _ features: [[Int]], _ p: Matrix<Double>, _ q: Matrix<Double>
        ) -> KinError.Code? {
            errorCode {
                try FeatureSelection(
                    rewards: rewards, actions: actions, features: features, propensities: p, probabilities: q)
            }
        }
        let names = [[0], [1]]
        #expect(code([1], [0], names, one, one) == nil)
        #expect(code([1], [0, 1], names, one, one) == .dimensionMismatch)
        #expect(code([1], [0], [[0], [1, 2]], one, one) == .dimensionMismatch)
        #expect(code([1], [0], [[], []], one, one) == .dimensionMismatch)
        #expect(code([1], [0], [[0], [1], [2]], one, one) == .dimensionMismatch)
        #expect(code([1], [2], names, one, one) == .invalidArgument)
        #expect(code([1], [-1], names, one, one) == .invalidArgument)
        #expect(code([.nan], [0], names, one, one) == .notFinite)
        let none = try Matrix<Double>(rows: 1, columns: 2, elements: [0, 1])
        #expect(code([1], [0], names, none, one) == .invalidArgument)
        let wrong = try Matrix<Double>(rows: 1, columns: 2, elements: [.nan, 1])
        #expect(code([1], [0], names, one, wrong) == .invalidArgument)
        for cells in [[0.5, 0.6], [0.5, 0], [1, 0.002]] {
            let table = try Matrix<Double>(rows: 1, columns: 2, elements: cells)
            #expect(code([1], [0], names, table, one) == .invalidArgument, "\(cells)")
            #expect(code([1], [0], names, one, table) == .invalidArgument, "\(cells)")
        }
        #expect(code([], [], names, Matrix(rows: 0, columns: 2), Matrix(rows: 0, columns: 2)) == .invalidArgument)
        let single = try FeatureSelection(
            rewards: [1], actions: [0], features: names, propensities: one, probabilities: one)
        #expect(try single.dimensions() == [0])
    }

    /// Bias shows if |θⱼ − θᵢ| > cᵢ + (√6 − 1) cⱼ for a j before i; √6 − 1 is 1.449….
    @Test(
        arguments: [
            ([(0, 1)], 0), ([(0, 1), (1.94, 0.5)], 1), ([(0, 1), (1.96, 0.5)], 0), ([(0, 1), (-1.94, 0.5)], 1),
            // The bias of the third estimate shows against the first, then only against the second.
            ([(0, 1), (1.9, 0.5), (2.5, 0.1)], 1), ([(0, 1), (1, 0.1), (1.3, 0.05)], 1),
            ([(0, 1), (1, 0.1), (1.1, 0.05)], 2),
            // Estimates after the first one whose bias shows are ignored.
            ([(0, 1), (2, 0.5), (0, 0.1)], 0),
        ] as [([(value: Double, width: Double)], Int)])
    func dimensionsAreDroppedUntilBiasAppears(_ estimates: [(value: Double, width: Double)], taken: Int) {
        #expect(FeatureSelection.lastWithoutBias(estimates) == taken)
    }
}
