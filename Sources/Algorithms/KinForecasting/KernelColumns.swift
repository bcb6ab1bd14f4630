/// Columns of single-precision numbers with the same length, in one block of memory.
///
/// A forecast makes about a hundred passes over one or two hundred numbers. The loops are here, without bounds checks,
/// so that they are vectorized. Column numbers are not checked, since all callers are in this module.
struct KernelColumns {
    /// The number of rows in each column.
    let length: Int
    private var numbers: [Float]

    /// Creates a number of columns, filled with zeros.
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

    /// Calls `body` with the numbers of one column.
    func withColumn<Result>(_ column: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        unsafe numbers.withUnsafeBufferPointer {
            unsafe body(UnsafeBufferPointer(rebasing: $0[column * length..<(column + 1) * length]))
        }
    }

    /// Calls `body` with the address of the first number, unless the columns are empty.
    private mutating func withBase(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        guard length > 0 else { return }
        unsafe numbers.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { unsafe body(base) } }
    }

    /// The rows whose number in a column exceeds a limit, ascending.
    func rows(of column: Int, above limit: Float) -> [Int] {
        unsafe withColumn(column) { numbers in
            var rows: [Int] = []
            rows.reserveCapacity(length)
            for row in 0..<length where unsafe numbers[row] > limit { rows.append(row) }
            return rows
        }
    }

    /// Writes a function of the numbers in the source and the target column to the target column.
    @inline(__always)
    private mutating func update(_ target: Int, from source: Int, _ value: (_ from: Float, _ to: Float) -> Float) {
        let n = length
        unsafe withBase { base in
            let (from, to) = unsafe (base + source * n, base + target * n)
            for i in 0..<n { unsafe to[i] = value(from[i], to[i]) }
        }
    }

    /// Writes exp(−source ∕ scale) to the target column.
    mutating func decay(_ source: Int, by scale: Float, into target: Int) {
        let factor = -1 / scale
        update(target, from: source) { x, _ in weightDecayed(x * factor) }
    }

    /// Writes exp(−½ min(limit, (source ∕ width)²)) to the target column, and 1 if the source is NaN.
    mutating func near(_ source: Int, width: Float, limit: Float, into target: Int) {
        let factor = 1 / width
        update(target, from: source) { x, _ in
            let square = (x * factor) * (x * factor)
            return weightDecayed(square == square ? -0.5 * min(limit, square) : 0)
        }
    }

    /// Writes the square root of the source to the target column.
    mutating func squareRoot(_ source: Int, into target: Int) {
        update(target, from: source) { x, _ in x.squareRoot() }
    }

    /// Writes source · factor to the target column.
    mutating func scale(_ source: Int, by factor: Float, into target: Int) {
        update(target, from: source) { x, _ in x * factor }
    }

    /// Writes the product of columns a and b to the target column.
    mutating func multiply(_ a: Int, _ b: Int, into target: Int) {
        let n = length
        unsafe withBase { base in
            let (x, y, to) = unsafe (base + a * n, base + b * n, base + target * n)
            for i in 0..<n { unsafe to[i] = x[i] * y[i] }
        }
    }

    /// Adds source · factor to the target column.
    mutating func add(_ source: Int, times factor: Float = 1, to target: Int) {
        update(target, from: source) { x, sum in sum + x * factor }
    }

    /// Writes the running sums of the source to the target column, and returns the last sum.
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
