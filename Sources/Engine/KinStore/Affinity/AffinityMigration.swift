import GRDB

/// The migration to inboxes that can be exported. An item has an id and, if its author is not in the store, the
/// content. A block has the author's anonymous name, and names are records.
///
/// Triggers remove the inbox items and blocks of a removed contribution. A foreign key cannot, because either may refer
/// to a contribution of a different store.
struct AffinityMigration {
    let database: Database

    private static let tables =
        Migrations.table("anonymous_name", Migrations.onePerPerson)
        + Migrations.table(
            "inbox_item", Migrations.person, "contribution TEXT NOT NULL", "item TEXT NOT NULL",
            "arrived INTEGER NOT NULL", "content TEXT", unique: "person, contribution")
        + Migrations.table(
            "blocked_author", Migrations.person, "contribution TEXT NOT NULL", "author TEXT",
            unique: "person, contribution")

    private static let names = """
        DROP TABLE inbox;
        DROP TABLE block;
        ALTER TABLE inbox_item RENAME TO inbox;
        ALTER TABLE blocked_author RENAME TO block;
        CREATE INDEX inbox_by_time ON inbox (person, arrived);
        CREATE INDEX inbox_by_item ON inbox (person, item);
        CREATE INDEX inbox_by_contribution ON inbox (contribution);
        CREATE INDEX block_by_contribution ON block (contribution);
        CREATE TRIGGER contribution_removed AFTER DELETE ON contribution BEGIN
            DELETE FROM inbox WHERE contribution = old.id;
            DELETE FROM block WHERE contribution = old.id;
        END;
        """

    private static let oldInbox = RecordKind(
        "inbox", columns: ["person", "contribution", "arrived", "body"], key: [], order: [])
    private static let oldBlock = RecordKind("block", columns: ["person", "contribution", "body"], key: [], order: [])

    func run() throws {
        try database.execute(sql: Self.tables)
        let key = try NamingKeySource.own(in: database).map { NamingKey($0) }
        try moveInbox(key)
        try moveBlocks()
        try database.execute(sql: Self.names)
        let hasRepaired = try RecordRepair(database: database).run()
        if hasRepaired { _ = try ChangeLog.restart(in: database) }
        let transaction = WriteTransaction(database, naming: try NamingKeySource(given: nil))
        try nameAuthors(transaction)
        try nameBlocked(transaction)
        try waitForSouls(transaction)
        _ = try transaction.finish()
    }

    private func moveInbox(_ key: NamingKey?) throws {
        let insert = try SQLStatement("INSERT INTO inbox_item VALUES (?, ?, ?, ?, ?, ?, ?, ?)", in: database)
        let join = Self.oldInbox.select(with: "person.uid")
        try SQLStatement("\(join) JOIN person ON person.number = inbox.person", in: database).query { row in
            let (number, person, contribution) = (row.integer(0), row.integer(1), row.text(2))
            var values: [SQLValue] = [
                .integer(person), .text(contribution), .text(""), .integer(row.integer(3)), .null, .utf8(row.bytes(4)),
            ]
            var isWhole = false
            if let key, (try? StoredRow(row, of: Self.oldInbox, in: database)) != nil,
                let body = try? JSONIDs.repaired(row.bytes(4), at: InboxRecord.idPaths) ?? row.bytes(4),
                var record = try? InboxRecord(storedJSON: body)
            {
                record.item = key.itemID(contribution: contribution, recipient: row.text(6))
                values = [.integer(person)] + record.values
                isWhole = true
            }
            try insert.run([.integer(number)] + values + [Self.checksum(number, values, isWhole: isWhole)])
        }
    }

    private func moveBlocks() throws {
        let insert = try SQLStatement("INSERT INTO blocked_author VALUES (?, ?, ?, ?, ?, ?)", in: database)
        try SQLStatement(Self.oldBlock.select, in: database).query { row in
            let (number, person, contribution) = (row.integer(0), row.integer(1), row.text(2))
            var values: [SQLValue] = [.integer(person), .text(contribution), .null, .utf8(row.bytes(3))]
            var isWhole = false
            if (try? StoredRow(row, of: Self.oldBlock, in: database)) != nil,
                let body = try? JSONIDs.repaired(row.bytes(3), at: BlockRecord.idPaths) ?? row.bytes(3),
                let record = try? BlockRecord(storedJSON: body)
            {
                values = [.integer(person)] + record.values
                isWhole = true
            }
            try insert.run([.integer(number)] + values + [Self.checksum(number, values, isWhole: isWhole)])
        }
    }

    /// Stores the anonymous names of the authors of routed contributions.
    private func nameAuthors(_ transaction: WriteTransaction) throws {
        let authors = try String.fetchAll(
            database,
            sql: """
                SELECT uid FROM person WHERE number IN (SELECT person FROM contribution) ORDER BY number
                """)
        for author in authors {
            let delivered = try? RecordQuery<InboxRecord>(
                """
                WHERE contribution IN (
                    SELECT id FROM contribution WHERE person = (SELECT number FROM person WHERE uid = ?)
                ) ORDER BY number LIMIT 1
                """, [.text(author)]
            ).first(in: database)
            try transaction.name(author, as: delivered?.author)
        }
    }

    /// Adds the authors' anonymous names to blocks.
    private func nameBlocked(_ transaction: WriteTransaction) throws {
        for var block: BlockRecord in try whole() {
            let items = try? RecordQuery<InboxRecord>(
                of: block.recipient, "AND contribution = ?", [.text(block.contribution)])
            guard let item = try? items?.first(in: database) else { continue }
            block.author = item.author
            try transaction.put(block)
        }
    }

    /// Marks contributions of authors without a soul as waiting again: release 0.1.0 marked them as routed without
    /// delivering them.
    private func waitForSouls(_ transaction: WriteTransaction) throws {
        let waiting: [OwnContribution] = try whole(
            """
            WHERE routed = 1
                AND NOT EXISTS (SELECT 1 FROM soul WHERE soul.person = contribution.person)
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.contribution = contribution.id)
            """)
        for var contribution in waiting {
            contribution.isRouted = false
            try transaction.put(contribution)
        }
    }

    /// The undamaged records of a kind that meet a condition.
    private func whole<Record: StoredRecord>(_ condition: String = "") throws -> [Record] {
        try SQLStatement("\(Record.kind.select) \(condition)", in: database)
            .all { try? StoredRow($0, of: Record.kind, in: database).record(Record.self) }.compactMap { $0 }
    }

    /// The checksum of a row; a wrong checksum for a damaged row, so that it remains damaged.
    private static func checksum(_ number: Int64, _ values: [SQLValue], isWhole: Bool) -> SQLValue {
        .integer(Int64(StoredRow.checksum(number: number, values) ^ (isWhole ? 0 : 1)))
    }
}
