extension Matrix {
    /// The matrix with zeros appended to each row, up to `width` columns. O(rows · width).
    ///
    /// - Precondition: `width` is at least the number of columns.
    package func padded(toColumns width: Int) -> Matrix {
        precondition(width >= columns, "padding does not make rows shorter")
        return unsafe Matrix(rows: rows, columns: width) { target in
            unsafe target.initialize(repeating: 0)
            for r in 0..<rows {
                for c in 0..<columns { unsafe target[r * width + c] = self[r, c] }
            }
        }
    }
}
