import GRDB

/// A kind of record: its table and the SQL statements that all tables share.
///
/// A table has the columns row number, ``columns`` and checksum, named `seal`. The last of ``columns`` is the body: the
/// record as JSON, the source of all other columns. The table of a record that a person owns begins with the person's
/// number, `REFERENCES person ON DELETE CASCADE`, and has an index on it, so that the record is exported and forgotten
/// with the person. The kind is a class, so that passing it copies none of its texts.
final class RecordKind: Sendable {
    /// The name of the table, and of the kind in the change log and in lines of JSON.
    let name: String
    /// The columns between number and checksum, in the table's order.
    let columns: [String]
    /// The columns that identify a record.
    let key: [String]
    /// The columns that order an export.
    let order: [String]

    /// The column with the baby's id, the second column, for records in a baby's log, which its owners share; nil for
    /// other kinds.
    let babyColumn: String?

    /// Whether records belong to a person; the person's number is then the first column.
    var isOwned: Bool { columns.first == "person" }

    /// Inserts a row unless its key exists.
    let insert: String
    /// Updates the row with a number, the first parameter as in ``insert``, unless its values are equal.
    let update: String
    /// Selects the number of the row with a key, and its person's number if the kind is owned.
    let find: String
    /// Deletes the row with a number.
    let delete: String
    /// Selects whole rows; a condition is appended.
    let select: String

    init(_ name: String, columns: [String], key: [String], order: [String]) {
        self.name = name
        self.columns = columns
        self.key = key
        self.order = order
        babyColumn = name == "baby" ? "id" : key.first { $0 == "baby" }
        let all = ["number"] + columns + ["seal"]
        let values = all.dropFirst().joined(separator: ", ")
        let places = (2...all.count).map { "?\($0)" }.joined(separator: ", ")
        insert = "INSERT INTO \(name) (number, \(values)) VALUES (?1, \(places)) ON CONFLICT DO NOTHING"
        update = "UPDATE \(name) SET (\(values)) = (\(places)) WHERE number = ?1 AND (\(values)) IS NOT (\(places))"
        let owner = columns.first == "person" ? ", person" : ""
        find = "SELECT number\(owner) FROM \(name) WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND ")
        delete = "DELETE FROM \(name) WHERE number = ?"
        select = "SELECT " + all.map { "\(name).\($0)" }.joined(separator: ", ") + " FROM \(name)"
    }
}

extension RecordKind {
    /// The query of whole rows with one more column.
    func select(with column: String) -> String { select.replacing(" FROM ", with: ", \(column) FROM ") }
}

extension RecordKind: Hashable {
    static func == (a: RecordKind, b: RecordKind) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A type of record that the store can store; it is listed in ``RecordKind/types``.
protocol StoredRecord: Sendable {
    /// The table with the values of its columns.
    static var table: RecordTable<Self> { get }
    /// The paths of ids in the record's JSON, as names of members from the outermost in. A path through an array
    /// applies to each element.
    static var idPaths: [[String]] { get }
    /// Whether an object with these members is a record of this type if it is alone on a line.
    static func isRecognized(by members: [String]) -> Bool
    /// Whether the first record is an earlier version of the second, which has the same key. A reported record never
    /// replaces a later version. nil for kinds whose last report counts.
    static var isEarlier: (@Sendable (Self, Self) -> Bool)? { get }
    /// Reads the record of a row after its checksum was verified.
    ///
    /// - Parameter body: The last column before the checksum.
    init(row: StoredRow, body: [UInt8]) throws(KinError)
    /// Writes the record's parts in other tables, after the row with the given number, and returns their checksum; nil
    /// for records without such parts.
    static var writeParts: (@Sendable (Self, Int64, Database) throws -> UInt32)? { get }
    /// The JSON of a row's record in an export. Default: the row's body.
    static func exported(_ row: StoredRow) throws(KinError) -> [UInt8]
    /// Reads the record of a line of JSON.
    ///
    /// - Parameter now: The start of profiles that have none.
    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> Self
    /// Completes the record with the other members of its line.
    ///
    /// - Throws: `.malformedInput` for a member that belongs to other kinds.
    func taking(_ companions: LineCompanions) throws(KinError) -> Self
    /// The additional member on the line of a row's record: a name and a value in JSON.
    ///
    /// - Parameter alone: Whether the export is for one person, without other people's records.
    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)?
    /// The imported record in the form for storing. Default: the record itself.
    ///
    /// - Throws: `.unknownID` if the record refers to a missing record.
    func adopted(by transaction: WriteTransaction) throws -> Self
    /// The record of a baby's log under the id of the owner who keeps the log (``BabyOwners``). Other records do not
    /// change.
    func kept(by keeper: String) throws(KinError) -> Self
    /// Whether ``adopted(by:)`` may change or refuse the record.
    var needsStoreContext: Bool { get }
    /// Whether an imported record contradicts the stored one, which then remains. Only for kinds with ``isEarlier``.
    func conflicts(with stored: Self) -> Bool
}

/// The members that may accompany a record on a line.
struct LineCompanions: Sendable {
    /// The first instant of a profile version.
    var since: Timestamp?
    /// The content of an inbox item whose author is not in the export.
    var content: Contribution?
    /// Whether the stored values of members that the record lacks remain.
    var merge = false

    /// Requires that no member remains.
    ///
    /// - Throws: `.malformedInput`.
    func requireNone() throws(KinError) {
        if since != nil { throw KinError(.malformedInput, "\"since\" is allowed only with a profile") }
        if content != nil { throw KinError(.malformedInput, "\"content\" is allowed only with an inbox") }
        if merge { throw KinError(.malformedInput, "\"merge\" is allowed only with a baby") }
    }
}

extension StoredRecord {
    static var kind: RecordKind { table.kind }
    /// The SQL that creates the table.
    static var creation: String { table.creation }
    /// The record as the body of its row: JSON in UTF-8.
    var body: [UInt8] {
        var writer = JSONWriter()
        Self.table.writeBody(of: self, to: &writer)
        return writer.bytes
    }
    /// The person who owns the record; nil for shared records.
    var owner: String? { Self.table.owner(of: self) }

    static func isRecognized(by members: [String]) -> Bool { false }
    static var isEarlier: (@Sendable (Self, Self) -> Bool)? { nil }

    static var writeParts: (@Sendable (Self, Int64, Database) throws -> UInt32)? { nil }
    static func exported(_ row: StoredRow) throws(KinError) -> [UInt8] { row.body }

    /// The error for a record with a value that no reader accepts, from the reader's error.
    static func unstorable(_ error: KinError) -> KinError {
        KinError(.invalidArgument, "the record has a value that cannot be stored: \(error.message)")
    }

    func taking(_ companions: LineCompanions) throws(KinError) -> Self {
        try companions.requireNone()
        return self
    }

    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)? { nil }
    func adopted(by transaction: WriteTransaction) throws -> Self { self }
    func kept(by keeper: String) throws(KinError) -> Self { self }
    var needsStoreContext: Bool { false }
    func conflicts(with stored: Self) -> Bool { false }
}

/// Whether a time of update is before a different one; false if one is unknown.
func isBefore(_ updated: Timestamp?, _ other: Timestamp?) -> Bool {
    if let updated, let other { updated < other } else { false }
}

extension StoredRecord where Self: DeclaredRecord {
    static var idPaths: [[String]] { form.idPaths }
}

extension StoredRecord where Self: JSONRecord {
    init(row: StoredRow, body: [UInt8]) throws(KinError) { try self.init(storedJSON: body) }

    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> Self {
        try Self(from: &reader)
    }
}

extension RecordKind {
    /// All types of records, in the order of export.
    ///
    /// Checking, exporting, importing, forgetting, removing and counting use this list; a test compares it with the
    /// tables of the database.
    static let types: [any StoredRecord.Type] = released + added

    private static let released: [any StoredRecord.Type] = [
        ProfileVersion.self, PleasureSession.self, SessionEmbedding.self, Soul.self, NameRecord.self,
        OwnContribution.self, InboxRecord.self,
        BlockRecord.self, BabyRecord.self, CareEvent.self, ForecastLedger.self, InventoryItem.self, ImageAnalysis.self,
        AffinitySettings.self, ChallengePreferences.self,
        UserChallenge.self, ChallengeDecision.self, ChallengeState.self, NotificationRecord.self, ContentRotation.self,
        DailyReflection.self, Challenge.self, ContentItem.self, NamedPolicy.self,
    ]

    /// The types whose tables ``Migrations`` creates from their declarations, in the order of their addition.
    ///
    /// A new type is added at the end. If the columns of a released type change, its table is created by a step of
    /// ``Migrations`` with the released SQL, and a new step changes the columns.
    static let added: [any StoredRecord.Type] = [InsightLedger.self]

    /// All kinds of records, in the order of export.
    static let all: [RecordKind] = types.map { $0.kind }
}
