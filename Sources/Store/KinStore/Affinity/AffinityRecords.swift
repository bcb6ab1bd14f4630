import GRDB
import KinAffinity
import KinCore
import KinJSON

// Souls and contributions as rows.

extension RecordKind {
    static let soul = RecordKind("soul", columns: ["person", "body"], key: ["person"], order: ["number"])
    static let contribution = RecordKind(
        "contribution", columns: ["person", "id", "made", "routed", "body"], key: ["id"], order: ["made", "id"])
    static let inbox = RecordKind(
        "inbox", columns: ["person", "contribution", "item", "arrived", "content", "body"],
        key: ["person", "contribution"], order: ["arrived", "contribution"])
    static let block = RecordKind(
        "block", columns: ["person", "contribution", "author", "body"], key: ["person", "contribution"],
        order: ["contribution"])
}

extension Soul: StoredRecord {
    static var kind: RecordKind { .soul }
    static let idPaths = [["uid"]]

    static func isRecognized(by members: [String]) -> Bool {
        members.contains("uid") && members.contains(where: SoulBlock.names.contains)
    }

    var owner: String? { userID }

    var values: [SQLValue] { [.utf8(jsonBytes)] }
}

/// A contribution with its author, id, time and routing state.
struct OwnContribution: Sendable, Hashable, StoredRecord, JSONRecord {
    let author: String
    let id: String
    let made: Timestamp
    var isRouted: Bool
    let contribution: Contribution

    static var kind: RecordKind { .contribution }
    static let idPaths = [["uid"], ["id"]]
    static let recordName = "contribution"

    var owner: String? { author }

    var values: [SQLValue] { [.text(id), .integer(made.microseconds), .integer(isRouted ? 1 : 0), .utf8(jsonBytes)] }

    /// Replaces the content of inbox items that were imported without their author, now that the author is known.
    func adopted(by transaction: WriteTransaction) throws -> OwnContribution {
        let carried = RecordQuery<InboxRecord>("WHERE contribution = ? AND content IS NOT NULL", [.text(id)])
        for var item in try carried.all(in: transaction.database) {
            item.content = nil
            try transaction.put(item)
        }
        return self
    }

    /// The id of a person's contribution with the same content; nil when there is none.
    static func id(of contribution: Contribution, by person: Int64, in database: Database) throws -> String? {
        // The body ends with the content; quotation marks within texts are escaped, so nothing else ends like that.
        let end = "\"contribution\":\(contribution.json)}"
        return try SQLStatement(
            "SELECT id FROM contribution WHERE person = ?1 AND substr(body, -length(?2)) = ?2 ORDER BY made, id LIMIT 1",
            in: database
        ).first([.integer(person), .text(end)]) { $0.text(0) }
    }

    init(author: String, id: String, made: Timestamp, isRouted: Bool, contribution: Contribution) {
        self.author = author
        self.id = id
        self.made = made
        self.isRouted = isRouted
        self.contribution = contribution
    }

    private static let keys = JSONKeys(["uid", "id", "made", "routed", "contribution"])

    init(from reader: inout JSONReader) throws(KinError) {
        var (author, id) = ("", "")
        var made = Timestamp(unchecked: 0)
        var isRouted = false
        var contribution: Contribution?
        let start = reader
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: author = try reader.string()
            case 1: id = try reader.string()
            case 2: made = try Timestamp(parsing: reader.string())
            case 3: isRouted = try reader.boolean()
            default: contribution = try Contribution(from: &reader)
            }
        }
        guard let contribution else { throw start.error("a contribution has a zone or a story") }
        self.init(
            author: try RecordID.checked(author, field: "uid"), id: try RecordID.checked(id, field: "id"), made: made,
            isRouted: isRouted, contribution: contribution)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(author) }
            writer.member("id") { $0.string(id) }
            writer.member("made") { $0.string(made.description) }
            writer.member("routed") { $0.boolean(isRouted) }
            writer.member("contribution") { contribution.write(to: &$0) }
        }
    }
}
