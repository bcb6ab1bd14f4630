import GRDB

// Inbox items and blocked authors as rows.

/// An item of a person's inbox.
struct InboxRecord: Sendable, Hashable, StoredRecord, DeclaredRecord {
    let recipient: String
    /// The id of the contribution.
    let contribution: String
    /// The id of the item in the recipient's calls; empty until the store assigns an id.
    var item: String
    let arrived: Timestamp
    let author: AnonymousName
    let connection: SoulConnection
    let similarities: [SoulBlock: Double]
    var state: InboxState
    /// The content of an item that was imported without its author; nil if the contribution is in the store.
    var content: Contribution?

    static let table = RecordTable<InboxRecord>(
        "inbox", owner: \.recipient, .text("contribution", \.contribution), .text("item", \.item),
        .instant("arrived", \.arrived), .optionalText("content", \.content?.json), key: ["person", "contribution"],
        order: ["arrived", "contribution"])

    func taking(_ companions: LineCompanions) throws(KinError) -> InboxRecord {
        var others = companions
        others.content = nil
        try others.requireNone()
        var record = self
        record.content = companions.content
        return record
    }

    var needsStoreContext: Bool { true }

    func adopted(by transaction: WriteTransaction) throws -> InboxRecord {
        let database = transaction.database
        var record = self
        if item.isEmpty {
            record.item = try transaction.naming.key(makingIn: database)
                .itemID(contribution: contribution, recipient: recipient)
        }
        if let maker = try OwnContribution.author(of: contribution, in: database) {
            record.content = nil
            // Exports of release 0.1.0 have names only here.
            try transaction.name(maker, as: author)
        } else if content == nil {
            throw KinError(
                .unknownID,
                """
                there is no contribution \(contribution.prefix(40)), nor does the line have its content; import the contributions of \
                everybody with it or before, as a whole export has them
                """)
        }
        return record
    }

    static func companion(of row: StoredRow, alone: Bool, in database: Database) throws -> (String, String)? {
        if !row.isNull("content") { return ("content", row.text("content")) }
        guard alone else { return nil }
        return ("content", try content(of: row.text("contribution"), in: database).json)
    }

    /// The content of a contribution in the store.
    static func content(of contribution: String, in database: Database) throws -> Contribution {
        let known = RecordQuery<OwnContribution>("WHERE id = ?", [.text(contribution)])
        if let known = try known.first(in: database) { return known.contribution }
        throw KinError(.corruptFile, "an inbox lists an item that does not exist; restore a copy of the database")
    }

    static let form = RecordSchema<InboxRecord>(
        "inbox", id: "contribution",
        .required("uid", \.recipient, .id),
        .optional("item", { @Sendable in $0.item.isEmpty ? nil : $0.item }, .id),
        .required("contribution", \.contribution, .id),
        .required("arrived", \.arrived, .instant),
        .required("author", \.author, .anonymousName),
        .required("connection", \.connection, .connection),
        .required("similarities", \.similarities, .similarities),
        .required("state", \.state, .word("state"))
    ) { recipient, item, contribution, arrived, author, connection, similarities, state throws(KinError) in
        InboxRecord(
            recipient: try RecordID.checked(recipient, field: "uid"),
            contribution: try RecordID.checked(contribution, field: "contribution"),
            item: try item.map { id throws(KinError) in try RecordID.checked(id, field: "item") } ?? "",
            arrived: arrived, author: author,
            connection: connection, similarities: similarities, state: state)
    }
}

extension InboxRecord {
    init(row: StoredRow, body: [UInt8]) throws(KinError) {
        try self.init(storedJSON: body)
        if !row.isNull("content") { content = try Contribution(json: row.text("content")) }
    }
}

extension JSONForm<AnonymousName> {
    /// The anonymous name of an author.
    static let anonymousName = parsed("text", text: \.description) { AnonymousName($0) }
}

extension JSONForm<[SoulBlock: Double]> {
    /// An object with similarities for some of the blocks.
    fileprivate static let similarities = JSONForm(
        "object of blocks, 0 to 1",
        read: { reader throws(KinError) in
            var similarities: [SoulBlock: Double] = [:]
            try reader.members(of: blocks) { reader, block throws(KinError) in
                similarities[SoulBlock.allCases[block]] = try reader.number()
            }
            return similarities
        }, write: { $0.named.write(to: &$1) })

    private static let blocks = JSONKeys(SoulBlock.names, required: [])
}

/// A block: the recipient receives nothing further from the author of a contribution.
///
/// The contribution identifies the author. Before it leaves the store, a keyed hash of the author and the recipient
/// replaces it, so that the block also holds if a forgotten author returns.
struct BlockRecord: Sendable, Hashable, StoredRecord, DeclaredRecord {
    let recipient: String
    /// The id of the contribution, or the keyed hash (``NamingKey/blockID(author:recipient:)``).
    let contribution: String
    /// The anonymous name of the author, for stores without the contribution; nil if unknown. Authors may share a name.
    var author: AnonymousName?

    static let table = RecordTable<BlockRecord>(
        "block", owner: \.recipient, .text("contribution", \.contribution),
        .optionalText("author", \.author?.description), key: ["person", "contribution"], order: ["contribution"])

    static let form = RecordSchema<BlockRecord>(
        "block", id: "contribution",
        .required("uid", \.recipient, .id),
        .required("contribution", \.contribution, .id),
        .optional("author", \.author, .anonymousName)
    ) { recipient, contribution, author throws(KinError) in
        BlockRecord(
            recipient: try RecordID.checked(recipient, field: "uid"),
            contribution: try RecordID.checked(contribution, field: "contribution"), author: author)
    }
}

extension WriteTransaction {
    /// Whether a person blocked an author, by the anonymous name if the block's author is unknown here.
    func isBlocked(_ author: String, named name: AnonymousName?, by recipient: String) throws -> Bool {
        // Without its key, the store has no hashes of this author.
        let id = (try? naming.key(in: database))?.blockID(author: author, recipient: recipient)
        return try hasBlock(by: recipient, author, named: name, id: id)
    }

    /// Whether the recipient of an item blocked its author, by the anonymous name if the author is unknown here.
    func isBlocked(authorOf item: InboxRecord) throws -> Bool {
        guard let author = try OwnContribution.author(of: item.contribution, in: database) else {
            return try hasBlock(by: item.recipient, nil, named: item.author, id: item.contribution)
        }
        return try isBlocked(author, named: item.author, by: item.recipient)
    }

    private func hasBlock(
        by recipient: String, _ author: String?, named name: AnonymousName?, id: String?
    ) throws -> Bool {
        let texts = [recipient, author, name?.description, id].map { $0.map(SQLValue.text) ?? .null }
        return try SQLStatement(
            """
            SELECT 1 FROM block LEFT JOIN contribution AS known ON known.id = block.contribution
                WHERE block.person = (SELECT number FROM person WHERE uid = ?1) AND (block.contribution = ?4
                    OR CASE WHEN known.person IS NULL OR ?2 IS NULL THEN block.author = ?3
                        ELSE known.person = (SELECT number FROM person WHERE uid = ?2) END)
            """, in: database
        ).first(texts) { _ in true } ?? false
    }

    /// Keeps the blocks of an author whose contributions leave the store.
    ///
    /// - Parameters:
    ///   - condition: The SQL condition of the blocks, with its values.
    ///   - author: The author.
    ///   - name: The author's anonymous name; nil to remove it.
    func keepBlocks(where condition: (sql: String, values: [SQLValue]), of author: String, named name: AnonymousName?)
        throws
    {
        let blocks = RecordQuery<BlockRecord>("WHERE \(condition.sql)", condition.values)
        for (number, block) in try blocks.numbered(in: database) {
            let id = try naming.key(makingIn: database).blockID(author: author, recipient: block.recipient)
            try remove(BlockRecord.kind, number, person: self.number(ofPerson: block.recipient))
            try put(BlockRecord(recipient: block.recipient, contribution: id, author: name))
        }
    }
}
