extension Matrix {
    /// The elements of row `i` as a slice that shares the matrix's memory; its indices are those of ``elements``.
    @inlinable
    public func row(_ i: Int) -> ArraySlice<Scalar> {
        storage[rowRange(i)]
    }

    /// A span of all elements, row after row, without a copy.
    @inlinable
    public var span: Span<Scalar> {
        @_lifetime(borrow self)
        get { storage.span }
    }

    /// A mutable span of all elements, row after row; copies the memory first if it is shared.
    @inlinable
    package var mutableSpan: MutableSpan<Scalar> {
        @_lifetime(&self)
        mutating get { storage.mutableSpan }
    }

    /// Calls `body` with the `rows * columns` elements; the pointer is valid only during the call.
    @inlinable
    package func withUnsafeBufferPointer<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<Scalar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try storage.withUnsafeBufferPointer(body)
    }

    /// Calls `body` with the elements for changes in place; copies them first if the memory is shared.
    ///
    /// The pointer is valid only during the call.
    @inlinable
    package mutating func withUnsafeMutableBufferPointer<Result, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<Scalar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try storage.withUnsafeMutableBufferPointer { (buffer) throws(Failure) -> Result in
            unsafe try body(buffer)
        }
    }

    /// The indices of row `i` in the block.
    @inlinable
    func rowRange(_ i: Int) -> Range<Int> {
        precondition(i >= 0 && i < rows, "matrix row out of range")
        return i &* columns..<(i &+ 1) &* columns
    }
}

extension Matrix<Float> {
    /// Throws an error unless every number is finite. O(n d).
    ///
    /// - Throws: ``KinError/Code/notFinite`` with the row and the column of the first NaN or infinity.
    package func checkFinite() throws(KinError) {
        guard let index = unsafe withUnsafeBufferPointer({ unsafe Kernels.active.firstNotFinite($0) }) else { return }
        throw KinError(.notFinite, "all numbers must be finite, and one is \(storage[index]); remove or replace it")
            .within("column", index % columns).within("row", index / columns)
    }
}
