/// The layout of the attributes of a chunk of rows in one block of memory, which is the same in a file.
///
/// For a capacity of c rows, a multiple of 64, it contains in this order, each at a multiple of 64 bytes:
/// - the ids, 8 c bytes;
/// - for each column, its presence, one bit per row (row r is bit r mod 64 of word r ÷ 64), and then its values: 8 or 4
///   bytes per row, or one bit.
///
/// A time range has two columns, every other attribute one. Missing values, and all entries without a row, are zero.
struct AttributeLayout: Sendable, Hashable {
    /// The storage type of a column.
    enum ColumnType: Sendable, Hashable {
        /// A 64-bit integer or the bits of a double.
        case word
        /// The 32-bit number of a category or a set of tags.
        case code
        /// One bit per row.
        case bit
    }

    /// The binary logarithm of the number of rows in a full chunk: copying a chunk after a snapshot costs about 64 KB
    /// per column.
    static let chunkShift = 13
    static let chunkRows = 1 << chunkShift

    let columns: [ColumnType]
    /// The first column of each attribute.
    let firstColumns: [Int]

    init(_ schema: AttributeSchema) {
        var columns: [ColumnType] = []
        var firstColumns: [Int] = []
        for attribute in schema.attributes {
            firstColumns.append(columns.count)
            columns += Self.types(of: attribute.kind)
        }
        self.columns = columns
        self.firstColumns = firstColumns
    }

    private static func types(of kind: AttributeKind) -> [ColumnType] {
        switch kind {
        case .integer, .number, .time: [.word]
        case .category, .tags: [.code]
        case .boolean: [.bit]
        case .timeRange: [.word, .word]
        }
    }

    /// The offsets of a chunk's arrays, in bytes from its start.
    struct Offsets {
        var presence: [Int] = []
        var values: [Int] = []
        var byteCount: Int
    }

    /// Computes the offsets for a capacity, a multiple of 64.
    func offsets(capacity: Int) -> Offsets {
        var offsets = Offsets(byteCount: 8 * capacity)
        for type in columns {
            offsets.presence.append(offsets.byteCount)
            offsets.byteCount += Self.aligned(capacity / 8)
            offsets.values.append(offsets.byteCount)
            offsets.byteCount += Self.aligned(Self.byteCount(of: type, rows: capacity))
        }
        return offsets
    }

    /// The number of bytes of the values of a multiple of 64 rows.
    static func byteCount(of type: ColumnType, rows: Int) -> Int {
        switch type {
        case .word: 8 * rows
        case .code: 4 * rows
        case .bit: rows / 8
        }
    }

    /// The smallest multiple of 64 that is at least the number of rows.
    static func blocks(_ rows: Int) -> Int { (rows + 63) & ~63 }

    private static func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
}
