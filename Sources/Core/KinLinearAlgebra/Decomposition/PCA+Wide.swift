extension PCA {
    /// The number of rows and columns of the matrix that a fit decomposes.
    ///
    /// - Returns: `rows` for wide data, if few components are needed; otherwise `columns`.
    package static func order(rows: Int, columns: Int, components: Int) -> Int {
        rows < columns && components < columns / 3 ? rows : columns
    }

    /// Fits components to data with fewer rows than columns.
    ///
    /// Let Y be the centred rows, and u a unit eigenvector of the n × n matrix Y Yᵀ with eigenvalue σ². Then Yᵀ u ∕ σ is
    /// a unit eigenvector of Yᵀ Y with the same eigenvalue. The rounding of u has parts along the other components. The
    /// parts along those of larger variance are magnified, and ``orthonormalizeRows()`` removes them.
    ///
    /// - Complexity: O(n² d + k² d + n³).
    init(wide data: Matrix<Float>, components k: Int) throws(KinError) {
        let (n, d) = (data.rows, data.columns)
        let work = LongWork(of: n)
        var (mean, centred) = ([Double](), Matrix<Double>(rows: n, columns: d))
        unsafe data.withUnsafeBufferPointer { x in
            let rows = unsafe RowBlock(0..<n, of: x, columns: d)
            mean = rows.columnMeans()
            unsafe centred.withUnsafeMutableBufferPointer { unsafe rows.write(minus: mean, to: $0) }
        }
        _ = work.advance(by: n)
        try work.check()
        if !mean.allSatisfy(\.isFinite) { try data.checkFinite() }
        var products = Matrix<Double>(rows: n, columns: n)
        var components = Matrix<Double>(rows: k, columns: d)
        let values = try BLAS.withOneThread { () throws(KinError) in
            try BLAS.gemm(centred, centred, opB: .transposed, into: &products)
            let eigen = try SymmetricEigen(products)
            try BLAS.gemm(eigen.vectors.selecting(Array(0..<k)), centred, into: &components)
            try components.orthonormalizeRows()
            return eigen.values
        }
        self.mean = mean
        self.components = components
        explainedVariance = values.prefix(k).map { max($0, 0) / Double(n - 1) }
        totalVariance = (0..<n).reduce(0) { $0 + products[$1, $1] } / Double(n - 1)
    }
}

extension Matrix<Double> {
    /// Makes the rows orthonormal, each to the rows before it, with the signs of ``SymmetricEigen``. A row in the span
    /// of those before it is replaced by a vector outside the span.
    fileprivate mutating func orthonormalizeRows() throws(KinError) {
        var result = Matrix(rows: rows, columns: columns)
        for i in 0..<rows {
            var vector = selecting([i])
            var (tries, axis, length) = (0, 0, 0.0)
            // Once more if little is left, since rounding is then a large part of it (Giraud et al. 2005,
            // doi:10.1007/s00211-005-0615-4). Then the axes in turn: i rows leave d − i of the sum of their squared
            // lengths, so one axis keeps more than 0.8 of its length.
            while length < 0.5 {
                vector.scale(by: 1 / vector.row(0).reduce(0) { $0 + $1 * $1 }.squareRoot())
                if tries > 1 || !vector[0, 0].isFinite {
                    vector = Matrix(rows: 1, columns: columns)
                    vector[0, axis] = 1
                    axis += 1
                }
                tries += 1
                var products = Matrix(rows: 1, columns: rows)
                try BLAS.gemv(result, vectors: vector, into: &products)
                products.scale(by: -1)
                try BLAS.gemm(products, result, beta: 1, into: &vector)
                length = vector.row(0).reduce(0) { $0 + $1 * $1 }.squareRoot()
            }
            let sign = SymmetricEigen.sign(of: vector.row(0))
            for (j, x) in vector.row(0).enumerated() { result[i, j] = sign * x / length }
        }
        self = result
    }
}
