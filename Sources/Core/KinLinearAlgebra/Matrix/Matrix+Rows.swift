extension Matrix {
    /// The matrix of some rows, in that order. O(chosen · columns).
    package func selecting(_ chosen: [Int]) -> Matrix {
        unsafe Matrix(rows: chosen.count, columns: columns) { target in
            for (r, i) in chosen.enumerated() {
                _ = unsafe target[(r * columns)..<((r + 1) * columns)].initialize(fromContentsOf: row(i))
            }
        }
    }

    /// The matrix with zeros appended to each row, up to `width` columns. O(rows · width).
    ///
    /// - Precondition: `width` is at least the number of columns.
    package func padded(toColumns width: Int) -> Matrix {
        precondition(width >= columns, "padding does not make rows shorter")
        return unsafe Matrix(rows: rows, columns: width) { target in
            unsafe target.initialize(repeating: 0)
            unsafe withUnsafeBufferPointer { source in
                guard let to = target.baseAddress, let from = source.baseAddress else { return }
                for r in 0..<rows { unsafe (to + r * width).update(from: from + r * columns, count: columns) }
            }
        }
    }
}
