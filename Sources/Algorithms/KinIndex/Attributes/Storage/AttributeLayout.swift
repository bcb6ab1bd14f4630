/// The layout of the attributes of a chunk of rows in one run of memory, the same in a file.
///
/// For a capacity of c rows, a multiple of 64, there are one after the other, each at a multiple of 64 bytes:
/// - the ids, 8 c bytes;
/// - for each column its presence, one bit a row (row r is bit r mod 64 of word r ÷ 64), and then its values: 8 or 4
///   bytes a row, or one bit.
///
/// A time range is two columns, every other attribute one. Values that are missing, and all entries without a row, are zero.
struct AttributeLayout: Sendable, Hashable {
    /// The storage type of a column.
    enum ColumnType: Sendable, Hashable {
        /// A 64-bit integer or the bits of a double.
        case word
        /// The 32-bit number of a category.
        case code
        /// One bit a row.
        case bit
    }

    /// Rows in a full chunk: 2¹³, so that copying one after a snapshot costs some 64 KB a column.
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
        case .category: [.code]
        case .boolean: [.bit]
        case .timeRange: [.word, .word]
        }
    }

    /// The offsets of the arrays of a chunk, in bytes from its first.
    struct Offsets {
        var presence: [Int] = []
        var values: [Int] = []
        var byteCount: Int
    }

    /// The offsets for a capacity, a multiple of 64.
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

    /// Bytes of the values of some rows, a multiple of 64.
    static func byteCount(of type: ColumnType, rows: Int) -> Int {
        switch type {
        case .word: 8 * rows
        case .code: 4 * rows
        case .bit: rows / 8
        }
    }

    /// The smallest multiple of 64 that is at least so many rows.
    static func blocks(_ rows: Int) -> Int { (rows + 63) & ~63 }

    private static func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
}
