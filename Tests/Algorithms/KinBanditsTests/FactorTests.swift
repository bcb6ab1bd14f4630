import KinTestSupport
import Testing

@testable import KinBandits

/// The packed factor and the posterior on it, checked against plain algebra in the widest numbers.
@Suite("Packed factors")
struct FactorTests {
    /// x with A x = b by elimination without pivoting, which a positive definite A does not need.
    static func solve(_ a: WideMatrix, _ b: [Wide]) -> [Wide] {
        var (a, b) = (a, b)
        let n = b.count
        for k in 0..<n {
            for i in (k + 1)..<max(k + 1, n) {
                let factor = a[i, k] / a[k, k]
                for j in k..<n { a[i, j] -= factor * a[k, j] }
                b[i] -= factor * b[k]
            }
        }
        for k in stride(from: n - 1, through: 0, by: -1) {
            for j in (k + 1)..<max(k + 1, n) { b[k] -= a[k, j] * b[j] }
            b[k] /= a[k, k]
        }
        return b
    }

    /// A posterior after random observations, and the precision and information that it should have.
    static func trained(
        _ count: Int, order n: Int, precision: Double = 0.5, using random: inout SeededGenerator
    ) -> (posterior: Posterior, precision: WideMatrix, information: [Wide]) {
        let prior = DiagonalPrior(
            precision: [Double](repeating: precision, count: n), mean: (0..<n).map { Double($0) / 10 })
        var posterior = Posterior(prior: prior)
        var a = WideMatrix(rows: n, columns: n)
        for k in 0..<n { a[k, k] = Wide(precision) }
        var b = prior.informationVector.map { Wide($0) }
        for _ in 0..<count {
            let x = (0..<n).map { _ in random.normalDeviate() }
            let (weight, information) = (random.uniform() + 0.01, random.normalDeviate())
            unsafe x.withUnsafeBufferPointer {
                unsafe posterior.add($0.baseAddress!, precision: weight, information: information)
            }
            for i in 0..<n {
                for j in 0..<n { a[i, j] += Wide(weight) * Wide(x[i]) * Wide(x[j]) }
                b[i] += Wide(information) * Wide(x[i])
            }
        }
        return (posterior, a, b)
    }

    static func variance(_ posterior: Posterior, _ x: [Double]) -> Double {
        unsafe x.withUnsafeBufferPointer { unsafe posterior.variance($0.baseAddress!) }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 17, 33])
    func weightsAndVariancesEqualAFreshSolve(order n: Int) {
        var random = TestSeed().generator
        let (posterior, a, b) = Self.trained(300, order: n, using: &random)
        let weights = Self.solve(a, b)
        for k in 0..<n { #expect(abs(posterior.mean[k] - Double(weights[k])) < 1e-12) }
        let x = (0..<n).map { _ in random.normalDeviate() }
        let y = Self.solve(a, x.map { Wide($0) })
        let expected = zip(x, y).reduce(Wide(0)) { $0 + Wide($1.0) * $1.1 }
        #expect(abs(Self.variance(posterior, x) / Double(expected) - 1) < 1e-12)
    }

    /// Many actions take one product, and a few are solved one by one: the deviations are equal, also when observations
    /// fade.
    @Test(arguments: [1, 6, 33], [Double.infinity, 12])
    func deviationsOfManyActionsEqualSingleOnes(dimension: Int, effectiveWindow: Double) throws {
        var random = TestSeed().generator
        let ucb = PolicyAlgorithm(.linear, .upperBound(width: 1))
        var policy = try BanditPolicy(
            PolicySettings(ucb, dimension: dimension, effectiveWindow: effectiveWindow, seed: 1))
        for round in 0..<60 {
            let choice = try policy.choose(from: random.gaussianMatrix(rows: 3, columns: dimension))
            try policy.learn(reward: Double(round % 2), for: choice.event)
        }
        for count in [1, 2, 23, 24, 25, 239, 241, 600] {
            let actions: Matrix<Double> = random.gaussianMatrix(rows: count, columns: dimension)
            let deviations = try policy.deviations(of: actions)
            #expect(deviations.count == count)
            for i in 0..<count {
                let variance = policy.variance(Array(actions.row(i)) + [1], model: 0)
                #expect(abs(deviations[i] / variance.squareRoot() - 1) < 1e-12, "action \(i) of \(count)")
            }
        }
    }

    /// Rounding must not decide between equal actions.
    @Test func equalActionsShareTheChoiceInAnyPosition() throws {
        var random = TestSeed().generator
        let ucb = PolicyAlgorithm(.linear, .upperBound(width: 1))
        var policy = try BanditPolicy(PolicySettings(ucb, dimension: 17, seed: 1))
        for _ in 0..<40 {
            let choice = try policy.choose(from: random.gaussianMatrix(rows: 3, columns: 17))
            try policy.learn(reward: 0, for: choice.event)
        }
        for count in [5, 100, 499] {
            let one: Matrix<Double> = random.gaussianMatrix(rows: 1, columns: 17)
            let same = try Matrix(rows: Array(repeating: Array(one.row(0)), count: count))
            let probabilities = try policy.probabilities(of: same, seed: 1)
            #expect(probabilities.allSatisfy { abs($0 * Double(count) - 1) < 1e-12 }, "\(count) actions")
        }
    }

    /// An observation costs O(D²): the chosen arm's factor gains one rank-one term, bit for bit, and the others are
    /// unchanged.
    @Test(arguments: [PolicyAlgorithm.epsilonGreedy(), .linUCB(), .thompson()])
    func anObservationAddsOneRankOneTerm(algorithm: PolicyAlgorithm) throws {
        var random = TestSeed().generator
        var policy = try BanditPolicy(algorithm, dimension: 9, arms: 5, seed: 1)
        for round in 0..<100 {
            let context = (0..<9).map { _ in random.normalDeviate() }
            let event = try policy.choose(in: context).event
            var x = policy.map.expanding(context)
            var expected = policy.observing(x).posteriors.map(\.factor)
            try policy.learn(reward: Double(round % 2), for: event)
            unsafe x.withUnsafeMutableBufferPointer { unsafe expected[event.arm!].add($0.baseAddress!) }
            #expect(policy.posteriors.map(\.factor) == expected, "round \(round)")
        }
    }

    /// Discounts are factored in once per twentieth of the window, in O(D³). Each observation in between is one
    /// rank-one term.
    @Test func discountsAreFactoredInRarely() throws {
        var random = TestSeed().generator
        let window = 400.0
        var policy = try BanditPolicy(PolicySettings(.linUCB(), dimension: 6, effectiveWindow: window, seed: 1))
        var factored = 0
        for round in 0..<1000 {
            let choice = try policy.choose(from: random.gaussianMatrix(rows: 3, columns: 6))
            try policy.learn(reward: Double(round % 2), for: choice.event)
            if policy.posteriors[0].pendingDiscount == 1 { factored += 1 }
        }
        #expect(factored > 40 && factored <= 50, "\(factored) of 1000 observations")
    }

    /// A benchmark does the same for 10⁶ observations; the error grows with the square root of their number.
    @Test func aLongRunStaysAccurate() {
        var random = TestSeed().generator
        let (posterior, a, b) = Self.trained(20_000, order: 12, using: &random)
        let weights = Self.solve(a, b)
        for k in 0..<12 { #expect(abs(posterior.mean[k] - Double(weights[k])) < 1e-11) }
    }

    @Test func drawsHaveThePosteriorsMoments() {
        var random = TestSeed().generator
        let n = 3
        let (posterior, a, _) = Self.trained(5, order: n, using: &random)
        var (sums, squares) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        let draws = 40_000
        for _ in 0..<draws {
            var w = (0..<n).map { _ in random.normalDeviate() }
            unsafe w.withUnsafeMutableBufferPointer { unsafe posterior.draw($0.baseAddress!, scale: 0.5) }
            for k in 0..<n {
                sums[k] += w[k]
                squares[k] += (w[k] - posterior.mean[k]) * (w[k] - posterior.mean[k])
            }
        }
        for k in 0..<n {
            var unit = [Wide](repeating: 0, count: n)
            unit[k] = 1
            let variance = 0.25 * Double(Self.solve(a, unit)[k])
            // Five standard errors.
            #expect(abs(sums[k] / Double(draws) - posterior.mean[k]) < 5 * (variance / Double(draws)).squareRoot())
            #expect(abs(squares[k] / Double(draws) / variance - 1) < 5 * (2 / Double(draws)).squareRoot())
        }
    }

    @Test func discountingPreservesThePrior() throws {
        var random = TestSeed().generator
        let n = 6
        var (posterior, a, b) = Self.trained(40, order: n, using: &random)
        let prior = DiagonalPrior(precision: [Double](repeating: 0.5, count: n), mean: (0..<n).map { Double($0) / 10 })
        try posterior.discount(by: 0.3, prior: prior)
        for i in 0..<n {
            for j in 0..<n { a[i, j] = a[i, j] * 0.3 + (i == j ? 0.7 * 0.5 : 0) }
            b[i] = 0.3 * b[i] + 0.7 * Wide(prior.informationVector[i])
        }
        let weights = Self.solve(a, b)
        for k in 0..<n { #expect(abs(posterior.mean[k] - Double(weights[k])) < 1e-12) }
    }

    @Test func smallDiscountsAreCombined() throws {
        var random = TestSeed().generator
        let (start, _, _) = Self.trained(40, order: 4, using: &random)
        let prior = DiagonalPrior(precision: [0.5, 0.5, 0.5, 0.5], mean: [0, 0.1, 0.2, 0.3])
        var (many, once) = (start, start)
        for _ in 0..<60 { try many.discount(by: 0.999, prior: prior) }
        var product = 1.0
        for _ in 0..<52 { product *= 0.999 }
        try once.discount(by: product, prior: prior)
        // The first 52 steps reach a twentieth and were applied together; the other eight are pending.
        #expect(many.pendingDiscount < 1 && many.pendingDiscount > 0.99)
        for k in 0..<4 { #expect(abs(many.mean[k] - once.mean[k]) < 1e-9) }
    }

    @Test func addedPriorPrecisionLowersTheVariance() {
        let prior = DiagonalPrior(precision: [1, 2, 3], mean: [1, -1, 2])
        var posterior = Posterior(prior: prior)
        posterior.addPriorPrecision([0, 4, 0], mean: [1, -1, 2])
        #expect(zip(posterior.mean, [1, -1, 2]).allSatisfy { abs($0 - $1) < 1e-15 })
        #expect(abs(Self.variance(posterior, [0, 1, 0]) - 1 / 6) < 1e-15)
        #expect(abs(Self.variance(posterior, [0, 0, 1]) - 1 / 3) < 1e-15)
    }
}
