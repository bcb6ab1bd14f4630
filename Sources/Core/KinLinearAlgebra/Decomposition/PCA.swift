/// Principal component analysis: the orthogonal directions in which data varies most.
///
/// Let m be the mean of the n rows and C = Σ (x − m)(x − m)ᵀ ∕ (n − 1) their covariance. Component i is the unit
/// eigenvector wᵢ of the i-th largest eigenvalue λᵢ of C (Pearson 1901, doi:10.1080/14786440109462720; Hotelling 1933,
/// doi:10.1037/h0071325). A vector x becomes the coordinates yᵢ = ⟨wᵢ, x − m⟩, which are uncorrelated and have the
/// variances λᵢ. The first k coordinates are the best approximation of the data by k numbers per row, in mean squared
/// error.
///
/// Mean, covariance and eigenvectors are computed in double precision from all rows, without sampling. A component's
/// sign is arbitrary in theory. Here the component's element of largest magnitude is positive (the first such element),
/// so the same data gives bit-identical results with any number of threads. Components of equal variance span a
/// subspace in which every basis is equally valid.
///
/// Time O(n d² + d³), memory O(d²) in addition to the data. With n < d and k < ⌊d ∕ 3⌋: O(n² d) and O(n d).
public struct PCA: Sendable, Equatable {
    /// The mean m of each of the d columns.
    public let mean: [Double]

    /// The components as rows, k × d, largest variance first; the rows are orthonormal.
    public let components: Matrix<Double>

    /// The variances λᵢ of the data along each of the k components (divided by n − 1), in descending order.
    public let explainedVariance: [Double]

    /// The sum of the variances of all d columns.
    public let totalVariance: Double

    /// The number d of columns of the data.
    public var dimension: Int { components.columns }

    /// The share of the total variance along each component, in 0…1; zeros for data without variance.
    public var explainedVarianceRatio: [Double] {
        explainedVariance.map { totalVariance > 0 ? min($0 / totalVariance, 1) : 0 }
    }

    /// Fits the first components to the rows of a matrix.
    ///
    /// - Parameters:
    ///   - data: n × d, one vector per row, at least two rows and one column.
    ///   - count: The number k of components, 1…min(n, d). Default: min(n, d).
    ///   - threads: The most threads to use, at least 1; the result does not depend on it.
    /// - Throws:
    ///   - `KinError.Code.invalidArgument` for too few rows or columns, a count out of range or less than one thread.
    ///   - `KinError.Code.notFinite` with the row and column of a NaN or an infinity.
    ///   - `KinError.Code.capacityExceeded` for more than 32,766 columns or, if n < d and k < ⌊d ∕ 3⌋, rows.
    ///   - `KinError.Code.cancelled` as described at `withProgressHandler`, but only while rows are read: the
    ///     eigenvectors are computed in one step.
    public init(
        fitting data: Matrix<Float>,
        components count: Int? = nil,
        threads: Int = 1
    ) throws(KinError) {
        let (n, d) = (data.rows, data.columns)
        guard n >= 2, d >= 1 else {
            throw KinError(.invalidArgument, "PCA needs at least 2 rows and 1 column, not \(n) × \(d)")
        }
        guard threads >= 1 else { throw KinError(.invalidArgument, "PCA needs at least 1 thread, not \(threads)") }
        let k = count ?? min(n, d)
        guard k >= 1, k <= min(n, d) else {
            throw KinError(
                .invalidArgument, "\(n) rows of \(d) columns have 1 to \(min(n, d)) components, not \(k)")
        }
        let order = Self.order(rows: n, columns: d, components: k)
        try SymmetricEigen.check(order: order)
        guard order == d else {
            self = try Self(wide: data, components: k)
            return
        }
        let scatter = try Scatter(rows: data, threads: threads)
        guard let covariance = scatter.covariance else {
            preconditionFailure("two rows or more have a covariance")
        }
        let eigen = try BLAS.withOneThread { () throws(KinError) in try SymmetricEigen(covariance) }

        mean = scatter.mean
        components = eigen.vectors.selecting(Array(0..<k))
        // A covariance has no negative eigenvalue; rounding may give about −2⁻⁵² times the largest.
        explainedVariance = eigen.values.prefix(k).map { max($0, 0) }
        totalVariance = (0..<d).reduce(0) { $0 + covariance[$1, $1] }
    }
}
