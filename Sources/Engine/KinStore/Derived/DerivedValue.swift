import GRDB

/// Data that is derived from records, kept in memory and brought up to date by the change log.
///
/// A ``DerivedCache`` holds values with the version of the store that they show. Before every use the version is compared: the rows that
/// changed since are read again (``apply(_:for:in:)``), and a value whose version the log does not reach is derived anew. So an answer
/// agrees with the database whatever happened to process, file or database in between.
protocol DerivedValue: Sendable {
    /// The identity of one value among those of its type: a metric, a person.
    associatedtype Key: Hashable & Sendable

    /// The kinds of records that values are derived from.
    static var sources: [RecordKind] { get }

    /// The id of the person whose records alone count; nil when everybody's do.
    static func person(of key: Key) -> String?

    /// Derives the value from all records.
    init(for key: Key, in database: Database) throws

    /// Reads changed rows again; by default a value is derived anew.
    ///
    /// - Parameters:
    ///   - changes: The rows of ``sources`` that were inserted, updated or deleted since the value's version; some may be of other people.
    ///   - key: The identity of the value.
    ///   - database: A connection that sees a newer version.
    /// - Returns: Whether the value is up to date; otherwise it is derived anew.
    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool

    /// An estimate of the memory that the value takes, in bytes.
    var byteCount: Int { get }

    /// Reads a value that was saved, with its version; nil when there is none, as of every type but a ``SavedValue``.
    static func saved(for key: Key, in folder: IndexFolder) -> (value: Self, version: StoreVersion)?
}

extension DerivedValue {
    static func person(of key: Key) -> String? { nil }
    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool { false }
    static func saved(for key: Key, in folder: IndexFolder) -> (value: Self, version: StoreVersion)? { nil }
}

/// The changed rows of one kind, read again.
struct ChangedRows<Record: StoredRecord> {
    /// The records that are there, with their row numbers, each once.
    private(set) var present: [(number: Int64, record: Record)] = []
    /// All changed row numbers, those of deleted rows among them.
    private(set) var numbers: Set<Int64> = []
    /// The numbers of deleted rows.
    var gone: Set<Int64> { numbers.subtracting(present.map(\.number)) }

    /// Reads the rows of a kind that changed.
    ///
    /// - Parameter limit: The largest number of rows; nil is returned for more.
    init?(_ changes: [RecordChange], limit: Int, in database: Database) throws {
        let ranges = changes.filter { $0.kind == Record.kind.name }.map(\.numbers)
        guard ranges.reduce(0, { $0 + $1.count }) <= limit else { return nil }
        for range in ranges {
            let query = RecordQuery<Record>(
                "WHERE \(Record.kind.name).number BETWEEN ? AND ?",
                [.integer(range.lowerBound), .integer(range.upperBound)])
            try query.forEach(in: database) { record, number in
                if !numbers.contains(number) { present.append((number, record)) }
                return true
            }
            numbers.formUnion(range)
        }
    }
}
