import KinTestSupport
import Testing

@testable import KinBandits

/// Choices that compare deviations, checked against the deviations of all actions: every bit must be equal.
@Suite("Confidence bounds and plausible actions")
struct DeviationTests {
    /// A distribution of the actions' features.
    enum Actions: CaseIterable { case spread, equal, nearlyEqual, pairsOfTies, unbalanced, cancelling, fewBits }

    private func actions(
        _ kind: Actions, _ count: Int, _ dimension: Int, _ random: inout SeededGenerator
    ) throws -> Matrix<Double> {
        let base: Matrix<Double> = random.gaussianMatrix(rows: count, columns: dimension)
        var rows = base
        for i in 0..<count {
            for j in 0..<dimension {
                switch kind {
                case .spread: break
                case .equal: rows[i, j] = base[0, j]
                case .nearlyEqual: rows[i, j] = base[0, j] * (1 + 1e-15 * Double(random.below(4)))
                case .pairsOfTies: rows[i, j] = base[i / 2, j]
                case .unbalanced: rows[i, j] *= [1e-8, 1, 1e8][j % 3] * (i % 7 == 0 ? 1e-3 : 1)
                case .cancelling: rows[i, j] = 1000 + 1e-3 * base[i, j]
                case .fewBits: rows[i, j] = Double(random.below(3))
                }
            }
        }
        return rows
    }

    private func policy(
        _ algorithm: PolicyAlgorithm, _ dimension: Int, window: Double, observations: Int,
        _ random: inout SeededGenerator
    ) throws -> BanditPolicy {
        var policy = try BanditPolicy(
            PolicySettings(
                algorithm, dimension: dimension, scaling: .fixed, effectiveWindow: window, seed: 3))
        for round in 0..<observations {
            let x = (0..<dimension).map { _ in random.gaussian() }
            try policy.learn(
                reward: Double(round % 2), for: BanditPolicy.Event(features: x, propensity: 1))
        }
        return policy
    }

    @Test(arguments: Actions.allCases, [Double.infinity, 30])
    func upperBoundsAndPlausibleActions(kind: Actions, window: Double) throws {
        var random = TestSeed().generator
        for (count, dimension) in [(1, 1), (96, 1), (97, 5), (130, 17), (200, 64), (1000, 64), (300, 16)] {
            let actions = try actions(kind, count, dimension, &random)
            for width in [0, 1e-3, 0.5, 20] {
                let note = "\(count) × \(dimension), width \(width)"
                let observations = [0, 3, 300][random.below(3)]
                for exploration in [PolicyAlgorithm.Exploration.upperBound(width: width), .elimination(width: width)] {
                    var policy = try policy(
                        PolicyAlgorithm(.linear, exploration), dimension, window: window, observations: observations,
                        &random)
                    let means = try policy.meanScores(of: actions)
                    let deviations = try policy.deviations(of: actions)
                    var expected: ActionProbabilities
                    if case .upperBound = exploration {
                        expected = ActionProbabilities(best: zip(means, deviations).map { $0 + width * $1 })
                    } else {
                        let plausible = ActionProbabilities.plausible(means, deviations: deviations.map { width * $0 })
                        expected = ActionProbabilities(equalAmong: plausible)
                    }
                    let found = try policy.probabilities(of: actions, seed: 1)
                    #expect(found == expected.values, "\(exploration), \(note)")
                    var generator = policy.generator
                    let choice = try policy.choose(from: actions)
                    #expect(choice.action == expected.draw(using: &generator), "\(note)")
                    #expect(choice.expectedReward == means[choice.action], "\(note)")
                    #expect(choice.propensity == expected.values[choice.action], "\(note)")
                }
            }
        }
    }

    /// Forgetting widens only observed directions: actions in observed directions overtake actions in directions never
    /// observed.
    @Test(arguments: [25.0, 40, 60])
    func forgettingWidensObservedDirections(window: Double) throws {
        var random = TestSeed().generator
        for trial in 0..<60 {
            var policy = try BanditPolicy(
                PolicySettings(
                    PolicyAlgorithm(.linear, .upperBound(width: 20)), dimension: 8, scaling: .fixed,
                    effectiveWindow: window, seed: 3))
            for round in 0...trial % 5 {
                let x = (0..<8).map { $0 < 4 ? random.gaussian() : 0 }
                try policy.learn(reward: Double(round % 2), for: BanditPolicy.Event(features: x, propensity: 1))
            }
            var actions: Matrix<Double> = random.gaussianMatrix(rows: 200, columns: 8)
            for i in 0..<200 {
                for j in 0..<8 { actions[i, j] *= (j < 4) == (i % 2 == 0) ? 1.0 : 0 }
            }
            let sums = zip(try policy.meanScores(of: actions), try policy.deviations(of: actions)).map { $0 + 20 * $1 }
            let found = try policy.probabilities(of: actions, seed: 1)
            #expect(found == ActionProbabilities(best: sums).values, "trial \(trial)")
        }
    }

    @Test func nonFiniteActionsAreRefusedByRow() throws {
        var random = TestSeed().generator
        for exploration in [PolicyAlgorithm.Exploration.upperBound(width: 1), .elimination(width: 1)] {
            var policy = try policy(
                PolicyAlgorithm(.linear, exploration), 8, window: .infinity, observations: 0, &random)
            for (value, row) in [(Double.nan, 3), (.infinity, 120), (1e200, 77)] {
                var actions: Matrix<Double> = random.gaussianMatrix(rows: 200, columns: 8)
                actions[row, 5] = value
                let error = #expect(throws: KinError.self) { try policy.choose(from: actions) }
                #expect(error?.code == .notFinite && error?.context.map(\.value) == ["\(row)"])
            }
        }
    }

    /// The inverse is cached from one choice to the next, until an observation or a discount.
    @Test(arguments: [Double.infinity, 40])
    func theCachedInverseIsDroppedAfterAnUpdate(window: Double) throws {
        var random = TestSeed().generator
        var policy = try policy(.linUCB(), 9, window: window, observations: 20, &random)
        for round in 0..<60 {
            let actions: Matrix<Double> = random.gaussianMatrix(rows: 150, columns: 9)
            let fresh = try BanditPolicy(decoding: policy.encoded())
            let choice = try policy.choose(from: actions)
            #expect(policy.posteriors[0].inverse.value != nil)
            #expect(policy.posteriors == fresh.posteriors, "what is kept counts for nothing")
            let known = policy
            #expect(try known.probabilities(of: actions, seed: 1) == fresh.probabilities(of: actions, seed: 1))
            #expect(try known.deviations(of: actions) == fresh.deviations(of: actions), "round \(round)")
            try policy.learn(reward: Double(round % 2), for: choice.event)
            #expect(policy.posteriors[0].inverse.value == nil)
        }
    }

    /// Eight unit vectors solved together give the same result as each one alone.
    @Test(arguments: [1, 2, 7, 8, 9, 16, 33, 65])
    func theInverseEqualsSingleSolutions(order n: Int) {
        var random = TestSeed().generator
        let factor = FactorTests.trained(2 * n, order: n, using: &random).posterior.factor
        let inverse = factor.inverseTransposed()
        for k in 0..<n {
            var unit = [Double](repeating: 0, count: n)
            unit[k] = 1
            unsafe unit.withUnsafeMutableBufferPointer { unsafe factor.solve($0.baseAddress!) }
            #expect(Array(inverse.row(k)) == unit, "row \(k)")
        }
    }
}
