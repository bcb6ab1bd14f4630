/// The matrix products in plain loops, for builds without a system's BLAS.
///
/// Goals, in this order: no dependency; equal rows of operands give equal numbers, regardless of their position; few
/// lines; speed. One routine, ``gemm``, computes tiles of four rows by one vector of columns, after rearranging a strip
/// of B in reading order. Sums run over k in ascending order within blocks of ``depth``.
enum PortableBLAS {
    /// Two registers of 16 bytes.
    typealias Lanes = SIMD4<Double>

    /// The number of rows of B in a strip: the strip fills half a first-level cache.
    private static var depth: Int { 512 }

    /// The number of rows of a tile: its sums fit in 16 registers of 16 bytes.
    private static var tileRows: Int { 4 }

    /// Computes C ← A B + β C, with A m × k and B k × n; for β = 0 the old C is not read.
    ///
    /// - Complexity: O(m n k).
    static func gemm(
        _ a: MatrixOperand, _ b: MatrixOperand, beta: Double, into c: MatrixTarget
    ) {
        let k = a.columns
        unsafe withUnsafeTemporaryAllocation(of: Lanes.self, capacity: min(k, depth)) { strip in
            for j in stride(from: 0, to: c.columns, by: Lanes.scalarCount) {
                for p in stride(from: 0, to: k, by: depth) {
                    let part = unsafe UnsafeMutableBufferPointer(rebasing: strip[..<min(depth, k - p)])
                    for q in part.indices { unsafe part[q] = b.lanes(row: p + q, column: j) }
                    for i in stride(from: 0, to: c.rows, by: tileRows) {
                        unsafe addTile(
                            a.from(row: i, column: p), UnsafeBufferPointer(part), beta: p == 0 ? beta : 1,
                            into: c.from(row: i, column: j, rows: tileRows))
                    }
                }
            }
        }
    }

    /// Adds the products of up to four rows of A with a strip of B to a tile of β C.
    private static func addTile(
        _ a: MatrixOperand, _ strip: UnsafeBufferPointer<Lanes>, beta: Double, into c: MatrixTarget
    ) {
        var sums = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        // Missing rows repeat the last row, and are not written.
        let (r1, r2, r3) = (min(1, c.rows - 1), min(2, c.rows - 1), min(3, c.rows - 1))
        for q in strip.indices {
            let lanes = unsafe strip[q]
            sums.0 += a[0, q] * lanes
            sums.1 += a[r1, q] * lanes
            sums.2 += a[r2, q] * lanes
            sums.3 += a[r3, q] * lanes
        }
        for (row, sum) in [sums.0, sums.1, sums.2, sums.3].prefix(c.rows).enumerated() {
            for column in 0..<min(Lanes.scalarCount, c.columns) {
                c.update(row, column, beta: beta, adding: sum[column])
            }
        }
    }

    /// Computes the upper triangle of C ← A Aᵀ + β C, with A n × k, in bands of rows.
    static func syrk(_ a: MatrixOperand, beta: Double, into c: MatrixTarget) {
        let band = 64
        for i in stride(from: 0, to: a.rows, by: band) {
            let rest = a.from(row: i, column: 0)
            gemm(rest, rest.transposed, beta: beta, into: c.from(row: i, column: i, rows: band))
        }
    }

    /// Computes y ← A x + β y; each row of A is contiguous.
    static func gemv(
        _ a: MatrixOperand, _ x: UnsafePointer<Double>, beta: Double, into y: UnsafeMutablePointer<Double>
    ) {
        for i in 0..<a.rows {
            let sum = unsafe dot(a.from(row: i, column: 0).elements, x, count: a.columns)
            unsafe y[i] = beta == 0 ? sum : beta * y[i] + sum
        }
    }

    /// Computes B ← B U, with B m × n and U an upper triangle of order n, whose lower part is not read.
    static func trmm(upper u: MatrixOperand, into b: MatrixTarget) {
        for i in 0..<b.rows {
            let row = unsafe b.elements + i * b.stride
            // From the last row on: row p of U changes only the numbers from p on, and those lack only its
            // contribution.
            for p in (0..<u.rows).reversed() {
                let factor = unsafe row[p]
                unsafe row[p] = factor * u[p, p]
                guard p + 1 < u.rows else { continue }
                unsafe add(
                    factor, times: u.from(row: p, column: p + 1).elements, to: row + p + 1, count: u.rows - p - 1)
            }
        }
    }

    /// The inner product of two vectors, in two sums of lanes.
    static func dot(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, count: Int) -> Double {
        let width = Lanes.scalarCount
        var (even, odd) = (Lanes.zero, Lanes.zero)
        var i = 0
        while i + 2 * width <= count {
            unsafe even += load(x + i) * load(y + i)
            unsafe odd += load(x + i + width) * load(y + i + width)
            i += 2 * width
        }
        var sum = 0.0
        let lanes = even + odd
        for lane in lanes.indices { sum += lanes[lane] }
        while i < count {
            unsafe sum += x[i] * y[i]
            i += 1
        }
        return sum
    }

    /// Computes y ← y + f x.
    static func add(_ factor: Double, times x: UnsafePointer<Double>, to y: UnsafeMutablePointer<Double>, count: Int) {
        let width = Lanes.scalarCount
        var i = 0
        while i + width <= count {
            let sum = unsafe load(y + i) + factor * load(x + i)
            unsafe UnsafeMutableRawPointer(y + i).storeBytes(of: sum, as: Lanes.self)
            i += width
        }
        while i < count {
            unsafe y[i] += factor * x[i]
            i += 1
        }
    }

    private static func load(_ place: UnsafePointer<Double>) -> Lanes {
        unsafe UnsafeRawPointer(place).loadUnaligned(as: Lanes.self)
    }
}
