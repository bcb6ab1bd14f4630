extension BLAS {
    /// Computes Y ← X Aᵀ + β Y for few vectors, the s rows of X, each by `gemv`.
    ///
    /// `gemm` first rearranges all of A, which pays only for more vectors. One `gemv` per vector reads all of A again
    /// for each. This function instead multiplies a block of A's rows with every vector while the block is in the
    /// cache.
    ///
    /// - Parameters:
    ///   - a: m × n.
    ///   - vectors: s × n.
    ///   - beta: As for ``gemm``; for 0 the old Y is not read.
    ///   - y: s × m.
    /// - Throws: As ``gemm``.
    /// - Complexity: O(s m n).
    package static func gemv(
        _ a: Matrix<Double>, vectors: Matrix<Double>, beta: Double = 0, into y: inout Matrix<Double>
    ) throws(KinError) {
        let (m, n) = (a.rows, a.columns)
        guard vectors.columns == n, y.rows == vectors.rows, y.columns == m else {
            throw KinError(
                .dimensionMismatch,
                "a \(m) × \(n) matrix times \(vectors.rows) vectors of \(vectors.columns) does not give a "
                    + "\(y.rows) × \(y.columns) matrix")
        }
        try check(n)
        guard !y.isEmpty else { return }
        guard n > 0 else { return y.scale(by: beta) }
        let block = max(1, blockBytes / (n * MemoryLayout<Double>.stride))
        unsafe y.withUnsafeMutableBufferPointer { y in
            unsafe a.withUnsafeBufferPointer { a in
                unsafe vectors.withUnsafeBufferPointer { x in
                    for first in stride(from: 0, to: m, by: block) {
                        let count = min(block, m - first)
                        for set in 0..<vectors.rows {
                            unsafe DenseRoutines.gemv(
                                MatrixOperand(.none, a.baseAddress! + first * n, rows: count, columns: n, stride: n),
                                x.baseAddress! + set * n, beta: beta, into: y.baseAddress! + set * m + first)
                        }
                    }
                }
            }
        }
    }

    /// The size of a block of A's rows, in bytes: far smaller than a second-level cache; smaller blocks need more
    /// calls.
    private static var blockBytes: Int { 1 << 16 }
}
