import GRDB
import KinAffinity
import KinCore
import KinJSON

/// A kind of record: its table, and the statements that all tables have in common.
///
/// A table begins with its rows' numbers and ends with their checksums; between them lie the columns, the last of which is the body:
/// the record as JSON, from which all the others were taken. What a person owns has their number in the first column,
/// `REFERENCES person ON DELETE CASCADE`, and an index that begins with it: so whatever is added to the store later is
/// exported and forgotten with everything else. What is done with all kinds goes by ``types``.
struct RecordKind: Sendable, Hashable {
    /// The table's name, and the kind's in the change log and in lines of JSON.
    let name: String
    /// Between number and checksum, in the table's order.
    let columns: [String]
    /// The columns that tell one record from another.
    let key: [String]
    /// The columns by which a person's records, or everybody's, are put in order for export.
    let order: [String]

    /// Whether a record belongs to a person, whose number is the first column then.
    var isOwned: Bool { columns.first == "person" }

    /// Adds a row, or does nothing when there is one with the same key.
    let insert: String
    /// Gives a row other values; the number comes last.
    let update: String
    /// The number of the row with a key, and its person's when it is owned.
    let find: String
    /// Removes the row with a number.
    let delete: String
    /// Whole rows, to be followed by a condition.
    let select: String

    init(_ name: String, columns: [String], key: [String], order: [String]) {
        self.name = name
        self.columns = columns
        self.key = key
        self.order = order
        let all = ["number"] + columns + ["seal"]
        let places = all.map { _ in "?" }.joined(separator: ", ")
        insert = "INSERT INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING"
        let settings = all.dropFirst().map { "\($0) = ?" }.joined(separator: ", ")
        update = "UPDATE \(name) SET \(settings) WHERE number = ?"
        let owner = columns.first == "person" ? ", person" : ""
        find = "SELECT number\(owner) FROM \(name) WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND ")
        delete = "DELETE FROM \(name) WHERE number = ?"
        select = "SELECT " + all.map { "\(name).\($0)" }.joined(separator: ", ") + " FROM \(name)"
    }
}

/// A record that the store keeps. A type that conforms joins ``RecordKind/types``.
protocol StoredRecord: Sendable {
    static var kind: RecordKind { get }
    /// Where the record's JSON has ids: names of members, from the outermost in; a name that stands for an array means each of its
    /// elements.
    static var idPaths: [[String]] { get }
    /// Whether an object with these members is such a record, when it comes alone on a line; only kinds whose members tell.
    static func isRecognized(by members: [String]) -> Bool
    /// Whose it is; nil for what is nobody's.
    var owner: String? { get }
    /// The values of the kind's columns, the person left out.
    var values: [SQLValue] { get }
    /// When the record was last changed where it comes from, if it says so: one that was changed earlier does not take its place.
    var updated: Timestamp? { get }
    /// The record of a row whose checksum is whole.
    ///
    /// - Parameter body: the row's last value.
    init(row: StoredRow, body: [UInt8]) throws(KinError)
    /// Reads the record of a line.
    ///
    /// - Parameter now: The instant from which on a record holds that does not say so.
    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> Self
    /// The record with what stands beside it on its line.
    ///
    /// - Throws: `.malformedInput` for what does not belong there.
    func taking(_ companions: LineCompanions) throws(KinError) -> Self
    /// What stands beside the record of a row on its line: a name and a value in JSON.
    ///
    /// - Parameter alone: Whether the export is of one person, so that nobody else's records come along.
    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)?
    /// The record as it is put in when it comes from a line.
    ///
    /// - Throws: `.unknownID` when it refers to what is not there.
    func adopted(by transaction: WriteTransaction) throws -> Self
}

/// What may stand on a line beside a record.
struct LineCompanions: Sendable {
    /// From when on a profile holds.
    var since: Timestamp?
    /// What lies in an inbox, where its author is not known.
    var content: Contribution?

    /// - Throws: `.malformedInput` unless there is nothing.
    func requireNone() throws(KinError) {
        if since != nil { throw KinError(.malformedInput, "\"since\" stands beside a profile only") }
        if content != nil { throw KinError(.malformedInput, "\"content\" stands beside an inbox only") }
    }
}

extension StoredRecord {
    static func isRecognized(by members: [String]) -> Bool { false }
    var updated: Timestamp? { nil }

    func taking(_ companions: LineCompanions) throws(KinError) -> Self {
        try companions.requireNone()
        return self
    }

    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)? { nil }
    func adopted(by transaction: WriteTransaction) throws -> Self { self }
}

extension StoredRecord where Self: JSONRecord {
    init(row: StoredRow, body: [UInt8]) throws(KinError) { try self.init(storedJSON: body) }

    static func read(_ reader: inout JSONReader, now: Timestamp) throws(KinError) -> Self {
        try Self(from: &reader)
    }
}
