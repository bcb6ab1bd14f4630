/// Queries coded for one grid, for repeated comparisons with rows on that grid under different limits.
///
/// The compact content of many ``QueryBound`` values: 4 · groups weights and 12 bytes per query. For the squared
/// distance and for cosine, which has the same bound (see ``SquaredBound``); the numbers are floats rounded in the safe
/// direction.
///
/// Threads may code different queries at the same time.
@safe
package final class CodedQueries: Sendable {
    /// The number of queries that fit.
    package let count: Int
    private let dimension: Int
    private let groups: Int
    package let metric: Metric
    private let precision: CodePrecision
    nonisolated(unsafe) private let weights: UnsafeMutablePointer<Int8>
    /// The squared norm ‖v‖² of the codes.
    nonisolated(unsafe) private let centres: UnsafeMutablePointer<Int32>
    /// The norm ‖r_in‖, rounded up.
    nonisolated(unsafe) private let inner: UnsafeMutablePointer<Float>
    /// The squared norm ‖r_out‖², rounded down.
    nonisolated(unsafe) private let outer: UnsafeMutablePointer<Float>
    private let arena = Arena()

    /// Allocates memory for `count` queries of the squared distance or cosine.
    package init(count: Int, dimension: Int, metric: Metric, precision: CodePrecision) {
        precondition(!metric.comparesProducts, "inner products have a bound of another kind")
        self.count = count
        self.dimension = dimension
        groups = (dimension + 3) / 4
        self.metric = metric
        self.precision = precision
        unsafe weights = arena.allocate(count * 4 * groups)
        unsafe centres = arena.allocate(count)
        unsafe inner = arena.allocate(count)
        unsafe outer = arena.allocate(count)
    }

    /// The weights from query `first` on, for the kernels.
    @inline(__always)
    package func weights(from first: Int) -> UnsafePointer<Int8> { unsafe UnsafePointer(weights + first * 4 * groups) }
}

extension CodedQueries {
    /// Allocates memory for the same number and kind of queries.
    package func emptyCopy() -> CodedQueries {
        CodedQueries(count: count, dimension: dimension, metric: metric, precision: precision)
    }

    /// Copies the codes of some queries to slots of a second set.
    package func copy(_ range: Range<Int>, to slots: UnsafePointer<UInt32>, of target: CodedQueries) {
        let bytes = 4 * groups
        for (p, i) in range.enumerated() {
            let slot = unsafe Int(slots[p])
            for j in stride(from: 0, to: bytes, by: 4) {
                let word = unsafe UnsafeRawPointer(weights + i * bytes + j).loadUnaligned(as: UInt32.self)
                unsafe UnsafeMutableRawPointer(target.weights + slot * bytes + j).storeBytes(of: word, as: UInt32.self)
            }
            unsafe target.centres[slot] = centres[i]
            unsafe target.inner[slot] = inner[i]
            unsafe target.outer[slot] = outer[i]
        }
    }

    /// Codes queries in the slots `first ..< first + count`.
    ///
    /// - Parameter queries: count × stride floats, finite, and not zero for cosine; the stride is a multiple of 8 and
    ///   the floats past the dimension are zero.
    /// - Complexity: O(count · dimension).
    package func encode(_ queries: UnsafePointer<Float>, count: Int, stride: Int, grid: CodeGrid, first: Int) {
        let view = unsafe grid.view
        for i in 0..<count {
            let query = unsafe queries + i * stride
            let slot = first + i
            let length = metric.comparesDirections ? unsafe SquaredBound.length(of: query, dimension) : 1
            let sums = unsafe Kernels.active.codeQuery(
                query, dimension: dimension, length: length, grid: view, precision: precision,
                weights: weights + slot * 4 * groups)
            unsafe centres[slot] = Int32(sums.square)
            unsafe inner[slot] = Float(sums.inner.squareRoot() * (1 + 0x1p-22))
            unsafe outer[slot] = Float(min(sums.outer * (1 - 0x1p-22), 0x1p127))
        }
    }

    /// The kernels' limits for rows that are at most the given distances, in the metric's units, from the queries
    /// `first ..< first + count`.
    ///
    /// The formula of ``SquaredBound`` in single precision, so that the compiler can vectorise it. Each of its about
    /// twelve operations has a relative error of at most 2⁻²⁴, and a slack of 2⁻²⁰ on T², on (T + E)² and on p covers
    /// the preceding errors. The difference of (T + E)² and ‖r_out‖² is rounded once, relative to its own size.
    ///
    /// - Parameters:
    ///   - distances: One per query, as `limits`.
    ///   - grid: The grid that the queries were coded for.
    ///   - errors: The largest distances of the coded rows from the original rows.
    package func limits(
        from first: Int, count: Int, distances: UnsafePointer<Double>, grid: CodeGrid, errors: CodeErrors,
        into limits: UnsafeMutablePointer<Int32>
    ) {
        let scale = grid.scale * precision.step
        let law = LimitLaw(
            square: metric.boundLaw.scaled(by: 1 / (scale * scale)),
            error: Float(errors.bound(precision)).nextUp,
            largest: (Float(4 * groups) * Float(precision.highest * precision.highest)).nextUp)
        let (centres, inner, outer) = unsafe (centres + first, inner + first, outer + first)
        if law.largest < LimitLaw.largestInLowBits {
            for i in 0..<count {
                unsafe limits[i] = law.limit(
                    distances[i], centre: centres[i], inner: inner[i], outer: outer[i], whole: LimitLaw.inLowBits)
            }
        } else {
            for i in 0..<count {
                unsafe limits[i] = law.limit(
                    distances[i], centre: centres[i], inner: inner[i], outer: outer[i], whole: { Int32($0) })
            }
        }
    }
}

/// The formula of the limits, with the numbers that all queries share.
private struct LimitLaw {
    /// The law of T² in steps of the precision.
    var square: DistanceLaw
    /// The error bound E of the rows' codes.
    var error: Float
    /// The largest possible p, or slightly more.
    var largest: Float

    /// The limit for one query.
    ///
    /// - Parameter whole: Rounds to an integer, ⌊p⌋ or more.
    @inline(__always)
    func limit(_ distance: Double, centre: Int32, inner: Float, outer: Float, whole: (Float) -> Int32) -> Int32 {
        let slack = 1 + 0x1p-20 as Float
        let radius = (Float(square.quantity(distance)) * slack).squareRoot() + error
        let room = radius * radius * slack - outer
        let root = inner + (room < 0 ? 0 : room).squareRoot()
        let allowed = root * root * slack + 1
        // At the end of the range of sums all rows pass; NaN also takes this branch.
        let limit = (whole(allowed < largest ? allowed : largest) &- centre) &>> 1
        return room < 0 ? Int32.min : limit
    }

    /// Below this value, the low bits of a positive number's sum with 2²³ are the nearest integer. The compiler
    /// vectorises an addition, but not a conversion that checks its range.
    static let largestInLowBits = 0x1p22 as Float

    @inline(__always)
    static func inLowBits(_ p: Float) -> Int32 { Int32(bitPattern: (p + 0x1p23).bitPattern) &- 0x4B00_0000 }
}
