import GRDB
import GRDBSQLite

/// A value of a column or a statement's parameter.
enum SQLValue: Sendable, Hashable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    /// UTF-8 written by this library, stored as text.
    case utf8([UInt8])
    /// The absence of a value.
    case null

    /// An id from an argument, in normal form.
    ///
    /// - Throws: `.invalidArgument`, naming the parameter.
    static func id(_ text: String, _ field: String) throws(KinError) -> SQLValue {
        .text(try RecordID.checked(text, field: field))
    }

    /// The number of an instant some days before another, or the lowest number.
    static func microseconds(days: Int64, before instant: Timestamp) -> SQLValue {
        let (number, isBelow) = instant.microseconds.subtractingReportingOverflow(days * CivilDate.microsecondsPerDay)
        return .integer(isBelow ? .min : number)
    }

    /// The value as text; nil for other types.
    var text: String? {
        switch self {
        case .text(let text): text
        case .utf8(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }
}

/// The type of a value, as checksums cover it.
enum ValueType: UInt64 {
    case integer = 1
    case text
    case blob
    case null
}

extension CRC32C {
    /// Continues the checksum with a value's type, length and content, so that different lists of values never give the
    /// same bytes.
    mutating func update(_ value: SQLValue) {
        switch value {
        case .integer(let number): update(.integer, UInt64(bitPattern: number))
        case .text(var text): text.withUTF8 { unsafe update(.text, UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe update(.blob, unsafe $0) }
        case .utf8(let bytes): unsafe bytes.withUnsafeBytes { unsafe update(.text, unsafe $0) }
        case .null: update(.null, 0)
        }
    }

    private mutating func update(_ type: ValueType, _ number: UInt64) {
        unsafe withUnsafeBytes(of: (type.rawValue.littleEndian, number.littleEndian)) { update(unsafe $0.bytes) }
    }

    mutating func update(_ type: ValueType, _ bytes: UnsafeRawBufferPointer) {
        update(type, UInt64(bytes.count))
        update(unsafe bytes.bytes)
    }
}

/// A prepared SQLite statement, bound and stepped without GRDB's conversions.
///
/// The statement comes from GRDB's cache; each call resets it.
@safe
struct SQLStatement {
    private let statement: Statement
    private let database: Database

    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        self.database = database
    }

    private var pointer: OpaquePointer { unsafe statement.sqliteStatement }

    /// Executes the statement with some values.
    func run(_ values: [SQLValue]) throws {
        defer { unsafe sqlite3_reset(pointer) }
        try bind(values)
        guard unsafe sqlite3_step(pointer) == SQLITE_DONE else { throw failure }
    }

    /// Executes the statement with the values of a row followed by its checksum, without copying the row.
    ///
    /// - Returns: Whether a row was written.
    func write(_ row: RowView) throws -> Bool {
        defer {
            unsafe sqlite3_reset(pointer)
            // No address in the row may outlive it.
            unsafe sqlite3_clear_bindings(pointer)
        }
        var position: CInt = 1
        try row.forEach { _, value in
            let status: CInt =
                switch value {
                case .integer(let number): unsafe sqlite3_bind_int64(pointer, position, number)
                case .text(let bytes): unsafe bind(text: bytes, to: position, lifetime: nil)
                case .blob(let bytes): unsafe bind(blob: bytes, to: position, lifetime: nil)
                case .null: unsafe sqlite3_bind_null(pointer, position)
                }
            guard status == SQLITE_OK else { throw failure }
            position += 1
        }
        guard unsafe sqlite3_bind_int64(pointer, position, Int64(row.checksum)) == SQLITE_OK,
            unsafe sqlite3_step(pointer) == SQLITE_DONE
        else { throw failure }
        return database.changesCount > 0
    }

    /// Executes a query; its rows are valid until `body` returns.
    ///
    /// - Parameters:
    ///   - values: The values of the statement's parameters.
    ///   - work: Receives a step for every 256 rows; nil for none.
    ///   - body: Receives a row.
    func query(
        _ values: [SQLValue] = [], reportingTo work: LongWork? = nil, _ body: (SQLRow) throws -> Void
    ) throws {
        defer { unsafe sqlite3_reset(pointer) }
        try bind(values)
        var count = 0
        while try hasNextRow() {
            count += 1
            if count % 256 == 0 { try work?.step(by: 256) }
            unsafe try body(SQLRow(statement: pointer))
        }
    }

    /// Steps to the next row of a query.
    private func hasNextRow() throws -> Bool {
        let status = unsafe sqlite3_step(pointer)
        guard status == SQLITE_ROW || status == SQLITE_DONE else { throw failure }
        return status == SQLITE_ROW
    }

    /// Executes a query of row numbers between its two values for each of several ranges.
    ///
    /// - Parameter body: Receives each row once.
    /// - Returns: The numbers of the rows, which are in their first column.
    @discardableResult
    func query(numbers ranges: [ClosedRange<Int64>], _ body: (SQLRow) throws -> Void) throws -> Set<Int64> {
        var numbers: Set<Int64> = []
        for range in ranges {
            try query([.integer(range.lowerBound), .integer(range.upperBound)]) { row in
                if numbers.insert(row.integer(0)).inserted { try body(row) }
            }
        }
        return numbers
    }

    /// The results of reading each row of a query.
    func all<Result>(_ values: [SQLValue] = [], _ read: (SQLRow) throws -> Result) throws -> [Result] {
        var results: [Result] = []
        try query(values) { results.append(try read($0)) }
        return results
    }

    /// The result of reading the first row of a query; nil if the query has no rows.
    func first<Result>(_ values: [SQLValue] = [], _ read: (SQLRow) throws -> Result) throws -> Result? {
        defer { unsafe sqlite3_reset(pointer) }
        try bind(values)
        return try hasNextRow() ? unsafe read(SQLRow(statement: pointer)) : nil
    }

    private func bind(_ values: [SQLValue]) throws {
        for (index, value) in values.enumerated() {
            let position = CInt(index + 1)
            let status: CInt =
                switch value {
                case .integer(let number): unsafe sqlite3_bind_int64(pointer, position, number)
                case .text(var text):
                    text.withUTF8 {
                        unsafe bind(text: UnsafeRawBufferPointer($0), to: position, lifetime: Self.transient)
                    }
                case .utf8(let bytes):
                    unsafe bytes.withUnsafeBytes { unsafe bind(text: $0, to: position, lifetime: Self.transient) }
                case .null: unsafe sqlite3_bind_null(pointer, position)
                case .bytes(let bytes):
                    unsafe bytes.withUnsafeBytes { unsafe bind(blob: $0, to: position, lifetime: Self.transient) }
                }
            guard status == SQLITE_OK else { throw failure }
        }
    }

    /// Binds a UTF-8 text to the parameter at a position, counted from 1.
    ///
    /// - Parameter lifetime: ``transient``, or nil (`SQLITE_STATIC`) for bytes that outlast the statement's execution.
    private func bind(
        text bytes: UnsafeRawBufferPointer, to position: CInt, lifetime: sqlite3_destructor_type?
    ) -> CInt {
        unsafe sqlite3_bind_text64(
            pointer, position, Self.start(of: bytes).assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            lifetime, UInt8(SQLITE_UTF8))
    }

    /// Binds a blob; as ``bind(text:to:lifetime:)``.
    private func bind(
        blob bytes: UnsafeRawBufferPointer, to position: CInt, lifetime: sqlite3_destructor_type?
    ) -> CInt {
        unsafe sqlite3_bind_blob64(pointer, position, Self.start(of: bytes), UInt64(bytes.count), lifetime)
    }

    /// The address of bytes, never null: SQLite would bind a null pointer as NULL.
    private static func start(of bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        unsafe bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
    }

    /// The error of the connection's last call.
    private var failure: DatabaseError {
        unsafe DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
    }

    /// `SQLITE_TRANSIENT`, a macro in C: SQLite copies the bytes.
    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The current row of a query.
@safe
struct SQLRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL }

    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(column)) }

    /// Calls a body with the bytes of a text or blob.
    func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // The order matters: requesting the pointer may convert the value, and the length is that of the converted
        // value.
        let start = unsafe sqlite3_column_blob(statement, CInt(column))
        let count = unsafe sqlite3_column_bytes(statement, CInt(column))
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    func bytes(_ column: Int) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

    func text(_ column: Int) -> String { unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Continues a checksum over a column, equal to ``CRC32C/update(_:)-(SQLValue)`` of the stored value.
    func update(_ checksum: inout CRC32C, _ column: Int) {
        switch unsafe sqlite3_column_type(statement, CInt(column)) {
        case SQLITE_INTEGER: checksum.update(.integer(integer(column)))
        case SQLITE_TEXT: unsafe withBytes(column) { unsafe checksum.update(.text, $0) }
        case SQLITE_BLOB: unsafe withBytes(column) { unsafe checksum.update(.blob, $0) }
        case SQLITE_NULL: checksum.update(.null)
        default: checksum.update(.integer(.min))
        }
    }
}
