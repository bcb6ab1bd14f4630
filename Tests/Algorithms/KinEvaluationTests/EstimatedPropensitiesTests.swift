import Foundation
import KinEvaluation
import KinTestSupport
import Testing

@Suite("Propensities estimated from a log")
struct EstimatedPropensitiesTests {
    /// A log whose actions and rewards both depend on two features of the context, so that shares of actions mislead.
    private struct World {
        var actions: [Int] = []
        var propensities: [Double] = []
        var rewards: [Double] = []
        var features: [Double] = []
        var people: [Int] = []
        /// The reward of always taking action 2.
        var truth = 0.0

        init(_ rounds: Int, perPerson: Int = 1, _ random: inout SeededGenerator) {
            for round in 0..<rounds {
                let (a, b) = (random.normalDeviate(), random.normalDeviate())
                let scores: [Double] = [exp(0.5), exp(0.8 * a), exp(0.8 * b - 0.3)]
                let total = scores.reduce(0, +)
                let p = scores.map { $0 / total }
                let u = random.uniform()
                let action = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2
                let pays = (0..<3).map { (action: Int) -> Double in 1 / (1 + exp(-(b + 0.5 * Double(action) - 1))) }
                truth += pays[2] / Double(rounds)
                actions.append(action)
                propensities.append(p[action])
                rewards.append(random.uniform() < pays[action] ? 1 : 0)
                // Units differ: no result may depend on them.
                features += [1000 * a + 5, b / 1000]
                people.append(round / perPerson)
            }
        }

        func estimated(
            _ change: (inout EstimatedPropensities.Settings) -> Void = { _ in }
        ) throws -> EstimatedPropensities {
            var settings = EstimatedPropensities.Settings(seed: 1)
            change(&settings)
            return try EstimatedPropensities(
                of: actions, in: Matrix(rows: actions.count, columns: 2, elements: features), groups: people,
                settings: settings)
        }

        func value(_ propensities: [Double]) throws -> Double {
            try OffPolicyEvaluation(
                zip(zip(actions, rewards), propensities).map {
                    LoggedRound(reward: $0.1, propensity: $1, probability: $0.0 == 2 ? 1 : 0)
                }
            ).value(.selfNormalized)
        }
    }

    @Test func estimatedPropensitiesRemoveConfounding() throws {
        var random = TestSeed().generator
        let world = World(4000, &random)
        let found = try world.estimated()
        let shares = (0..<3).map { action in Double(world.actions.count { $0 == action }) / 4000 }
        let naive = try world.value(world.actions.map { shares[$0] })
        #expect(abs(naive - world.truth) > 0.08, "shares \(naive), the truth \(world.truth)")
        #expect(abs(try world.value(found.values) - world.truth) < 0.05)
        let errors = zip(found.values, world.propensities).map { abs($0 - $1) }
        #expect(errors.reduce(0, +) / 4000 < 0.03, "mean error \(errors.reduce(0, +) / 4000)")
        #expect(found.calibration.error < 0.03)
        #expect(try world.estimated() == found)
    }

    /// A round's propensity depends neither on its own label nor on the other labels of the same person.
    @Test func aRoundDoesNotAffectItsOwnPropensity() throws {
        var random = SeededGenerator(seed: 4)
        let world = World(120, perPerson: 4, &random)
        let before = try world.estimated { $0.folds = 1000 }
        var changed = world
        for row in 40..<44 { changed.actions[row] = (changed.actions[row] + 1) % 3 }
        let after = try changed.estimated { $0.folds = 1000 }
        // A round with a different label reports a different class's probability. The model is the same if the three
        // classes' probabilities sum to 1.
        var twin = changed
        for row in 40..<44 { twin.actions[row] = (world.actions[row] + 2) % 3 }
        let third = try twin.estimated { $0.folds = 1000 }
        for row in 40..<44 {
            let sum = before.values[row] + after.values[row] + third.values[row]
            #expect(abs(sum - 1) < 1e-6, "row \(row): the three classes' probabilities are of one model")
        }
        #expect(before.values[0] != after.values[0])
    }

    /// The mean squared error of the logarithms is about P ∕ n for a model of P parameters that is fitted to n rounds. Four
    /// of five folds give 1.25 P ∕ rounds, three give 1.67.
    @Test func modelsUseAllOtherPeople() throws {
        var random = SeededGenerator(seed: 11)
        let (rounds, width, classes) = (4000, 20, 10)
        let weights = (0..<width * classes).map { _ in 0.25 * random.normalDeviate() }
        var (features, actions, logarithms) = ([Double](), [Int](), [Double]())
        for _ in 0..<rounds {
            let x = (0..<width).map { _ in random.normalDeviate() }
            let p = (0..<classes).map { c in exp((0..<width).reduce(0) { $0 + x[$1] * weights[$1 * classes + c] }) }
            let total = p.reduce(0, +)
            let (u, sums) = (random.uniform() * total, p.indices.map { p[...$0].reduce(0, +) })
            actions.append(sums.firstIndex { u < $0 } ?? classes - 1)
            logarithms.append(log(p[actions.last!] / total))
            features += x
        }
        let found = try EstimatedPropensities(
            of: actions, in: Matrix(rows: rounds, columns: width, elements: features),
            settings: .init(floor: 1e-6, seed: 2))
        let square = zip(found.values, logarithms).reduce(0) { $0 + (log($1.0) - $1.1) * (log($1.0) - $1.1) }
        let parameters = Double((width + 1) * (classes - 1))
        #expect(square < 1.45 * parameters, "\(square / parameters)")
    }

    /// Overconfident scores are scaled down if the log has nothing to learn.
    @Test func noiseIsCalibratedTowardsShares() throws {
        var random = TestSeed().generator
        let (rounds, width) = (200, 40)
        let features = (0..<rounds * width).map { _ in random.normalDeviate() }
        let actions = (0..<rounds).map { _ in random.below(2) }
        let found = try EstimatedPropensities(
            of: actions, in: Matrix(rows: rounds, columns: width, elements: features), settings: .init(seed: 2))
        let spread = found.values.reduce(0) { $0 + abs($1 - 0.5) } / Double(rounds)
        #expect(spread < 0.15, "\(spread)")
    }

    @Test func lowPropensitiesAreClippedAndCounted() throws {
        var random = SeededGenerator(seed: 9)
        let world = World(300, &random)
        let low = try world.estimated()
        #expect(low.floor == 0.01 && low.values.allSatisfy { $0 >= 0.01 && $0 <= 1 })
        let high = try world.estimated { $0.floor = 0.25 }
        #expect(high.clippedCount == low.values.count { $0 < 0.25 } && high.clippedCount > 0)
        #expect(high.values == low.values.map { max($0, 0.25) })
        // An action that only one person took is missing from the training data of that person's fold.
        var rare = world
        rare.actions[7] = .max
        let found = try rare.estimated()
        #expect(found.values[7] == found.floor && found.clippedCount == low.clippedCount + 1)
        let single = try EstimatedPropensities(
            of: [3, 3, 3], in: Matrix(rows: 3, columns: 1, repeating: 1), settings: .init(seed: 1))
        #expect(single.values == [1, 1, 1] && single.clippedCount == 0)
    }

    @Test func everyEstimateReportsEstimatedPropensities() throws {
        let rounds = (0..<8).map { LoggedRound(reward: Double($0 % 2), propensity: 0.5, probability: 0.5) }
        let (logged, estimated) = try (
            OffPolicyEvaluation(rounds), OffPolicyEvaluation(rounds, hasEstimatedPropensities: true)
        )
        #expect(try estimated.estimate(.selfNormalized, seed: 1).hasEstimatedPropensities)
        #expect(try !logged.estimate(.selfNormalized, seed: 1).hasEstimatedPropensities)
        #expect(try logged.gain(over: estimated, .selfNormalized, seed: 1).hasEstimatedPropensities)
    }

    @Test func invalidLogsAreRefused() throws {
        let table = Matrix<Double>(rows: 4, columns: 1, repeating: 1)
        func code(
            _ actions: [Int], _ features: Matrix<Double>, groups: [Int]? = nil, folds: Int = 5, floor: Double? = nil
        ) -> KinError.Code? {
            errorCode {
                try EstimatedPropensities(
                    of: actions, in: features, groups: groups, settings: .init(folds: folds, floor: floor, seed: 1))
            }
        }
        #expect(code([0, 1, 0, 1], table) == nil)
        #expect(code([0, 1, 0], table) == .dimensionMismatch)
        #expect(code([0, 1, 0, 1], table, groups: [1]) == .dimensionMismatch)
        #expect(code([0, 1, 0, 1], table, groups: [1, 2, 1, 2]) == .invalidArgument)
        #expect(code([0, 1, 0, 1], table, folds: 2) == .invalidArgument)
        #expect(code([0, 1, 0, 1], table, floor: 0) == .invalidArgument)
        #expect(code([0, 1, 0, 1], table, floor: .nan) == .invalidArgument)
        #expect(code([0, 1, 0, 1], table, floor: 0.51) == .invalidArgument)
        #expect(code([], Matrix(rows: 0, columns: 1)) == .invalidArgument)
        #expect(code([0, 1, 0, 1], Matrix(rows: 4, columns: 1, repeating: .infinity)) == .notFinite)
        #expect(code([0, 1, 0, 1], Matrix(rows: 4, columns: 0)) == nil)
        let huge = try Matrix(rows: 4, columns: 1, elements: [1e300, -1e300, 1e300, 0])
        #expect(code([0, 1, 0, 1], huge) == .numericalFailure)
        // A feature that varies in one round alone is far outside the range in the training data of the other folds.
        let far = try Matrix(rows: 6, columns: 1, elements: [1, 1 + 1e-9, 1 - 1e-9, 1, 1, 1e200])
        let found = try? EstimatedPropensities(of: [0, 1, 0, 1, 0, 1], in: far, settings: .init(seed: 1))
        #expect(found?.values.allSatisfy { $0 > 0 && $0 <= 1 } ?? true)
        let many = 12_000
        #expect(code(Array(0..<many), Matrix(rows: many, columns: 1, repeating: 1)) == .capacityExceeded)
    }
}
