/// The codes of an upper triangle in 16 bits, and what ``TriangleScreen`` has to know of their errors.
struct TriangleCoding {
    /// The lengths of the triangle's rows, by which they are divided first.
    let lengths: [Double]
    /// The codes, in the layout of `kin_triangle_job`.
    let weights: [Int16]
    /// The steps of a code to 1.
    let scale: Double
    /// A bound on the spectral norm of the triangle of rows of length 1: the root of its largest column sum of magnitudes
    /// times its largest row sum.
    let spectralBound: Double
    /// The root of the sum of squares of the codes' errors.
    let frobeniusError: Double

    private typealias Lanes = SIMD8<Double>

    /// Codes a triangle; nil when a row's length is not within 10⁻¹⁵⁰…10¹⁵⁰.
    init?(_ u: Matrix<Double>) {
        let n = u.rows
        var rows = UnitRows(order: n)
        guard unsafe u.withUnsafeBufferPointer({ unsafe rows.fill($0.baseAddress!) }) else { return nil }
        lengths = rows.lengths
        spectralBound = (rows.sums.max() * rows.largestRowSum).squareRoot()
        let scale = min(32_766, 65_000 / rows.squares.max().squareRoot())
        let (blocks, pairs) = ((n + 15) / 16, (n + 1) / 2)
        var weights = [Int16](repeating: 0, count: blocks * pairs * 32)
        var errors = Lanes.zero
        let padding = 16 * blocks - n
        unsafe weights.withUnsafeMutableBufferPointer { weights in
            for k in 0..<n {
                for c in k / 8..<rows.chunks {
                    let exact = rows.elements[k * rows.chunks + c] * scale
                    let shifted = exact + 0x1.8p52
                    let rest = exact - (shifted - 0x1.8p52)
                    errors += rest * rest
                    // The low bits of 1.5 · 2⁵² + v are those of v.
                    let codes = SIMD8<Int16>(truncatingIfNeeded: unsafe unsafeBitCast(shifted, to: SIMD8<Int64>.self))
                    for lane in 0..<min(8, n &- 8 &* c) {
                        let place = 8 &* c &+ lane &+ padding
                        let block = (place &>> 4) &* pairs &+ (k &>> 1)
                        unsafe weights[block &* 32 &+ (place & 15) &* 2 &+ (k & 1)] = codes[lane]
                    }
                }
            }
        }
        (self.weights, self.scale) = (weights, scale)
        frobeniusError = errors.sum().squareRoot() / scale
    }
}

/// The rows of a triangle divided by their lengths, in whole vectors of eight, with sums over its columns.
private struct UnitRows {
    typealias Lanes = SIMD8<Double>

    let order, chunks: Int
    var elements: [Lanes]
    var lengths: [Double]
    /// The sums of magnitudes and of squares in each column.
    var sums, squares: [Lanes]
    /// The largest sum of magnitudes in a row.
    var largestRowSum = 0.0

    init(order: Int) {
        self.order = order
        chunks = (order + 7) / 8
        elements = [Lanes](repeating: .zero, count: order * chunks)
        lengths = []
        lengths.reserveCapacity(order)
        sums = [Lanes](repeating: .zero, count: chunks)
        squares = sums
    }

    /// Takes the rows of an upper triangle; false when a length is not within 10⁻¹⁵⁰…10¹⁵⁰.
    mutating func fill(_ u: UnsafePointer<Double>) -> Bool {
        for k in 0..<order {
            var square = Lanes.zero
            for c in k / 8..<chunks {
                let lanes = unsafe load(u + k * order, chunk: c)
                elements[k * chunks + c] = lanes
                square += lanes * lanes
            }
            let length = square.sum().squareRoot()
            guard length >= 1e-150 && length <= 1e150 else { return false }
            lengths.append(length)
            var rowSum = Lanes.zero
            for c in k / 8..<chunks {
                let lanes = elements[k * chunks + c] * (1 / length)
                elements[k * chunks + c] = lanes
                let magnitudes = lanes.replacing(with: -lanes, where: lanes .< 0)
                rowSum += magnitudes
                sums[c] += magnitudes
                squares[c] += lanes * lanes
            }
            largestRowSum = max(largestRowSum, rowSum.sum())
        }
        return true
    }

    /// Eight numbers of a row, with zeros behind it.
    private func load(_ row: UnsafePointer<Double>, chunk: Int) -> Lanes {
        guard 8 * chunk + 8 > order else {
            return unsafe UnsafeRawPointer(row + 8 * chunk).loadUnaligned(as: Lanes.self)
        }
        var lanes = Lanes.zero
        for lane in 0..<(order - 8 * chunk) { unsafe lanes[lane] = row[8 * chunk + lane] }
        return lanes
    }
}

extension [SIMD8<Double>] {
    /// The largest of all numbers, which are not negative.
    fileprivate func max() -> Double { reduce(0) { Swift.max($0, $1.max()) } }
}
