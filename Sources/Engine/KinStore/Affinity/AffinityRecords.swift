import GRDB

// Souls and contributions as rows.

extension Soul: StoredRecord {
    static let table = RecordTable<Soul>("soul", owner: \.userID)

    static func isRecognized(by members: [String]) -> Bool {
        members.contains("uid") && members.contains(where: SoulBlock.names.contains)
    }
}

/// A contribution with its author, id, time and routing state.
struct OwnContribution: Sendable, Hashable, StoredRecord, DeclaredRecord {
    let author: String
    let id: String
    let made: Timestamp
    var isRouted: Bool
    let contribution: Contribution

    static let table = RecordTable<OwnContribution>(
        "contribution", owner: \.author, .text("id", \.id), .instant("made", \.made), .boolean("routed", \.isRouted),
        key: ["id"], order: ["made", "id"])

    var needsStoreContext: Bool { true }

    /// Removes the content of inbox items that were imported without their author: the author is known now.
    ///
    /// - Throws: `.invalidArgument` if a text contains the author's id of three or more characters.
    func adopted(by transaction: WriteTransaction) throws -> OwnContribution {
        guard author.count < 3 || !contribution.mentions(author) else {
            throw KinError(
                .invalidArgument,
                "a text of the contribution contains its author's id, which must stay secret; remove it")
        }
        let carried = RecordQuery<InboxRecord>("WHERE contribution = ? AND content IS NOT NULL", [.text(id)])
        for var item in try carried.all(in: transaction.database) {
            item.content = nil
            try transaction.put(item)
        }
        return self
    }

    /// The author of a contribution; nil if the contribution is not in the store.
    static func author(of contribution: String, in database: Database) throws -> String? {
        try SQLStatement(
            "SELECT uid FROM person JOIN contribution ON contribution.person = person.number WHERE contribution.id = ?",
            in: database
        ).first([.text(contribution)]) { $0.text(0) }
    }

    /// The id of a person's contribution with the same content; nil if there is no such contribution.
    static func id(of contribution: Contribution, by author: String, in database: Database) throws -> String? {
        // The body ends with the content; quotation marks within texts are escaped, so no other body ends in this way.
        let end = "\"contribution\":\(contribution.json)}"
        return try SQLStatement(
            """
            SELECT id FROM contribution WHERE person = (SELECT number FROM person WHERE uid = ?1)
                AND substr(body, -length(?2)) = ?2 ORDER BY made, id LIMIT 1
            """, in: database
        ).first([.text(author), .text(end)]) { $0.text(0) }
    }

    static let form = RecordSchema<OwnContribution>(
        "contribution", id: "id",
        .required("uid", \.author, .id),
        .required("id", \.id, .id),
        .required("made", \.made, .instant),
        .required("routed", \.isRouted, .boolean),
        .required("contribution", \.contribution, .object)
    ) { author, id, made, isRouted, contribution throws(KinError) in
        OwnContribution(
            author: try RecordID.checked(author, field: "uid"), id: try RecordID.checked(id, field: "id"), made: made,
            isRouted: isRouted, contribution: contribution)
    }
}
