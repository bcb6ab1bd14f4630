import GRDB

/// Data that is derived from records, cached in memory and updated from the change log.
///
/// A ``DerivedCache`` stores values with the version of the store that they reflect, and compares the version before
/// every use. The rows that changed since are read again (``apply(_:for:in:)``). A value whose version the log does not
/// reach is derived again from all records. So an answer agrees with the database, whatever happened to the process,
/// the file or the database in between.
protocol DerivedValue: Sendable {
    /// The identity of a value among the values of its type, such as a metric or a person.
    associatedtype Key: Hashable & Sendable

    /// The kinds of records that values are derived from.
    static var sources: [RecordKind] { get }

    /// The id of the only person whose records are used; nil for the records of all people.
    static func person(of key: Key) -> String?

    /// Derives the value from all records.
    init(for key: Key, in database: Database) throws

    /// Reads changed rows again. Default: the value is derived again.
    ///
    /// - Parameters:
    ///   - changes: The rows of ``sources`` that were inserted, updated or deleted since the value's version; may
    ///     include rows of other people.
    ///   - key: The identity of the value.
    ///   - database: A connection that sees a newer version.
    /// - Returns: Whether the value is up to date; otherwise it is derived again.
    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool

    /// An estimate of the memory that the value takes, in bytes.
    var byteCount: Int { get }

    /// Reads a saved value with its version; nil if no value is saved. Only a ``SavedValue`` can be saved.
    static func saved(for key: Key, in folder: IndexFolder) -> (value: Self, version: StoreVersion)?
}

extension DerivedValue {
    static func person(of key: Key) -> String? { nil }
    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool { false }
    static func saved(for key: Key, in folder: IndexFolder) -> (value: Self, version: StoreVersion)? { nil }
}

/// The changed rows of one kind, read again.
struct ChangedRows<Record: StoredRecord> {
    /// The existing records with their row numbers, each once.
    private(set) var present: [(number: Int64, record: Record)] = []
    /// All changed row numbers, including those of deleted rows.
    private(set) var numbers: Set<Int64> = []
    /// The numbers of deleted rows.
    var gone: Set<Int64> { numbers.subtracting(present.map(\.number)) }

    /// Reads the rows of a kind that changed.
    ///
    /// - Parameter limit: The largest number of rows; nil is returned for more.
    init?(_ changes: [RecordChange], limit: Int, in database: Database) throws {
        guard let ranges = changes.numbers(of: Record.kind, atMost: limit) else { return nil }
        let query = try SQLStatement("\(Record.kind.select) WHERE number BETWEEN ? AND ?", in: database)
        try query.query(numbers: ranges) { row in
            let stored = try StoredRow(row, of: Record.kind, in: database)
            present.append((stored.number, try stored.record()))
        }
        numbers = Set(ranges.joined())
    }
}

extension [RecordChange] {
    /// The changed row numbers of a kind; nil if there are more than a limit.
    func numbers(of kind: RecordKind, atMost limit: Int = .max) -> [ClosedRange<Int64>]? {
        let ranges = filter { $0.kind == kind.name }.map(\.numbers)
        return ranges.reduce(0) { $0 + $1.count } <= limit ? ranges : nil
    }
}
