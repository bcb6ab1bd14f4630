import KinCore
import KinJSON

/// The table of a type of record: its kind, whom a record belongs to, and the value of each column.
///
///     static let table = RecordTable<UserChallenge>(
///         "user_challenge", owner: \.userID, .text("challenge", \.challengeID), .instant("assigned", \.assigned),
///         key: ["person", "challenge", "assigned"], order: ["assigned", "challenge"])
///
/// The columns are the person of an owned record, those declared, and the body.
struct RecordTable<Record: Sendable>: Sendable {
    /// A column between person and body.
    struct Column: Sendable {
        let name: String
        let value: @Sendable (Record) -> SQLValue

        /// A column of texts, null for nil.
        static func text(_ name: String, _ value: @escaping @Sendable (Record) -> String?) -> Column {
            Column(name: name) { record in value(record).map { .text($0) } ?? .null }
        }

        /// A column of whole numbers.
        static func integer(_ name: String, _ value: @escaping @Sendable (Record) -> Int) -> Column {
            Column(name: name) { .integer(Int64(value($0))) }
        }

        /// A column of booleans, 1 for true.
        static func boolean(_ name: String, _ value: @escaping @Sendable (Record) -> Bool) -> Column {
            Column(name: name) { .integer(value($0) ? 1 : 0) }
        }

        /// A column of instants in microseconds.
        static func instant(_ name: String, _ value: @escaping @Sendable (Record) -> Timestamp) -> Column {
            Column(name: name) { .integer(value($0).microseconds) }
        }
    }

    let kind: RecordKind
    private let owner: (@Sendable (Record) -> String)?
    private let columns: [Column]
    private let body: @Sendable (Record) -> [UInt8]

    /// Declares a table with its columns.
    ///
    /// - Parameters:
    ///   - name: The name of table and kind.
    ///   - owner: The person whom a record belongs to; nil for shared records.
    ///   - columns: The columns between person and body.
    ///   - key: The columns that identify a record; the person or the id when nil.
    ///   - order: The columns that order an export; the number when nil.
    ///   - body: The record as JSON.
    init(
        _ name: String, owner: (@Sendable (Record) -> String)? = nil, _ columns: [Column], key: [String]? = nil,
        order: [String]? = nil, body: @escaping @Sendable (Record) -> [UInt8]
    ) {
        let names = (owner == nil ? [] : ["person"]) + columns.map(\.name) + ["body"]
        kind = RecordKind(name, columns: names, key: key ?? [names[0]], order: order ?? ["number"])
        self.owner = owner
        self.columns = columns
        self.body = body
    }

    /// The person whom a record belongs to; nil for shared records.
    func owner(of record: Record) -> String? { owner?(record) }

    /// The values of the kind's columns without the person.
    func values(of record: Record) -> [SQLValue] { columns.map { $0.value(record) } + [.utf8(body(record))] }
}

extension RecordTable where Record: JSONRecord {
    /// Declares a table whose bodies are the records' own JSON.
    init(
        _ name: String, owner: (@Sendable (Record) -> String)? = nil, _ columns: Column..., key: [String]? = nil,
        order: [String]? = nil
    ) {
        self.init(name, owner: owner, columns, key: key, order: order, body: \.jsonBytes)
    }
}
