extension PCA {
    /// Projects vectors on the components: yᵢ = ⟨wᵢ, x − m⟩.
    ///
    /// Computed in double precision and rounded once to floats. O(n d k).
    ///
    /// - Parameter data: n × d, one vector per row.
    /// - Returns: n × k.
    /// - Throws: `KinError.Code.dimensionMismatch` unless the data has d columns, `KinError.Code.notFinite` if a
    ///   coordinate exceeds the range of a float (or x was not finite).
    public func transform(_ data: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        guard data.columns == dimension else {
            throw KinError(
                .dimensionMismatch, "the data has \(data.columns) columns, and the components have \(dimension)")
        }
        let origin = [Double](repeating: 0, count: components.rows)
        return try map(data, minus: mean, times: .transposed, plus: origin)
    }

    /// Reconstructs vectors from their coordinates: x = m + Σ yᵢ wᵢ.
    ///
    /// With k = d this inverts ``transform(_:)``, to rounding; with fewer components it returns the nearest vectors in
    /// their span. Computed in double precision and rounded once to floats. O(n d k).
    ///
    /// - Parameter coordinates: n × k, one vector per row.
    /// - Returns: n × d.
    /// - Throws: `KinError.Code.dimensionMismatch` unless there are k columns, `KinError.Code.notFinite` if an element
    ///   exceeds the range of a float (or y was not finite).
    public func inverseTransform(_ coordinates: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        guard coordinates.columns == components.rows else {
            throw KinError(
                .dimensionMismatch,
                "there are \(coordinates.columns) coordinates a row, and \(components.rows) components")
        }
        let origin = [Double](repeating: 0, count: components.rows)
        return try map(coordinates, minus: origin, times: .none, plus: mean)
    }

    /// Computes plus + (x − minus) op(W) for every row x, a block of doubles at a time, with W the components.
    private func map(
        _ data: Matrix<Float>,
        minus shift: [Double],
        times operation: MatrixOperation,
        plus offset: [Double]
    ) throws(KinError) -> Matrix<Float> {
        let blockRows = RowBlock.rowsInCache(columns: dimension, atLeast: 256)
        var block = Matrix<Double>(rows: 0, columns: shift.count)
        var result = Matrix<Double>(rows: 0, columns: offset.count)
        let mapped = unsafe try Matrix<Float>(rows: data.rows, columns: offset.count) { (target) throws(KinError) in
            try BLAS.withOneThread { () throws(KinError) in
                for start in stride(from: 0, to: data.rows, by: blockRows) {
                    let range = start..<min(start + blockRows, data.rows)
                    if range.count != block.rows {
                        block = Matrix(rows: range.count, columns: shift.count)
                        result = Matrix(rows: range.count, columns: offset.count)
                    }
                    unsafe data.withUnsafeBufferPointer { x in
                        unsafe block.withUnsafeMutableBufferPointer { centred in
                            unsafe RowBlock(range, of: x, columns: shift.count).write(minus: shift, to: centred)
                        }
                    }
                    result.fill(rows: offset)
                    try BLAS.gemm(block, components, opB: operation, beta: 1, into: &result)
                    unsafe result.round(to: UnsafeMutableBufferPointer(rebasing: target[(start * offset.count)...]))
                }
            }
        }
        try mapped.checkFinite()
        return mapped
    }
}

// Raw memory with one pointer per row, because the compiler does not vectorise these loops in any other form.
extension Matrix<Double> {
    /// Sets every row to the given row.
    fileprivate mutating func fill(rows row: [Double]) {
        let (n, d) = (rows, columns)
        precondition(row.count == d)
        unsafe withUnsafeMutableBufferPointer { target in
            unsafe row.withUnsafeBufferPointer { row in
                for i in 0..<n { unsafe (target.baseAddress! + i * d).update(from: row.baseAddress!, count: d) }
            }
        }
    }

    /// Writes all elements as floats, row after row.
    fileprivate func round(to target: UnsafeMutableBufferPointer<Float>) {
        precondition(target.count >= rows * columns)
        unsafe withUnsafeBufferPointer { y in
            let (from, to) = (y.baseAddress!, target.baseAddress!)
            for i in 0..<y.count { unsafe to[i] = Float(from[i]) }
        }
    }
}
