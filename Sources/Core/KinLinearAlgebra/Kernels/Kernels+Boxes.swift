import CKinKernels

extension Kernels {
    /// Computes lower bounds on the squared distances of boxes from a query, in code steps; see `kin_kernels.h`.
    ///
    /// - Parameters:
    ///   - lows: blocks × groups × 64 × 4 codes of the lowest corners, 64-byte aligned; `highs` likewise for the
    ///     highest corners.
    ///   - query: The query's 4 · groups coordinates rounded up, followed by the coordinates rounded down.
    ///   - bounds: Receives 64 · blocks numbers.
    @inline(__always)
    func boxBounds(
        lows: UnsafePointer<UInt8>, highs: UnsafePointer<UInt8>, groups: Int, blocks: Int,
        query: UnsafePointer<UInt8>, into bounds: UnsafeMutablePointer<Int32>
    ) {
        unsafe table.pointee.box_bounds(lows, highs, groups, blocks, query, query + 4 * groups, bounds)
    }

    /// Computes, for each box, the inner product of its lowest corner with one set of weights plus the inner product of
    /// its highest corner with a second set.
    ///
    /// - Parameters:
    ///   - weights: 4 · groups weights of the lowest corners in −64…64, followed by 4 · groups weights of the highest
    ///     corners.
    ///   - sums: Receives 64 · blocks numbers.
    @inline(__always)
    func boxProducts(
        lows: UnsafePointer<UInt8>, highs: UnsafePointer<UInt8>, groups: Int, blocks: Int,
        weights: UnsafePointer<Int8>, into sums: UnsafeMutablePointer<Int32>
    ) {
        unsafe table.pointee.box_products(lows, highs, groups, blocks, weights, weights + 4 * groups, sums)
    }

    /// Computes the squared distances, in code steps, of a block's 64 rows from a query coded for squared distance with
    /// eight bits. Each row is a box of one point.
    ///
    /// - Parameters:
    ///   - weights: The query's 4 · groups weights, 128 minus its codes.
    ///   - centre: Receives the query's codes.
    @inline(__always)
    package func codeDistances(
        block: Int, codes: UnsafePointer<UInt8>, groups: Int, weights: UnsafePointer<Int8>,
        centre: UnsafeMutablePointer<UInt8>, into distances: UnsafeMutablePointer<Int32>
    ) {
        for j in 0..<4 * groups { unsafe centre[j] = UInt8(truncatingIfNeeded: 128 - Int(weights[j])) }
        let rows = unsafe codes + block * Kernels.blockRows * 4 * groups
        unsafe squaredDistances(rows, groups: groups, from: centre, into: distances)
    }

    /// Computes the squared distances, in code steps, of a block's 64 rows from a point with 4 · groups codes.
    @inline(__always)
    func squaredDistances(
        _ rows: UnsafePointer<UInt8>, groups: Int, from point: UnsafePointer<UInt8>,
        into distances: UnsafeMutablePointer<Int32>
    ) {
        unsafe table.pointee.box_bounds(rows, rows, groups, 1, point, point, distances)
    }

    /// Compares bounds with a limit: sets bit i mod 64 of word i ÷ 64 if bound i is at most the limit.
    ///
    /// - Parameter count: The number of bounds, a multiple of 64.
    @inline(__always)
    package func bounds(
        _ bounds: UnsafePointer<Int32>, count: Int, within limit: Int32, into words: UnsafeMutablePointer<UInt64>
    ) {
        unsafe table.pointee.bounds_within(bounds, count, limit, words)
    }

    /// Codes a query for ``boxBounds(lows:highs:groups:blocks:query:into:)``.
    ///
    /// - Parameters:
    ///   - query: One float per dimension, and zeros up to a multiple of 8.
    ///   - slack: The outward rounding of coordinates, in steps.
    ///   - codes: Receives 2 × 4 · groups codes.
    /// - Returns: The sum of the squared distances of coordinates outside the codes, in steps.
    @inline(__always)
    func codeBoxQuery(
        _ query: UnsafePointer<Float>, on boxes: BoxTableView, slack: Double, into codes: UnsafeMutablePointer<UInt8>
    ) -> Double {
        unsafe table.pointee.code_box_query(
            query, boxes.dimension, boxes.offsets, Double(boxes.step), slack, codes, codes + 4 * boxes.groups)
    }
}
