/// The eigenvalues and eigenvectors of a real symmetric matrix: A = Vᵀ diag(λ) V with the eigenvectors in the rows of V.
///
/// LAPACK's syevd: reduction to tridiagonal form, then divide and conquer (Cuppen 1981, doi:10.1007/BF01396757; Gu and
/// Eisenstat 1995, doi:10.1137/S0895479892241287); without LAPACK, `PortableEigen`. O(n³). Backward stable: the values
/// are those of a matrix within about n · 2⁻⁵³ · ‖A‖ of A. An eigenvector is determined only as well as its value is
/// separated from the others; for equal values only the subspace is determined.
package struct SymmetricEigen: Sendable {
    /// The eigenvalues in descending order.
    package let values: [Double]

    /// The unit eigenvectors: row i belongs to `values[i]`.
    ///
    /// The component of largest magnitude is positive (the first such component if several tie), so that the same
    /// matrix always gives the same vectors.
    package let vectors: Matrix<Double>

    /// Decomposes a symmetric matrix. O(n³).
    ///
    /// - Parameter matrix: n × n; only its lower triangle is read.
    /// - Throws: ``KinError/Code/dimensionMismatch`` for a matrix that is not square, ``KinError/Code/notFinite`` for a
    ///   NaN or an infinity in it, ``KinError/Code/capacityExceeded`` beyond 32,766 rows,
    ///   ``KinError/Code/numericalFailure`` if the iteration does not converge.
    package init(_ matrix: Matrix<Double>) throws(KinError) {
        let n = matrix.rows
        try matrix.checkSymmetricInput(for: "an eigendecomposition")
        try Self.check(order: n)
        guard n > 0 else {
            values = []
            vectors = matrix
            return
        }
        var rows = matrix
        var ascending = [Double](repeating: 0, count: n)
        let isSolved = unsafe rows.withUnsafeMutableBufferPointer { a in
            unsafe ascending.withUnsafeMutableBufferPointer { values in
                unsafe EigenRoutine.decompose(order: n, a.baseAddress!, values: values.baseAddress!)
            }
        }
        guard isSolved else {
            throw KinError(.numericalFailure, "the eigenvalues of a matrix of order \(n) did not converge")
        }

        values = ascending.reversed()
        vectors = unsafe Matrix(rows: n, columns: n) { descending in
            for i in 0..<n {
                let row = rows.row(n - 1 - i)
                let sign = Self.sign(of: row)
                for (j, x) in row.enumerated() { unsafe descending.initializeElement(at: i * n + j, to: sign * x) }
            }
        }
    }

    /// The largest order that LAPACK accepts; a larger matrix would take more than 8 GB.
    static let maximumOrder = 32_766

    /// Throws `.capacityExceeded` for an order above the largest.
    static func check(order n: Int) throws(KinError) {
        guard n <= maximumOrder else {
            throw KinError(.capacityExceeded, "eigenvectors are computed up to order \(maximumOrder), not \(n)")
        }
    }

    /// The sign of a vector's component of largest magnitude: −1 if it is negative, else 1.
    static func sign(of vector: ArraySlice<Double>) -> Double {
        var largest = 0.0
        for x in vector where x.magnitude > largest.magnitude { largest = x }
        return largest < 0 ? -1 : 1
    }
}

extension Matrix {
    /// Throws unless the matrix is square and its lower triangle finite.
    func checkSymmetricInput(for purpose: String) throws(KinError) {
        guard rows == columns else {
            throw KinError(.dimensionMismatch, "\(purpose) needs a square matrix, not \(rows) × \(columns)")
        }
        for i in 0..<rows {
            let row = row(i).prefix(i + 1)
            guard let j = row.firstIndex(where: { !$0.isFinite }) else { continue }
            throw KinError(.notFinite, "\(purpose) needs finite numbers, and one is \(row[j])")
                .within("column", j - row.startIndex).within("row", i)
        }
    }
}
