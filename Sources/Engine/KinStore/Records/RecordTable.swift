/// The table of a type of record: its kind, the owner of a record, and the value of each column.
///
///     static let table = RecordTable<UserChallenge>(
///         "user_challenge", owner: \.userID, .text("challenge", \.challengeID), .instant("assigned", \.assigned),
///         key: ["person", "challenge", "assigned"], order: ["assigned", "challenge"])
///
/// The columns are the person of an owned record, the declared columns and the body.
final class RecordTable<Record: Sendable>: Sendable {
    /// A column between person and body.
    struct Column: Sendable {
        let name: String
        /// The type in SQL with its constraint.
        let type: String
        /// The value in a key, from its text and the column's name. Default: an id.
        var parse: @Sendable (String, String) throws(KinError) -> SQLValue = { text, name throws(KinError) in
            .text(try RecordID.checked(text, field: name))
        }
        /// Appends the value of a record.
        let write: @Sendable (Record, inout RowBytes) -> Void

        /// A column of texts.
        static func text(_ name: String, _ value: @escaping @Sendable (Record) -> String) -> Column {
            Column(name: name, type: "TEXT NOT NULL") { $1.append(value($0)) }
        }

        /// A column of texts, null for nil.
        static func optionalText(_ name: String, _ value: @escaping @Sendable (Record) -> String?) -> Column {
            Column(name: name, type: "TEXT") { $1.append(value($0)) }
        }

        /// A column of whole numbers.
        static func integer(_ name: String, _ value: @escaping @Sendable (Record) -> Int) -> Column {
            numbers(name, value) { text throws(KinError) in
                guard let number = Int64(text) else {
                    throw KinError(.invalidArgument, "\"\(text.prefix(40))\" is not a whole number")
                }
                return number
            }
        }

        /// A column of booleans, 1 for true.
        static func boolean(_ name: String, _ value: @escaping @Sendable (Record) -> Bool) -> Column {
            integer(name) { value($0) ? 1 : 0 }
        }

        /// A column of instants in microseconds.
        static func instant(_ name: String, _ value: @escaping @Sendable (Record) -> Timestamp) -> Column {
            numbers(name, { Int(value($0).microseconds) }) { text throws(KinError) in
                try Timestamp(text, needsOffset: true).microseconds
            }
        }

        /// A column of days by their numbers.
        static func day(_ name: String, _ value: @escaping @Sendable (Record) -> LocalDay) -> Column {
            numbers(name, { value($0).number }) { text throws(KinError) in Int64(try LocalDay(parsing: text).number) }
        }

        private static func numbers(
            _ name: String, _ value: @escaping @Sendable (Record) -> Int,
            parse: @escaping @Sendable (String) throws(KinError) -> Int64
        ) -> Column {
            var column = Column(name: name, type: "INTEGER NOT NULL") { $1.append(Int64(value($0))) }
            column.parse = { text, _ throws(KinError) in .integer(try parse(text)) }
            return column
        }
    }

    let kind: RecordKind
    private let owner: (@Sendable (Record) -> String)?
    private let columns: [Column]
    private let body: @Sendable (Record, inout JSONWriter) -> Void

    /// Declares a table with its columns.
    ///
    /// - Parameters:
    ///   - name: The name of the table and of the kind.
    ///   - owner: The person who owns a record; nil for shared records.
    ///   - columns: The columns between person and body.
    ///   - key: The columns that identify a record; nil for the first column, the person or the id.
    ///   - order: The columns that order an export; nil for the row number.
    ///   - body: Writes the record as JSON.
    init(
        _ name: String, owner: (@Sendable (Record) -> String)? = nil, _ columns: [Column], key: [String]? = nil,
        order: [String]? = nil, body: @escaping @Sendable (Record, inout JSONWriter) -> Void
    ) {
        let names = (owner == nil ? [] : ["person"]) + columns.map(\.name) + ["body"]
        kind = RecordKind(name, columns: names, key: key ?? [names[0]], order: order ?? ["number"])
        self.owner = owner
        self.columns = columns
        self.body = body
    }

    /// The value of a column of the key, from its text.
    func value(of column: String, from text: String) throws(KinError) -> SQLValue {
        try columns.first { $0.name == column }!.parse(text, column)
    }

    /// The SQL that creates the table and the index on its person.
    var creation: String {
        let person = kind.isOwned ? [Migrations.person] : []
        let index = "CREATE INDEX \(kind.name)_by_person ON \(kind.name) (person);\n"
        return Migrations.table(
            kind.name, person + columns.map { "\($0.name) \($0.type)" }, unique: kind.key.joined(separator: ", "))
            + (kind.isOwned && kind.key[0] != "person" ? index : "")
    }

    /// The person who owns a record; nil for shared records.
    func owner(of record: Record) -> String? { owner?(record) }

    /// Writes the record as the body of its row.
    func writeBody(of record: Record, to writer: inout JSONWriter) { body(record, &writer) }

    /// Appends the values of the kind's columns without the person.
    func write(_ record: Record, to row: inout RowBytes) {
        for column in columns { column.write(record, &row) }
        row.append { body(record, &$0) }
    }
}

extension RecordTable where Record: JSONRecord {
    /// Declares a table whose bodies are the records' own JSON.
    convenience init(
        _ name: String, owner: (@Sendable (Record) -> String)? = nil, _ columns: Column..., key: [String]? = nil,
        order: [String]? = nil
    ) {
        self.init(name, owner: owner, columns, key: key, order: order, body: { $0.write(to: &$1) })
    }
}
