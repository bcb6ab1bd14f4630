import KinCore
import KinLinearAlgebra

/// The standard deviations of the scores of actions under one posterior, √(xᵀ A⁻¹ x) = ‖L⁻¹ x‖, of all of them or of some.
///
/// Many actions meet the inverse of the factor in one product, which costs a fifth of a solution for each; for fewer than half the features
/// the inverse itself costs more.
struct ActionDeviations {
    private let posterior: Posterior
    private let prior: DiagonalPrior
    /// The weight that is left of what was observed.
    private let kept: Double
    /// The features of the actions without the constant, and what stands in its place.
    private let view: Matrix<Double>
    private let constant: Double
    /// The inverse of the factor, for many actions.
    private let inverse: FactorInverse?

    /// Prepares the deviations of actions.
    ///
    /// - Parameters:
    ///   - view: The features of the model, without the constant.
    ///   - constant: The last coordinate of each.
    ///   - policy: A policy with one model for all actions.
    init(of view: Matrix<Double>, constant: Double, under policy: BanditPolicy) {
        posterior = policy.posteriors[0]
        prior = policy.prior
        kept = posterior.pendingDiscount * policy.discount(since: policy.lastObservation[0])
        (self.view, self.constant) = (view, constant)
        inverse = Self.needInverse(view) ? posterior.inverse.value ?? FactorInverse(posterior.factor) : nil
    }

    /// Whether there are enough actions for the inverse of the factor.
    static func needInverse(_ view: Matrix<Double>) -> Bool { view.rows > (view.columns + 1) / 2 }

    /// The deviations of all actions.
    ///
    /// - Complexity: O(n D² + D³), without D³ for few actions.
    func all() throws(KinError) -> [Double] { try of(0..<view.rows) }

    /// The deviations of some actions, the same bits as among all.
    ///
    /// - Throws: `.notFinite` for one that is not finite.
    func of(_ actions: some RandomAccessCollection<Int>) throws(KinError) -> [Double] {
        let order = view.columns + 1
        var result: [Double] = []
        result.reserveCapacity(actions.count)
        var rest = actions[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.rowsAtOnce)
            rest = rest.dropFirst(Self.rowsAtOnce)
            var solved = features(some)
            let features = kept < 1 ? solved : nil
            if let inverse {
                try BLAS.withOneThread { () throws(KinError) in try BLAS.trmm(upper: inverse.matrix, into: &solved) }
            }
            unsafe solved.withUnsafeMutableBufferPointer { solved in
                for i in 0..<some.count {
                    let y = unsafe solved.baseAddress! + i * order
                    if inverse == nil { unsafe posterior.factor.solve(y) }
                    let known = unsafe dot(y, y, count: order)
                    let variance = unsafe features?.withUnsafeBufferPointer {
                        unsafe prior.variance(discounting: known, kept: kept, $0.baseAddress! + i * order)
                    }
                    result.append((variance ?? known).squareRoot())
                }
            }
        }
        if let i = result.firstIndex(where: { !$0.isFinite }) {
            let action = actions[actions.index(actions.startIndex, offsetBy: i)]
            throw KinError(.notFinite, "the features of action \(action) do not give a finite score")
        }
        return result
    }

    /// The features of some actions with the constant, and rows of zeros up to a multiple of 24.
    ///
    /// A BLAS multiplies tiles of 2 to 24 rows and takes the rest in another order: with whole tiles only, equal rows have equal scores.
    private func features(_ actions: some Collection<Int>) -> Matrix<Double> {
        let (width, count) = (view.columns, actions.count)
        return unsafe Matrix(rows: (count + 23) / 24 * 24, columns: width + 1) { places in
            unsafe view.withUnsafeBufferPointer { view in
                var place = places.baseAddress!
                for i in actions {
                    unsafe place.initialize(from: view.baseAddress! + i * width, count: width)
                    unsafe place[width] = constant
                    unsafe place += width + 1
                }
                unsafe place.initialize(repeating: 0, count: places.count - count * (width + 1))
            }
        }
    }

    /// The number of rows whose deviations are computed together: their features and solutions fit in a second-level cache at D = 64.
    private static let rowsAtOnce = 240
}

// MARK: - What a choice turns on

extension ActionDeviations {
    /// The sums mean + width · deviation: exactly those that may be the largest, and −∞ in place of all others; where one alone may be, some
    /// number in its place.
    func largestSums(_ means: [Double], width: Double) throws(KinError) -> [Double] {
        guard let (bounds, open) = bounds(ofSumsWith: means, width: width) else {
            return zip(means, try all()).map { $0 + width * $1 }
        }
        var sums = [Double](repeating: -.infinity, count: means.count)
        if open.count == 1, bounds.high[open[0]].isFinite {
            sums[open[0]] = means[open[0]]
            return sums
        }
        for (i, deviation) in zip(open, try of(open)) { sums[i] = means[i] + width * deviation }
        return sums
    }

    /// Whether mean + width · deviation of each action is not below the largest mean − width · deviation.
    func plausible(_ means: [Double], width: Double) throws(KinError) -> [Bool] {
        guard let (bounds, open) = bounds(ofSumsWith: means, width: -width) else {
            return ActionProbabilities.plausible(means, deviations: try all().map { width * $0 })
        }
        let bar = zip(open, try of(open)).map { means[$0] - width * $1 }.max() ?? 0
        var isPlausible = means.indices.map { means[$0] + width * bounds.low[$0] >= bar }
        let undecided = means.indices.filter { !isPlausible[$0] && means[$0] + width * bounds.high[$0] >= bar }
        for (i, deviation) in zip(undecided, try of(undecided)) { isPlausible[i] = means[i] + width * deviation >= bar }
        return isPlausible
    }

    /// Bounds on all deviations, and the actions whose sum mean + width · deviation may be the largest by them; nil where that saves nothing.
    ///
    /// The bounds are those of ``TriangleScreen`` on the root of what is known, and a variance with discounts is between that and its quotient by
    /// what is kept (``DiagonalPrior/variance(discounting:kept:_:)``). Rounded sums, products and roots keep the order of what goes into them, so
    /// that a bound's sum bounds the sum as it is computed. An action whose deviation may not be finite is always open.
    private func bounds(
        ofSumsWith means: [Double], width: Double
    ) -> (bounds: DeviationBounds, open: [Int])? {
        let n = means.count
        guard width != 0, let inverse, n >= Self.fewestScreened, n >= 2 * inverse.matrix.rows,
            let screen = inverse.screen
        else { return nil }
        var bounds = DeviationBounds(count: n)
        for range in [0..<Self.trial, Self.trial..<n] {
            screen.bound(view, range, last: constant, low: &bounds.low, high: &bounds.high)
            if kept < 1 {
                let factor = (1 + 1e-12) / kept.squareRoot()
                for i in range { bounds.high[i] *= factor }
            }
            // Many equal actions, or features that nearly cancel in all of them.
            let seen = 0..<range.upperBound
            let open = bounds.open(seen, means, width: width)
            guard open.count <= seen.count / 2 else { return nil }
            if seen.count == n { return (bounds, open) }
        }
        return nil
    }

    /// The number of actions from which on the codes of the triangle are worth their making.
    private static let fewestScreened = 96
    /// The number of actions whose bounds are looked at first, whether they tell anything.
    private static let trial = 48
}

/// Bounds on the deviations of actions.
private struct DeviationBounds {
    var low, high: [Double]

    init(count: Int) {
        low = [Double](repeating: 0, count: count)
        high = low
    }

    /// The actions of a range whose sum mean + width · deviation may be the largest there.
    func open(_ range: Range<Int>, _ means: [Double], width: Double) -> [Int] {
        let (least, most) = width > 0 ? (low, high) : (high, low)
        var bar = -Double.infinity
        for i in range { bar = max(bar, means[i] + width * least[i]) }
        return range.filter { means[$0] + width * most[$0] >= bar || high[$0] == .infinity }
    }
}
