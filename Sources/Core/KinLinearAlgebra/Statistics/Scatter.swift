/// The count, mean and scatter matrix of the rows of a matrix: the basis of covariance, correlation and principal
/// components.
///
/// The scatter matrix is S = Σ (x − m)(x − m)ᵀ with m the mean. Two sets of rows are merged by
///
///     S = S₁ + S₂ + (n₁ n₂ ∕ n) (m₂ − m₁)(m₂ − m₁)ᵀ
///
/// (Chan, Golub and LeVeque 1983, doi:10.1080/00031305.1983.10483115). Unlike Σ x xᵀ − n m mᵀ, this subtracts no large
/// numbers.
package struct Scatter: Sendable, Equatable {
    /// The number of rows added.
    package private(set) var count: Int

    /// The mean of each column; zeros without rows.
    package private(set) var mean: [Double]

    /// The scatter matrix S, d × d and symmetric.
    package private(set) var matrix: Matrix<Double>

    /// Creates the scatter of `count` rows of `dimension` zeros.
    package init(dimension: Int, count: Int) {
        self.count = count
        mean = Array(repeating: 0, count: dimension)
        matrix = Matrix(rows: dimension, columns: dimension)
    }

    /// Creates the scatter from sums computed elsewhere; the lower triangle of `upperTriangle` need not be filled.
    init(count: Int, mean: [Double], upperTriangle: Matrix<Double>) {
        self.count = count
        self.mean = mean
        matrix = upperTriangle
        unsafe matrix.withUnsafeMutableBufferPointer { unsafe mirrorUpperTriangle(of: $0, order: mean.count) }
    }

    /// Adds all rows of a second set. O(d²).
    ///
    /// - Precondition: The dimensions are equal.
    package mutating func merge(_ other: Scatter) {
        precondition(mean.count == other.mean.count, "only scatters of one dimension are merged")
        guard other.count > 0 else { return }
        guard count > 0 else { return self = other }
        let d = mean.count
        let (n, m) = (Double(count), Double(other.count))
        let delta = (0..<d).map { other.mean[$0] - mean[$0] }
        let added = other.matrix.span
        var sum = matrix.mutableSpan
        for i in 0..<d {
            let factor = delta[i] * (n * m / (n + m))
            for j in 0..<d { sum[i * d + j] += added[i * d + j] + factor * delta[j] }
        }
        for j in 0..<d { mean[j] += delta[j] * (m / (n + m)) }
        count += other.count
    }

    /// The unbiased estimate of the covariance, S ∕ (n − 1); nil for fewer than two rows.
    package var covariance: Matrix<Double>? {
        guard count > 1 else { return nil }
        var result = matrix
        var all = result.mutableSpan
        for i in all.indices { all[i] /= Double(count - 1) }
        return result
    }
}
