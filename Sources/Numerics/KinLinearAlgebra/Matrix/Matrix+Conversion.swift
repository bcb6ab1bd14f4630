extension Matrix<Double> {
    /// The same numbers in double precision, exactly. O(n d).
    public init(_ matrix: Matrix<Float>) {
        self = matrix.mapElements { Double($0) }
    }
}

extension Matrix<Float> {
    /// The nearest floats; a number beyond ±3.4 · 10³⁸ becomes infinite. O(n d).
    public init(_ matrix: Matrix<Double>) {
        self = matrix.mapElements { Float($0) }
    }
}

extension Matrix {
    @inline(__always)
    private func mapElements<Result>(_ convert: (Scalar) -> Result) -> Matrix<Result> {
        unsafe Matrix<Result>(rows: rows, columns: columns) { places in
            unsafe withUnsafeBufferPointer { x in
                for i in 0..<x.count { unsafe places.initializeElement(at: i, to: convert(x[i])) }
            }
        }
    }
}
