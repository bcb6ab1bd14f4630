import KinAffinity
import KinCore
import KinJSON

// Souls, contributions, inboxes and blocks as rows.

extension RecordKind {
    static let soul = RecordKind("soul", columns: ["person", "body"], key: ["person"], order: ["number"])
    static let contribution = RecordKind(
        "contribution", columns: ["person", "id", "made", "routed", "body"], key: ["id"], order: ["made", "id"])
    static let inbox = RecordKind(
        "inbox", columns: ["person", "contribution", "arrived", "body"], key: ["person", "contribution"],
        order: ["arrived", "contribution"])
    static let block = RecordKind(
        "block", columns: ["person", "contribution", "body"], key: ["person", "contribution"],
        order: ["contribution"])
}

extension Soul: StoredRecord {
    static var kind: RecordKind { .soul }
    static let idPaths = [["uid"]]

    static func isTold(by members: [String]) -> Bool {
        members.contains("uid") && members.contains(where: SoulBlock.names.contains)
    }

    var owner: String? { userID }

    var values: [SQLValue] { [.utf8(jsonBytes)] }
}

/// A contribution with its author.
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
        guard let contribution, !author.isEmpty, !id.isEmpty else {
            throw start.error("a contribution has an author and an id", code: .invalidArgument)
        }
        self.init(author: author, id: id, made: made, isRouted: isRouted, contribution: contribution)
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

/// What lies in an inbox.
struct InboxRecord: Sendable, Hashable, StoredRecord, JSONRecord {
    let recipient: String
    let contribution: String
    let arrived: Timestamp
    let author: AnonymousName
    let connection: Connection
    let similarities: [SoulBlock: Double]
    var state: InboxState

    static var kind: RecordKind { .inbox }
    static let idPaths = [["uid"], ["contribution"]]
    static let recordName = "inbox"

    var owner: String? { recipient }

    func adopted(by transaction: WriteTransaction) throws -> InboxRecord {
        try transaction.require(contribution: contribution)
        return self
    }

    var values: [SQLValue] { [.text(contribution), .integer(arrived.microseconds), .utf8(jsonBytes)] }

    init(
        recipient: String, contribution: String, arrived: Timestamp, author: AnonymousName, connection: Connection,
        similarities: [SoulBlock: Double], state: InboxState
    ) {
        self.recipient = recipient
        self.contribution = contribution
        self.arrived = arrived
        self.author = author
        self.connection = connection
        self.similarities = similarities
        self.state = state
    }

    private static let keys = JSONKeys(
        ["uid", "contribution", "arrived", "author", "connection", "similarities", "state"])
    private static let connections = JSONKeys(Connection.names)
    private static let states = JSONKeys(InboxState.names)
    private static let blocks = JSONKeys(SoulBlock.names, required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        var texts = ["", "", ""]
        var arrived = Timestamp(unchecked: 0)
        var (connection, state) = (0, 0)
        var similarities: [SoulBlock: Double] = [:]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: texts[0] = try reader.string()
            case 1: texts[1] = try reader.string()
            case 2: arrived = try Timestamp(parsing: reader.string())
            case 3: texts[2] = try reader.string()
            case 4: connection = try reader.choice(of: Self.connections, "connection")
            case 5:
                try reader.members(of: Self.blocks) { reader, block throws(KinError) in
                    similarities[SoulBlock.allCases[block]] = try reader.number()
                }
            default: state = try reader.choice(of: Self.states, "state")
            }
        }
        self.init(
            recipient: texts[0], contribution: texts[1], arrived: arrived, author: AnonymousName(texts[2]),
            connection: Connection.allCases[connection], similarities: similarities,
            state: InboxState.allCases[state])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(recipient) }
            writer.member("contribution") { $0.string(contribution) }
            writer.member("arrived") { $0.string(arrived.description) }
            writer.member("author") { $0.string(author.description) }
            writer.member("connection") { $0.string(connection.name) }
            writer.member("similarities") { similarities.write(to: &$0) }
            writer.member("state") { $0.string(state.name) }
        }
    }
}

/// Somebody wants nothing more from whoever made a contribution.
struct BlockRecord: Sendable, Hashable, StoredRecord, JSONRecord {
    let recipient: String
    let contribution: String

    static var kind: RecordKind { .block }
    static let idPaths = [["uid"], ["contribution"]]
    static let recordName = "block"

    var owner: String? { recipient }

    func adopted(by transaction: WriteTransaction) throws -> BlockRecord {
        try transaction.require(contribution: contribution)
        return self
    }

    var values: [SQLValue] { [.text(contribution), .utf8(jsonBytes)] }

    init(recipient: String, contribution: String) {
        self.recipient = recipient
        self.contribution = contribution
    }

    private static let keys = JSONKeys(["uid", "contribution"])

    init(from reader: inout JSONReader) throws(KinError) {
        var texts = ["", ""]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in texts[key] = try reader.string() }
        self.init(recipient: texts[0], contribution: texts[1])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(recipient) }
            writer.member("contribution") { $0.string(contribution) }
        }
    }
}

extension WriteTransaction {
    /// What lies in an inbox refers to what somebody made, which has to come first.
    fileprivate func require(contribution id: String) throws {
        let found = try SQLStatement("SELECT 1 FROM contribution WHERE id = ?", in: database)
            .first([.text(id)]) { _ in true }
        guard found != nil else {
            throw KinError(
                .unknownID,
                "there is no contribution \(id); import those of everybody first, as a whole export has them")
        }
    }
}
