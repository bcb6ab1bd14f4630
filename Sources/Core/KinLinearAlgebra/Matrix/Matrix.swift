/// A dense row-major matrix in one contiguous block.
///
///     var moods = try Matrix<Float>(rows: [[0.9, 0.1], [0.4, 0.6], [0, 1]])
///     moods[2, 0] = 0.2
///     moods.rows             // 3
///     Array(moods.row(2))    // [0.2, 1.0]
///
/// Element (i, j) is `elements[i * columns + j]`: the layout of a C array and of a NumPy array in C order, so that data
/// needs no rearranging on the way in or out. A matrix is a value; a copy shares the memory until one of the two is
/// changed. Throughout the library, each row is a vector.
///
/// Either dimension may be 0. Copying and `rows`, `columns`, `span` are O(1).
public struct Matrix<Scalar: MatrixScalar>: Sendable, Equatable {
    /// The number of rows (vectors).
    public let rows: Int

    /// The number of columns (dimensions).
    public let columns: Int

    /// The elements, `rows * columns` numbers, row-major.
    @usableFromInline
    var storage: [Scalar]

    /// Creates a matrix with the same number everywhere. Default: 0.
    ///
    /// - Precondition: neither size is negative, and their product fits in an `Int`.
    public init(rows: Int, columns: Int, repeating value: Scalar = 0) {
        unsafe self.init(rows: rows, columns: columns) { elements in
            // The filled part is copied repeatedly, in blocks that fit in the cache: an unspecialised loop takes 40
            // times as long.
            guard let first = elements.baseAddress else { return }
            unsafe first.initialize(to: value)
            var filled = 1
            while filled < elements.count {
                let count = min(filled, 4096, elements.count - filled)
                unsafe (first + filled).initialize(from: first, count: count)
                filled += count
            }
        }
    }

    /// Creates a matrix from an array of row-major numbers, without copying them.
    ///
    /// - Throws: `KinError.Code.invalidArgument` for a negative size, `KinError.Code.dimensionMismatch` unless there
    ///   are `rows * columns` elements.
    public init(rows: Int, columns: Int, elements: [Scalar]) throws(KinError) {
        guard rows >= 0, columns >= 0 else {
            throw KinError(.invalidArgument, "a matrix cannot have \(rows) rows and \(columns) columns")
        }
        let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
        guard !overflow, elements.count == count else {
            throw KinError(
                .dimensionMismatch,
                "a matrix of \(rows) rows and \(columns) columns cannot be made of \(elements.count) elements; "
                    + "give rows * columns of them, row after row"
            )
        }
        self.rows = rows
        self.columns = columns
        storage = elements
    }

    /// Creates a matrix from rows of equal length; no rows give a 0 × 0 matrix.
    ///
    /// - Throws: `KinError.Code.dimensionMismatch` with the first row whose length differs from that of row 0.
    public init(rows list: [[Scalar]]) throws(KinError) {
        let width = list.first?.count ?? 0
        var elements: [Scalar] = []
        elements.reserveCapacity(Self.elementCount(rows: list.count, columns: width))
        for (i, row) in list.enumerated() {
            guard row.count == width else {
                throw KinError(
                    .dimensionMismatch,
                    "row \(i) has \(row.count) elements and row 0 has \(width); make all rows equally long"
                )
            }
            elements.append(contentsOf: row)
        }
        rows = list.count
        columns = width
        storage = elements
    }

    /// Creates a matrix whose uninitialised memory `fill` writes.
    ///
    /// `fill` receives `rows * columns` uninitialised elements and must initialise all of them unless it throws.
    package init<Failure: Error>(
        rows: Int,
        columns: Int,
        initializingWith fill: (UnsafeMutableBufferPointer<Scalar>) throws(Failure) -> Void
    ) throws(Failure) {
        let count = Self.elementCount(rows: rows, columns: columns)
        var failure: Failure?
        storage = unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(Failure) {
                unsafe try fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
                initialized = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self.rows = rows
        self.columns = columns
    }

    /// The number of elements of a shape.
    ///
    /// - Precondition: Neither size is negative, and the product fits in an `Int`.
    private static func elementCount(rows: Int, columns: Int) -> Int {
        precondition(rows >= 0 && columns >= 0, "a matrix cannot have a negative size")
        let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
        precondition(!overflow, "a matrix of this size does not fit in memory")
        return count
    }
}

extension Matrix {
    /// Whether the matrix has no elements.
    @inlinable
    public var isEmpty: Bool { storage.isEmpty }

    /// The elements row after row, as an array that shares the matrix's memory.
    @inlinable
    public var elements: [Scalar] { storage }

    /// The element in row `i` and column `j`, both counted from 0.
    @inlinable
    public subscript(i: Int, j: Int) -> Scalar {
        get {
            checkIndex(i, j)
            return storage[i &* columns &+ j]
        }
        set {
            checkIndex(i, j)
            storage[i &* columns &+ j] = newValue
        }
    }

    @inlinable
    func checkIndex(_ i: Int, _ j: Int) {
        precondition(i >= 0 && i < rows && j >= 0 && j < columns, "matrix index out of range")
    }
}

/// A floating-point type for a ``Matrix``: `Float` for data, `Double` for sums and factorisations.
public protocol MatrixScalar: BinaryFloatingPoint, BitwiseCopyable, Sendable {}

extension Float: MatrixScalar {}
extension Double: MatrixScalar {}

extension Matrix: CustomStringConvertible {
    /// The shape and the top left corner of the matrix on one line: `1000 × 16 [[0.5, 0.25, 1.0, …], …]`.
    public var description: String {
        let shown = (0..<min(rows, 3)).map { i in
            "[" + Self.list(row(i).prefix(3).map { "\($0)" }, of: columns) + "]"
        }
        return "\(rows) × \(columns) [" + Self.list(shown, of: rows) + "]"
    }

    /// The items separated by commas, with an ellipsis if `count` is larger.
    private static func list(_ items: [String], of count: Int) -> String {
        (items.count < count ? items + ["…"] : items).joined(separator: ", ")
    }
}
