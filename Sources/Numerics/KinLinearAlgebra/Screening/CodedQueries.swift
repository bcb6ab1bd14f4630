/// Queries coded for one grid, to be held against rows on that grid again and again, each time with other limits.
///
/// What ``QueryBound`` finds out about one query, for many and compactly: 4 · groups weights and 12 bytes a query. For the
/// squared distance and for cosine, whose bound it is too (see ``SquaredBound``); the numbers are kept as floats that are
/// rounded to the safe side.
///
/// Threads may code different queries at the same time.
@safe
package final class CodedQueries: Sendable {
    /// What the queries are coded for now; nothing is before the first coding.
    package let count: Int
    private let dimension: Int
    private let groups: Int
    private let isCosine: Bool
    private let reading: CodeReading
    nonisolated(unsafe) private let weights: UnsafeMutablePointer<Int8>
    /// ‖v‖².
    nonisolated(unsafe) private let centres: UnsafeMutablePointer<Int32>
    /// ‖r_in‖, or a little more.
    nonisolated(unsafe) private let inner: UnsafeMutablePointer<Float>
    /// ‖r_out‖², or a little less.
    nonisolated(unsafe) private let outer: UnsafeMutablePointer<Float>

    /// Room for `count` queries of the squared distance or cosine.
    package init(count: Int, dimension: Int, metric: Metric, reading: CodeReading) {
        precondition(metric != .innerProduct, "inner products have a bound of another kind")
        self.count = count
        self.dimension = dimension
        groups = (dimension + 3) / 4
        isCosine = metric == .cosine
        self.reading = reading
        unsafe weights = .allocate(capacity: count * 4 * groups)
        unsafe centres = .allocate(capacity: count)
        unsafe inner = .allocate(capacity: count)
        unsafe outer = .allocate(capacity: count)
    }

    deinit {
        unsafe weights.deallocate()
        unsafe centres.deallocate()
        unsafe inner.deallocate()
        unsafe outer.deallocate()
    }

    /// The weights of query `first`, and of those behind it, for the kernels.
    @inline(__always)
    package func weights(from first: Int) -> UnsafePointer<Int8> { unsafe UnsafePointer(weights + first * 4 * groups) }
}

extension CodedQueries {
    /// Codes queries in the places `first ..< first + count`.
    ///
    /// - Parameter queries: count × stride floats, finite, none zero for cosine; the stride a multiple of 8 and the floats
    ///   past the dimension zero.
    /// - Complexity: O(count · dimension).
    package func encode(_ queries: UnsafePointer<Float>, count: Int, stride: Int, grid: CodeGrid, first: Int) {
        let placement = unsafe grid.placement
        for i in 0..<count {
            let query = unsafe queries + i * stride
            let place = first + i
            let length = isCosine ? unsafe SquaredBound.length(of: query, dimension) : 1
            let sums = unsafe Kernels.active.codeQuery(
                query, dimension: dimension, length: length, offsets: placement.offsets, scale: placement.scale,
                reading: reading, weights: weights + place * 4 * groups)
            unsafe centres[place] = Int32(sums.square)
            unsafe inner[place] = Float(sums.inner.squareRoot() * (1 + 0x1p-22))
            unsafe outer[place] = Float(min(sums.outer * (1 - 0x1p-22), 0x1p127))
        }
    }

    /// The kernels' limits for rows that are no farther from the queries `first ..< first + count` than these distances,
    /// in the metric's units.
    ///
    /// The formula of ``SquaredBound``, four queries at a time in single precision. Each of its dozen operations has a relative
    /// error of at most 2⁻²⁴, and a slack of 2⁻²⁰ on T², on (T + E)² and on p covers those before it; the difference of
    /// (T + E)² and ‖r_out‖² is rounded once, in proportion to itself.
    ///
    /// - Parameters:
    ///   - distances: One a query; `limits` too.
    ///   - grid: What the queries were coded for.
    ///   - errors: How far the codes of the rows are from the rows.
    package func limits(
        from first: Int, count: Int, distances: UnsafePointer<Double>, grid: CodeGrid, errors: CodeErrors,
        into limits: UnsafeMutablePointer<Int32>
    ) {
        let scale = grid.scale * reading.step
        // As QueryBound has it for cosine.
        let (factor, summand) = isCosine ? (2.0, 0x1p-34) : (1.0, 0.0)
        let law = LimitLaw(
            factor: factor / (scale * scale), summand: summand / (scale * scale),
            error: Float(errors.bound(reading)).nextUp,
            largest: (Float(4 * groups) * Float(reading.highest * reading.highest)).nextUp)
        var i = 0
        while i + 4 <= count {
            let place = first + i
            let found = unsafe law.limits(
                UnsafeRawPointer(distances + i).loadUnaligned(as: SIMD4<Double>.self),
                centres: UnsafeRawPointer(centres + place).loadUnaligned(as: SIMD4<Int32>.self),
                inner: UnsafeRawPointer(inner + place).loadUnaligned(as: SIMD4<Float>.self),
                outer: UnsafeRawPointer(outer + place).loadUnaligned(as: SIMD4<Float>.self))
            unsafe UnsafeMutableRawPointer(limits + i).storeBytes(of: found, as: SIMD4<Int32>.self)
            i += 4
        }
        while i < count {
            let place = first + i
            let found = unsafe law.limits(
                SIMD4(repeating: distances[i]), centres: SIMD4(repeating: centres[place]),
                inner: SIMD4(repeating: inner[place]), outer: SIMD4(repeating: outer[place]))
            unsafe limits[i] = found[0]
            i += 1
        }
    }
}

/// What the limits of all queries have in common.
private struct LimitLaw {
    /// T² in steps of the reading is factor · distance + summand.
    var factor: Double
    var summand: Double
    /// E.
    var error: Float
    /// The largest p there is, a float exactly or a little more.
    var largest: Float

    @inline(__always)
    func limits(
        _ distances: SIMD4<Double>, centres: SIMD4<Int32>, inner: SIMD4<Float>, outer: SIMD4<Float>
    ) -> SIMD4<Int32> {
        let slack = 1 + 0x1p-20 as Float
        let reach = (SIMD4<Float>(distances * factor + summand) * slack).squareRoot() + error
        let room = reach * reach * slack - outer
        let root = inner + room.replacing(with: 0, where: room .< 0).squareRoot()
        let allowed = root * root * slack + 1
        let most = SIMD4<Float>(repeating: largest)
        // Where the sums end all rows pass: a NaN takes that side too.
        let p = most.replacing(with: allowed, where: allowed .< most)
        let whole = SIMD4(Int32(p[0]), Int32(p[1]), Int32(p[2]), Int32(p[3]))
        return ((whole &- centres) &>> 1).replacing(with: Int32.min, where: room .< 0)
    }
}
