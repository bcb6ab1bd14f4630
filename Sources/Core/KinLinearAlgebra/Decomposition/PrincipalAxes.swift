package import KinCore

/// A few orthonormal axes along which rows vary most, about as good as those of ``PCA`` and found in a fraction of its
/// time.
///
/// Randomised subspace iteration (Halko, Martinsson and Tropp 2011, doi:10.1137/090771806, algorithms 4.4 and 5.1).
/// With X the n centred rows and Ω random, the columns of (XᵀX)² Ω approach the space of the first principal axes; the
/// axes are those of X within that space. Sixteen extra columns keep the variance along the axes within 1 % of the
/// largest possible.
///
/// Bounds that use the axes rely only on their lengths and angles: P, the axes in rows, is a matrix of floats with ‖P‖²
/// ≤ ``stretch``, which is computed and not assumed.
///
/// Time O(n d l) for l = axes + 16, memory O((n + l) d).
package final class PrincipalAxes: Sendable {
    /// The mean of the rows.
    package let mean: [Double]
    /// The axes in rows, m × d; axes beyond the rank of the rows are zero.
    package let axes: Matrix<Float>
    let meanNorm: Double
    /// Σ_j P_ij mean_j, the coordinates of the mean.
    let meanCoordinates: [Double]
    /// A bound on ‖P‖²: along the axes, the squared distance between two points is at most this times their squared
    /// distance.
    package let stretch: Double
    /// The share of the rows' variance along the first axis, the first two, and so on, in 0…1.
    package let explained: [Double]

    /// The number m of axes.
    package var count: Int { axes.rows }

    /// The number d of dimensions.
    package var dimension: Int { axes.columns }

    private init(mean: [Double], axes: Matrix<Float>, explained: [Double]) throws(KinError) {
        self.mean = mean
        meanNorm = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
        self.axes = axes
        self.explained = explained
        let exact = Matrix<Double>(axes)
        meanCoordinates = (0..<axes.rows).map { i in zip(exact.row(i), mean).reduce(0) { $0 + $1.0 * $1.1 } }
        var gram = Matrix<Double>(rows: axes.rows, columns: axes.rows)
        try BLAS.syrk(exact, into: &gram)
        // ‖P‖² is the largest eigenvalue of P Pᵀ. Except for rounding, P Pᵀ is diagonal with ones and zeros; the
        // Frobenius norm bounds the rest.
        var deviation = 0.0
        for i in 0..<axes.rows {
            for j in 0..<axes.rows {
                let off = gram[i, j] - (i == j && gram[i, j] > 0.5 ? 1 : 0)
                deviation += off * off
            }
        }
        stretch = (1 + deviation.squareRoot()) * (1 + 0x1p-30)
    }

    /// The first of the axes; the removed axes explain too little variance.
    package func prefix(_ count: Int) throws(KinError) -> PrincipalAxes {
        try PrincipalAxes(
            mean: mean, axes: axes.selecting(Array(0..<count)), explained: Array(explained.prefix(count)))
    }

    /// Finds the first axes of some rows.
    ///
    /// - Parameters:
    ///   - rows: n × d finite numbers, two rows or more.
    ///   - count: The number of axes, at most d.
    /// - Returns: The axes; nil if the rows do not vary.
    /// - Throws: The errors of the eigendecomposition of a small matrix.
    package convenience init?(fitting rows: Matrix<Float>, count: Int) throws(KinError) {
        let (n, d) = (rows.rows, rows.columns)
        let width = min(d, n - 1, count + Self.spare)
        var mean = [Double](repeating: 0, count: d)
        for i in 0..<n {
            for (j, x) in rows.row(i).enumerated() { mean[j] += Double(x) }
        }
        for j in 0..<d { mean[j] /= Double(n) }
        var total = 0.0
        for i in 0..<n {
            for (j, x) in rows.row(i).enumerated() { total += (Double(x) - mean[j]) * (Double(x) - mean[j]) }
        }
        guard total > 0, total.isFinite, width > 0 else { return nil }
        // Scaled to a mean squared length of 1, so that no product exceeds the range of floats.
        let unit = (Double(n) / total).squareRoot()
        let centred = unsafe Matrix<Float>(rows: n, columns: d) { elements in
            for i in 0..<n {
                for (j, x) in rows.row(i).enumerated() {
                    unsafe elements.initializeElement(at: i * d + j, to: Float((Double(x) - mean[j]) * unit))
                }
            }
        }

        // The space of the axes is spanned by the columns of `basis`, which are orthonormal up to single precision.
        var random = SeededGenerator(seed: 1)
        var basis = unsafe Matrix<Float>(rows: d, columns: width) { elements in
            for i in elements.indices { unsafe elements.initializeElement(at: i, to: Float(random.normalDeviate())) }
        }
        var along = Matrix<Float>(rows: n, columns: width)
        for _ in 0..<2 {
            try BLAS.gemm(centred, basis, into: &along)
            try BLAS.gemm(centred, opA: .transposed, along, into: &basis)
        }
        basis = try Self.orthonormalised(basis)
        along = Matrix<Float>(rows: n, columns: basis.columns)
        try BLAS.gemm(centred, basis, into: &along)
        var scatter = Matrix<Double>(rows: basis.columns, columns: basis.columns)
        try BLAS.syrk(Matrix<Double>(along), op: .transposed, into: &scatter)
        let eigen = try SymmetricEigen(scatter)
        var turned = Matrix<Double>(rows: basis.columns, columns: d)
        try BLAS.gemm(eigen.vectors, Matrix<Double>(basis), opB: .transposed, into: &turned)
        let found = min(count, turned.rows)
        var axes = [Float](repeating: 0, count: count * d)
        for (i, x) in turned.elements.prefix(found * d).enumerated() { axes[i] = Float(x) }
        var sum = 0.0
        let explained = (0..<count).map { i in
            sum += i < found ? max(eigen.values[i], 0) : 0
            return min(sum / Double(n), 1)
        }
        try self.init(mean: mean, axes: Matrix(rows: count, columns: d, elements: axes), explained: explained)
    }

    /// The number of extra columns.
    private static let spare = 16

    /// An orthonormal basis of the space of some columns, without directions that rounding has lost.
    ///
    /// With Z = columns and ZᵀZ = Vᵀ Λ V, the columns of Z Vᵀ Λ^(−½) are orthonormal.
    private static func orthonormalised(_ columns: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        let columns = Matrix<Double>(columns)
        var gram = Matrix<Double>(rows: columns.columns, columns: columns.columns)
        try BLAS.syrk(columns, op: .transposed, into: &gram)
        let eigen = try SymmetricEigen(gram)
        let kept = eigen.values.prefix { $0 > eigen.values[0] * 0x1p-40 }.count
        var scaled = Matrix<Double>(rows: kept, columns: columns.columns)
        for i in 0..<kept {
            for j in 0..<columns.columns { scaled[i, j] = eigen.vectors[i, j] / eigen.values[i].squareRoot() }
        }
        var basis = Matrix<Double>(rows: columns.rows, columns: kept)
        try BLAS.gemm(columns, scaled, opB: .transposed, into: &basis)
        return Matrix<Float>(basis)
    }
}
