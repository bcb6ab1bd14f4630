import CKinKernels

extension Kernels {
    /// Computes lower bounds on the squared distances of boxes from a query, in code steps; see `kin_kernels.h`.
    ///
    /// - Parameters:
    ///   - lows: blocks × groups × 64 × 4 codes of the lowest corners, 64-byte aligned; `highs` the same of the highest.
    ///   - above: The query's 4 · groups coordinates rounded up; `below` the same rounded down.
    ///   - bounds: Receives 64 · blocks numbers.
    @inline(__always)
    package func boxBounds(
        lows: UnsafePointer<UInt8>, highs: UnsafePointer<UInt8>, groups: Int, blocks: Int,
        above: UnsafePointer<UInt8>, below: UnsafePointer<UInt8>, into bounds: UnsafeMutablePointer<Int32>
    ) {
        unsafe table.pointee.box_bounds(lows, highs, groups, blocks, above, below, bounds)
    }

    /// Computes the inner products of boxes' lowest corners with one set of weights plus those of their highest corners
    /// with another.
    ///
    /// - Parameters:
    ///   - lowWeights: 4 · groups weights in −64…64, and as many `highWeights`.
    ///   - sums: Receives 64 · blocks numbers.
    @inline(__always)
    package func boxProducts(
        lows: UnsafePointer<UInt8>, highs: UnsafePointer<UInt8>, groups: Int, blocks: Int,
        lowWeights: UnsafePointer<Int8>, highWeights: UnsafePointer<Int8>, into sums: UnsafeMutablePointer<Int32>
    ) {
        unsafe table.pointee.box_products(lows, highs, groups, blocks, lowWeights, highWeights, sums)
    }

    /// Computes squared distances in code steps of a block's 64 rows from a query coded for squared distance with eight
    /// bits, a row being a box of one point.
    ///
    /// - Parameters:
    ///   - weights: The query's 4 · groups weights, 128 less its codes.
    ///   - centre: Receives those codes.
    @inline(__always)
    package func codeDistances(
        block: Int, codes: UnsafePointer<UInt8>, groups: Int, weights: UnsafePointer<Int8>,
        centre: UnsafeMutablePointer<UInt8>, into distances: UnsafeMutablePointer<Int32>
    ) {
        for j in 0..<4 * groups { unsafe centre[j] = UInt8(truncatingIfNeeded: 128 - Int(weights[j])) }
        let rows = unsafe codes + block * Kernels.blockRows * 4 * groups
        unsafe boxBounds(
            lows: rows, highs: rows, groups: groups, blocks: 1, above: centre, below: centre, into: distances)
    }

    /// Compares bounds with a limit: sets bit i mod 64 of word i ÷ 64 when bound i is at most the limit.
    ///
    /// - Parameter count: The number of bounds, a multiple of 64.
    @inline(__always)
    package func bounds(
        _ bounds: UnsafePointer<Int32>, count: Int, within limit: Int32, into words: UnsafeMutablePointer<UInt64>
    ) {
        unsafe table.pointee.bounds_within(bounds, count, limit, words)
    }

    /// Codes a query for ``boxBounds(lows:highs:groups:blocks:above:below:into:)``.
    ///
    /// - Parameters:
    ///   - query: `dimension` floats and zeros up to a multiple of 8.
    ///   - above: Receives 4 · groups codes; `below` as well.
    /// - Returns: The sum of squares of what lies outside the codes, in steps.
    @inline(__always)
    func codeBoxQuery(
        _ query: UnsafePointer<Float>, dimension: Int, offsets: UnsafePointer<Float>, step: Double, slack: Double,
        above: UnsafeMutablePointer<UInt8>, below: UnsafeMutablePointer<UInt8>
    ) -> Double {
        unsafe table.pointee.code_box_query(query, dimension, offsets, step, slack, above, below)
    }
}
