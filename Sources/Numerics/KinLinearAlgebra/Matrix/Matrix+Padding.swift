extension Matrix {
    /// The same rows with zeros added on the right.
    ///
    /// - Precondition: `width` is at least the number of columns.
    package func padded(toColumns width: Int) -> Matrix {
        precondition(width >= columns, "padding does not make rows shorter")
        return unsafe Matrix(rows: rows, columns: width) { places in
            unsafe places.initialize(repeating: 0)
            for r in 0..<rows {
                for c in 0..<columns { unsafe places[r * width + c] = self[r, c] }
            }
        }
    }
}
