/// Columns of single-precision numbers, all of one length, in one block of memory.
///
/// A forecast goes some hundred times over a hundred numbers or two; the loops are here, without bounds checks, so that they become
/// vector code. The callers, all in this engine, name columns that exist.
struct KernelColumns {
    /// The numbers of a column.
    let length: Int
    private var numbers: [Float]

    /// Columns of zeros.
    init(_ columns: Int, length: Int) {
        self.length = length
        numbers = [Float](repeating: 0, count: columns * length)
    }

    subscript(column: Int, row: Int) -> Float {
        get { numbers[column * length + row] }
        set { numbers[column * length + row] = newValue }
    }

    /// Sets a row of the first eight columns at once.
    mutating func set(_ row: Int, _ values: SIMD8<Float>) {
        precondition(row >= 0 && row < length, "the row is there")
        let n = length
        unsafe withBase { base in
            for column in 0..<8 { unsafe base[column * n + row] = values[column] }
        }
    }

    /// The numbers of one column.
    func withColumn<Result>(_ column: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        unsafe numbers.withUnsafeBufferPointer {
            unsafe body(UnsafeBufferPointer(rebasing: $0[column * length..<(column + 1) * length]))
        }
    }

    private mutating func withBase(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        guard length > 0 else { return }
        unsafe numbers.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { unsafe body(base) } }
    }

    /// The rows whose number in a column is larger than a limit.
    func rows(of column: Int, above limit: Float) -> [Int] {
        unsafe withColumn(column) { numbers in
            var rows: [Int] = []
            rows.reserveCapacity(length)
            for row in 0..<length where unsafe numbers[row] > limit { rows.append(row) }
            return rows
        }
    }

    /// target = exp(−source ∕ scale)
    mutating func decay(_ source: Int, by scale: Float, into target: Int) {
        let (n, factor) = (length, -1 / scale)
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] = weightDecayed(from[i] * factor) }
        }
    }

    /// target = exp(−½ min(limit, (source ∕ width)²)); 1 where the source is NaN.
    mutating func near(_ source: Int, width: Float, limit: Float, into target: Int) {
        let (n, factor) = (length, 1 / width)
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n {
                let z = unsafe from[i] * factor
                let square = z * z
                unsafe to[i] = weightDecayed(square == square ? -0.5 * min(limit, square) : 0)
            }
        }
    }

    /// target = √source
    mutating func squareRoot(_ source: Int, into target: Int) {
        let n = length
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] = from[i].squareRoot() }
        }
    }

    /// target = source · factor
    mutating func scale(_ source: Int, by factor: Float, into target: Int) {
        let n = length
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] = from[i] * factor }
        }
    }

    /// target = a · b
    mutating func multiply(_ a: Int, _ b: Int, into target: Int) {
        let n = length
        unsafe withBase { base in
            let (x, y, to) = unsafe (base + a * n, base + b * n, base + target * n)
            for i in 0..<n { unsafe to[i] = x[i] * y[i] }
        }
    }

    /// target = target + source
    mutating func add(_ source: Int, to target: Int) {
        let n = length
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] += from[i] }
        }
    }

    /// target = target + source · factor
    mutating func add(_ source: Int, times factor: Float, to target: Int) {
        let n = length
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] += from[i] * factor }
        }
    }

    /// target = the sums of the source from its beginning on; returns the last.
    mutating func accumulate(_ source: Int, into target: Int) -> Float {
        let n = length
        var sum: Float = 0
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            var running: Float = 0
            for i in 0..<n {
                running += unsafe from[i]
                unsafe to[i] = running
            }
            sum = running
        }
        return sum
    }
}
