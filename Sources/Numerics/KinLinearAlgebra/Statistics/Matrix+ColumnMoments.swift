package import KinCore

extension Matrix<Float> {
    /// The count, mean, variance and range of every column, summed in double precision.
    ///
    /// Blocks of rows that fit in the cache are read twice, for their means and then for their deviations from them, and
    /// merged (Chan, Golub and LeVeque 1983): the data is read from memory once. O(n d).
    ///
    /// - Throws: ``KinError/Code/notFinite`` naming the first NaN or infinity.
    package func columnMoments() throws(KinError) -> [Moments] {
        try checkFinite()
        var total = [Moments](repeating: Moments(), count: columns)
        guard !isEmpty else { return total }
        let blockRows = RowBlock.rowsInCache(columns: columns, atLeast: 64)
        unsafe withUnsafeBufferPointer { x in
            for start in stride(from: 0, to: rows, by: blockRows) {
                let range = start..<Swift.min(start + blockRows, rows)
                let block = unsafe RowBlock(range, of: x, columns: columns)
                for (j, moments) in block.columnMoments().enumerated() { total[j].merge(moments) }
            }
        }
        return total
    }

    /// Throws an error unless every number is finite. O(n d).
    ///
    /// - Throws: ``KinError/Code/notFinite`` naming the row and the column of the first NaN or infinity.
    package func checkFinite() throws(KinError) {
        guard let index = unsafe withUnsafeBufferPointer({ unsafe Kernels.active.firstNotFinite($0) }) else { return }
        throw KinError(.notFinite, "all numbers must be finite, and one is \(storage[index]); remove or replace it")
            .within("column", index % columns).within("row", index / columns)
    }
}

extension RowBlock {
    fileprivate func columnMoments() -> [Moments] {
        let means = columnMeans()
        let squares = squaredDeviations(from: means)
        let (minima, maxima) = columnRanges()
        return (0..<columns).map { j in
            Moments(
                count: rows,
                mean: means[j],
                squaredDeviations: squares[j],
                minimum: Double(minima[j]),
                maximum: Double(maxima[j])
            )
        }
    }
}
