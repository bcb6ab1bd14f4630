import GRDB
import KinAffinity
import KinCore
import KinJSON

// What lies in inboxes, and whom their owners have blocked.

/// An item of a person's inbox.
struct InboxRecord: Sendable, Hashable, StoredRecord, JSONRecord {
    let recipient: String
    /// The id of the contribution.
    let contribution: String
    /// The id of the item for the recipient's calls; empty until the store assigns one.
    var item: String
    let arrived: Timestamp
    let author: AnonymousName
    let connection: SoulConnection
    let similarities: [SoulBlock: Double]
    var state: InboxState
    /// The content of an item that was imported without its author; nil when the contribution is in the store.
    var content: Contribution?

    static var kind: RecordKind { .inbox }
    static let idPaths = [["uid"], ["contribution"], ["item"]]
    static let recordName = "inbox"

    var owner: String? { recipient }

    var values: [SQLValue] {
        [
            .text(contribution), .text(item), .integer(arrived.microseconds), content.map { .text($0.json) } ?? .null,
            .utf8(jsonBytes),
        ]
    }

    init(
        recipient: String, contribution: String, item: String, arrived: Timestamp, author: AnonymousName,
        connection: SoulConnection, similarities: [SoulBlock: Double], state: InboxState
    ) {
        self.recipient = recipient
        self.contribution = contribution
        self.item = item
        self.arrived = arrived
        self.author = author
        self.connection = connection
        self.similarities = similarities
        self.state = state
    }

    init(row: StoredRow, body: [UInt8]) throws(KinError) {
        try self.init(storedJSON: body)
        if !row.isNull("content") { content = try Contribution(json: row.text("content")) }
    }

    func taking(_ companions: LineCompanions) throws(KinError) -> InboxRecord {
        var others = companions
        others.content = nil
        try others.requireNone()
        var record = self
        record.content = companions.content
        return record
    }

    func adopted(by transaction: WriteTransaction) throws -> InboxRecord {
        let database = transaction.database
        var record = self
        if item.isEmpty {
            record.item = try transaction.naming.key(makingIn: database)
                .itemID(contribution: contribution, recipient: recipient)
        }
        let maker = try SQLStatement(
            "SELECT uid FROM person JOIN contribution ON contribution.person = person.number WHERE contribution.id = ?",
            in: database
        ).first([.text(contribution)]) { $0.text(0) }
        if let maker {
            record.content = nil
            // Exports of release 0.1.0 have no names but here.
            try transaction.name(maker, as: author)
        } else if content == nil {
            throw KinError(
                .unknownID,
                """
                there is no contribution \(contribution.prefix(40)), nor does the line have its content; import those of \
                everybody first, as a whole export has them
                """)
        }
        return record
    }

    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)? {
        if !row.isNull("content") { return ("content", row.text("content")) }
        guard alone else { return nil }
        let known = RecordQuery<OwnContribution>("WHERE id = ?", [.text(row.text("contribution"))])
        guard let contribution = try known.first(in: database) else { throw InboxRecord.withoutContent }
        return ("content", contribution.contribution.json)
    }

    /// The error of an item without content whose contribution is not in the store.
    static var withoutContent: KinError {
        KinError(.corruptFile, "an inbox has something that is not there; restore a copy of the database")
    }

    private static let keys = JSONKeys(
        ["uid", "item", "contribution", "arrived", "author", "connection", "similarities", "state"],
        required: ["uid", "contribution", "arrived", "author", "connection", "similarities", "state"])
    private static let connections = JSONKeys(SoulConnection.names)
    private static let states = JSONKeys(InboxState.names)
    private static let blocks = JSONKeys(SoulBlock.names, required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        var (recipient, item, contribution, author) = ("", "", "", "")
        var arrived = Timestamp(unchecked: 0)
        var (connection, state) = (0, 0)
        var similarities: [SoulBlock: Double] = [:]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: recipient = try RecordID.checked(reader.string(), field: "uid")
            case 1: item = try RecordID.checked(reader.string(), field: "item")
            case 2: contribution = try RecordID.checked(reader.string(), field: "contribution")
            case 3: arrived = try Timestamp(parsing: reader.string())
            case 4: author = try reader.string()
            case 5: connection = try reader.choice(of: Self.connections, "connection")
            case 6:
                try reader.members(of: Self.blocks) { reader, block throws(KinError) in
                    similarities[SoulBlock.allCases[block]] = try reader.number()
                }
            default: state = try reader.choice(of: Self.states, "state")
            }
        }
        self.init(
            recipient: recipient, contribution: contribution, item: item, arrived: arrived,
            author: AnonymousName(author), connection: SoulConnection.allCases[connection], similarities: similarities,
            state: InboxState.allCases[state])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(recipient) }
            if !item.isEmpty { writer.member("item") { $0.string(item) } }
            writer.member("contribution") { $0.string(contribution) }
            writer.member("arrived") { $0.string(arrived.description) }
            writer.member("author") { $0.string(author.description) }
            writer.member("connection") { $0.string(connection.name) }
            writer.member("similarities") { similarities.write(to: &$0) }
            writer.member("state") { $0.string(state.name) }
        }
    }
}

/// A block: the recipient receives nothing more from the author of a contribution.
struct BlockRecord: Sendable, Hashable, StoredRecord, JSONRecord {
    let recipient: String
    let contribution: String
    /// The anonymous name of the author, for stores without the contribution; nil when it is not known.
    var author: AnonymousName?

    static var kind: RecordKind { .block }
    static let idPaths = [["uid"], ["contribution"]]
    static let recordName = "block"

    var owner: String? { recipient }

    var values: [SQLValue] {
        [.text(contribution), author.map { .text($0.description) } ?? .null, .utf8(jsonBytes)]
    }

    init(recipient: String, contribution: String, author: AnonymousName?) {
        self.recipient = recipient
        self.contribution = contribution
        self.author = author
    }

    private static let keys = JSONKeys(["uid", "contribution", "author"], required: ["uid", "contribution"])

    init(from reader: inout JSONReader) throws(KinError) {
        var (recipient, contribution) = ("", "")
        var author: AnonymousName?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: recipient = try RecordID.checked(reader.string(), field: "uid")
            case 1: contribution = try RecordID.checked(reader.string(), field: "contribution")
            default: author = AnonymousName(try reader.string())
            }
        }
        self.init(recipient: recipient, contribution: contribution, author: author)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(recipient) }
            writer.member("contribution") { $0.string(contribution) }
            if let author { writer.member("author") { $0.string(author.description) } }
        }
    }
}
