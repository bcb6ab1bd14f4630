extension Matrix<Double> {
    /// Converts a matrix to double precision, exactly. O(n d).
    public init(_ matrix: Matrix<Float>) {
        self = matrix.mapElements { Double($0) }
    }
}

extension Matrix<Float> {
    /// Rounds a matrix to the nearest floats; a number beyond ±3.4 · 10³⁸ becomes infinite. O(n d).
    public init(_ matrix: Matrix<Double>) {
        self = matrix.mapElements { Float($0) }
    }
}

extension Matrix {
    @inline(__always)
    private func mapElements<Result>(_ convert: (Scalar) -> Result) -> Matrix<Result> {
        unsafe Matrix<Result>(rows: rows, columns: columns) { target in
            unsafe withUnsafeBufferPointer { x in
                for i in 0..<x.count { unsafe target.initializeElement(at: i, to: convert(x[i])) }
            }
        }
    }
}

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
