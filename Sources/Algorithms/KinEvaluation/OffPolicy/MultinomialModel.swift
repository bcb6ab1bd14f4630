import KinLibC

/// A multinomial logistic model, p(c | x) ∝ exp(τ wᶜ·x), on standardized features and an intercept, with a normal prior
/// on the weights.
///
/// The Hessian of the log-likelihood is Σ (diag p − p pᵀ) ⊗ x xᵀ, and diag p − p pᵀ ≼ ½ I. So B = ½ Σ x xᵀ + Λ bounds
/// the Hessian of each class, one factor serves all steps w ← w + B⁻¹ ∇, and no step overshoots (Böhning 1992,
/// "Multinomial logistic regression algorithm", doi:10.1007/BF00048682). Steps use momentum, which restarts when it
/// points uphill (O'Donoghue and Candès 2015, "Adaptive restart for accelerated gradient schemes",
/// doi:10.1007/s10208-013-9150-3).
struct MultinomialModel {
    /// The weights: a row for the intercept and each feature, a column for each class.
    private(set) var weights: Matrix<Double>
    /// The factor τ of the scores.
    private(set) var scale = 1.0
    private let means, deviations: [Double]
    /// The number of rows that the weights were fitted to last.
    private var fittedCount = 0

    /// The prior precisions of a feature's weight and of an intercept. The latter is so small that it only restrains a
    /// class without rows.
    private static let (precision, interceptPrecision) = (1.0, 1e-3)
    private static let mostSteps = 1000

    /// Fits a model to rows of a table.
    ///
    /// - Parameters:
    ///   - table: The features, all finite.
    ///   - labels: The class of each row of the table, 0 ..< `classes`.
    ///   - rows: The rows to fit to.
    ///   - classes: The number of classes.
    init(_ table: Matrix<Double>, _ labels: [Int], rows: [Int], classes: Int) throws(KinError) {
        let moments = (0..<table.columns).map { column in Moments(rows.lazy.map { table[$0, column] }) }
        means = moments.map(\.mean)
        deviations = moments.map { $0.populationVariance > 0 ? $0.populationVariance.squareRoot() : 1 }
        weights = Matrix(rows: table.columns + 1, columns: classes)
        guard zip(means, deviations).allSatisfy({ $0.isFinite && $1.isFinite }) else {
            throw KinError(.numericalFailure, "a feature is too large to be standardized; give it in another unit")
        }
        try fit(table, labels, rows: rows)
    }

    /// Fits the weights to rows of a table, starting with the present weights and with the same standardization.
    ///
    /// Overconfidence is inversely proportional to the number of rows, and so is 1 − τ.
    mutating func fit(_ table: Matrix<Double>, _ labels: [Int], rows: [Int]) throws(KinError) {
        let (width, classes) = (weights.rows, weights.columns)
        scale = 1 + (scale - 1) * Double(fittedCount) / Double(max(1, rows.count))
        fittedCount = rows.count
        let x = standardized(table, rows)
        let prior = [Self.interceptPrecision] + [Double](repeating: Self.precision, count: width - 1)
        let bound = Self.bound(x, prior)
        var (ahead, momentum) = (weights, 1.0)
        let work = LongWork(of: Self.mostSteps)
        for _ in 0..<Self.mostSteps {
            try work.step()
            var residuals = try Self.softmax(x, ahead, scale: 1)
            for (index, row) in rows.enumerated() { residuals[index, labels[row]] -= 1 }
            var gradient = Matrix<Double>(rows: width, columns: classes)
            try BLAS.gemm(x, opA: .transposed, residuals, into: &gradient)
            let next = Self.step(from: ahead, gradient, prior, bound)
            var (uphill, largest) = (0.0, 0.0)
            for i in 0..<width {
                for c in 0..<classes {
                    let change = next[i, c] - weights[i, c]
                    uphill += (ahead[i, c] - next[i, c]) * change
                    largest = max(largest, abs(change))
                }
            }
            let following = uphill > 0 ? 1 : (1 + (1 + 4 * momentum * momentum).squareRoot()) / 2
            let carried = uphill > 0 ? 0 : (momentum - 1) / following
            for i in 0..<width {
                for c in 0..<classes { ahead[i, c] = next[i, c] + carried * (next[i, c] - weights[i, c]) }
            }
            (weights, momentum) = (next, following)
            // A weight's standard error is 2 ∕ √rows or more.
            if largest * Double(rows.count).squareRoot() < 0.01 { break }
        }
    }

    /// Fits the scale to other rows, as the most likely value under a normal prior with mean 1 and deviation ½.
    ///
    /// The negative log-likelihood is convex in τ. With the scores s of the classes, its slope is Σ (E s − s of the
    /// label) and its curvature is Σ Var s.
    mutating func calibrate(_ table: Matrix<Double>, _ labels: [Int], rows: [Int]) throws(KinError) {
        let x = standardized(table, rows)
        var scores = Matrix<Double>(rows: rows.count, columns: weights.columns)
        try BLAS.gemm(x, weights, into: &scores)
        for _ in 0..<50 {
            let p = try Self.softmax(x, weights, scale: scale)
            var (slope, curvature) = (4 * (scale - 1), 4.0)
            for (index, row) in rows.enumerated() {
                var (mean, square) = (0.0, 0.0)
                for c in 0..<weights.columns {
                    mean += p[index, c] * scores[index, c]
                    square += p[index, c] * scores[index, c] * scores[index, c]
                }
                slope += mean - scores[index, labels[row]]
                curvature += max(0, square - mean * mean)
            }
            let next = min(2, max(0, scale - slope / curvature))
            defer { scale = next }
            if abs(next - scale) < 1e-10 { break }
        }
    }

    /// Computes the probabilities of all classes for rows of a table.
    func probabilities(_ table: Matrix<Double>, rows: [Int]) throws(KinError) -> Matrix<Double> {
        try Self.softmax(standardized(table, rows), weights, scale: scale)
    }

    /// The rows' standardized features, clamped to ±10 deviations, after an intercept of 1.
    private func standardized(_ table: Matrix<Double>, _ rows: [Int]) -> Matrix<Double> {
        var x = Matrix<Double>(rows: rows.count, columns: table.columns + 1, repeating: 1)
        for (index, row) in rows.enumerated() {
            for column in 0..<table.columns {
                let standardized = (table[row, column] - means[column]) / deviations[column]
                x[index, column + 1] = min(10, max(-10, standardized))
            }
        }
        return x
    }

    /// The factor of B = ½ Σ x xᵀ + Λ.
    private static func bound(_ x: Matrix<Double>, _ prior: [Double]) -> PackedFactor {
        var factor = PackedFactor(diagonal: prior)
        for row in 0..<x.rows {
            var half = x.row(row).map { $0 * 0.5.squareRoot() }
            unsafe half.withUnsafeMutableBufferPointer { unsafe factor.add($0.baseAddress!) }
        }
        return factor
    }

    /// The next weights, w − B⁻¹ (∇ + Λ w).
    private static func step(
        from weights: Matrix<Double>, _ gradient: Matrix<Double>, _ prior: [Double], _ bound: PackedFactor
    ) -> Matrix<Double> {
        var next = weights
        for c in 0..<weights.columns {
            var change = prior.indices.map { gradient[$0, c] + prior[$0] * weights[$0, c] }
            unsafe change.withUnsafeMutableBufferPointer {
                unsafe bound.solve($0.baseAddress!)
                unsafe bound.solveTransposed($0.baseAddress!)
            }
            for i in prior.indices { next[i, c] -= change[i] }
        }
        return next
    }

    private static func softmax(
        _ x: Matrix<Double>, _ weights: Matrix<Double>, scale: Double
    ) throws(KinError) -> Matrix<Double> {
        var p = Matrix<Double>(rows: x.rows, columns: weights.columns)
        try BLAS.gemm(x, weights, into: &p)
        let classes = p.columns
        unsafe p.withUnsafeMutableBufferPointer { all in
            for first in stride(from: 0, to: all.count, by: classes) {
                let row = unsafe UnsafeMutableBufferPointer(rebasing: all[first..<first + classes])
                let largest = unsafe row.reduce(-Double.infinity) { max($0, $1) }
                for c in 0..<classes { unsafe row[c] = exp(scale * (row[c] - largest)) }
                let sum = unsafe row.reduce(0, +)
                for c in 0..<classes { unsafe row[c] /= sum }
            }
        }
        return p
    }
}
