/// The standard deviations of the scores of actions under one posterior, √(xᵀ A⁻¹ x) = ‖L⁻¹ x‖.
///
/// For many actions, one product with the inverse of the factor takes a fifth of the time of one solution per action.
/// For fewer actions than half the number of features, computing the inverse takes longer.
struct ActionDeviations {
    private let posterior: Posterior
    private let prior: DiagonalPrior
    /// The remaining weight of past observations.
    private let remaining: Double
    /// The features of the actions without the constant; ``constant`` is the last coordinate of each action.
    private let view: Matrix<Double>
    private let constant: Double
    /// The inverse of the factor, for many actions.
    private let inverse: Matrix<Double>?

    /// Prepares the deviations of actions.
    ///
    /// - Parameters:
    ///   - view: The features of the model, without the constant.
    ///   - constant: The last coordinate of each action.
    ///   - policy: A policy with one model for all actions.
    init(of view: Matrix<Double>, constant: Double, under policy: BanditPolicy) {
        posterior = policy.posteriors[0]
        prior = policy.prior
        remaining = posterior.pendingDiscount * policy.discount(since: policy.lastObservation[0])
        (self.view, self.constant) = (view, constant)
        inverse = Self.needInverse(view) ? posterior.inverse.value ?? posterior.factor.inverseTransposed() : nil
    }

    /// Whether there are enough actions for the inverse of the factor.
    static func needInverse(_ view: Matrix<Double>) -> Bool { view.rows > (view.columns + 1) / 2 }

    /// The deviations of all actions.
    ///
    /// - Throws: `.notFinite` if one is not finite.
    /// - Complexity: O(n D² + D³), without D³ for few actions.
    func all() throws(KinError) -> [Double] {
        let order = view.columns + 1
        var result: [Double] = []
        result.reserveCapacity(view.rows)
        for first in stride(from: 0, to: view.rows, by: Self.rowsAtOnce) {
            let some = first..<min(first + Self.rowsAtOnce, view.rows)
            var solved = features(some)
            let features = remaining < 1 ? solved : nil
            if let inverse {
                try BLAS.withOneThread { () throws(KinError) in try BLAS.trmm(upper: inverse, into: &solved) }
            }
            unsafe solved.withUnsafeMutableBufferPointer { solved in
                for i in 0..<some.count {
                    let y = unsafe solved.baseAddress! + i * order
                    if inverse == nil { unsafe posterior.factor.solve(y) }
                    let known = unsafe dot(y, y, count: order)
                    let variance = unsafe features?.withUnsafeBufferPointer {
                        unsafe prior.variance(discounting: known, remaining: remaining, $0.baseAddress! + i * order)
                    }
                    result.append((variance ?? known).squareRoot())
                }
            }
        }
        if let action = result.firstIndex(where: { !$0.isFinite }) {
            throw KinError(.notFinite, "the features of action \(action) do not give a finite score")
        }
        return result
    }

    /// The features of a range of actions with the constant, padded with rows of zeros to a multiple of 24.
    ///
    /// A BLAS multiplies tiles of 2 to 24 rows and sums the rest in a different order. With whole tiles only, equal
    /// rows have equal scores.
    private func features(_ actions: Range<Int>) -> Matrix<Double> {
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

    /// The number of rows processed at once: their features and solutions fit in a second-level cache at D = 64.
    private static let rowsAtOnce = 240
}
