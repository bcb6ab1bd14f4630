import GRDB
import KinAffinity
import KinCore
import KinJSON

extension RecordKind {
    static let anonymousName = RecordKind(
        "anonymous_name", columns: ["person", "body"], key: ["person"], order: ["number"])
}

/// The anonymous name of an author, derived from the naming key once and stored from then on, so that it stays the same
/// in other stores.
struct NameRecord: Sendable, Hashable, StoredRecord, JSONRecord {
    let userID: String
    let name: AnonymousName

    static var kind: RecordKind { .anonymousName }
    static let idPaths = [["uid"]]
    static let recordName = "anonymous name"

    var owner: String? { userID }
    var values: [SQLValue] { [.utf8(jsonBytes)] }

    init(userID: String, name: AnonymousName) {
        self.userID = userID
        self.name = name
    }

    private static let keys = JSONKeys(["uid", "name"])

    init(from reader: inout JSONReader) throws(KinError) {
        var (user, name) = ("", "")
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if key == 0 { user = try reader.string() } else { name = try reader.string() }
        }
        guard !name.isEmpty else { throw KinError(.invalidArgument, "it is empty").within("field", "name") }
        self.init(userID: try RecordID.checked(user, field: "uid"), name: AnonymousName(name))
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(userID) }
            writer.member("name") { $0.string(name.description) }
        }
    }

    /// The stored anonymous name of a person; nil when there is none.
    static func name(of person: Int64, in database: Database) throws -> AnonymousName? {
        try RecordQuery<NameRecord>("WHERE person = ?", [.integer(person)]).first(in: database)?.name
    }
}

extension WriteTransaction {
    /// The anonymous name of a person, which is stored when there was none.
    ///
    /// - Parameter other: The name in the store that the records come from; nil for one of the naming key.
    @discardableResult
    func name(_ user: String, as other: AnonymousName? = nil) throws -> AnonymousName {
        if let person = try People.number(of: user, in: database),
            let known = try NameRecord.name(of: person, in: database)
        {
            return known
        }
        let name = try other ?? naming.key(makingIn: database).name(of: user)
        try put(NameRecord(userID: user, name: name))
        return name
    }
}
