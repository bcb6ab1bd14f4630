import GRDB

extension Store {
    /// The inbox of a person by descending arrival, then ascending id.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - states: The states of the items. Default: all.
    /// - Throws: `.corruptFile` if an item is damaged; `.inputOutput`.
    public nonisolated func inbox(
        of user: String, _ states: [InboxState] = InboxState.allCases
    ) throws(KinError) -> [InboxItem] {
        try read("read the inbox of \(user)") { database in
            try items(of: user, since: .min, in: database).filter { states.contains($0.state) }
                .sorted { ($1.arrived, $0.id) < ($0.arrived, $1.id) }
        }
    }

    /// The inbox items that arrived at an instant or later, with counts.
    ///
    /// - Throws: As ``inbox(of:_:)``.
    public nonisolated func digest(of user: String, since instant: Timestamp) throws(KinError) -> InboxDigest {
        try read("read the inbox of \(user)") { database in
            InboxDigest(since: instant, items: try items(of: user, since: instant.microseconds, in: database))
        }
    }

    /// Accepts an inbox item; an accepted item does not change.
    ///
    /// - Throws: `.unknownID` if the person has no such item, `.invalidArgument` if they blocked its author; `.inputOutput`.
    public func accept(_ item: String, by user: String) throws(KinError) {
        try change(item, of: user, to: .accepted)
    }

    /// Declines an item of a person's inbox.
    ///
    /// - Throws: As ``accept(_:by:)``.
    public func decline(_ item: String, by user: String) throws(KinError) {
        try change(item, of: user, to: .declined)
    }

    /// Declines an item and all present and future items of its author; the author remains anonymous.
    ///
    /// Items that were accepted earlier remain accepted.
    ///
    /// - Throws: As ``accept(_:by:)``.
    public func blockAuthor(of item: String, by user: String) throws(KinError) {
        try write("block an author") { transaction in
            let database = transaction.database
            let blocked = try record(item, of: user, in: database)
            try transaction.put(
                BlockRecord(
                    recipient: blocked.recipient, contribution: blocked.contribution, author: blocked.author))
            // By the author if the contribution is in the store, else by the anonymous name.
            let theirs = try RecordQuery<InboxRecord>(
                of: user,
                """
                AND (contribution IN (
                    SELECT other.id FROM contribution AS other JOIN contribution AS this ON this.person = other.person
                    WHERE this.id = ?) OR content IS NOT NULL)
                """, [.text(blocked.contribution)])
            for var record in try theirs.all(in: database)
            where record.contribution == blocked.contribution
                || (record.state != .accepted && (record.content == nil || record.author == blocked.author))
            {
                record.state = .declined
                try transaction.put(record)
            }
        }
    }

    private func change(_ item: String, of user: String, to state: InboxState) throws(KinError) {
        try write("change an item of \(user)") { transaction in
            var record = try record(item, of: user, in: transaction.database)
            guard record.state != state else { return }
            if state == .accepted, try transaction.isBlocked(authorOf: record) {
                throw KinError.field("item", "the person blocked the item's author, and a block is permanent")
            }
            record.state = state
            try transaction.put(record)
        }
    }

    private nonisolated func record(_ item: String, of user: String, in database: Database) throws -> InboxRecord {
        let found = try RecordQuery<InboxRecord>(of: user, "AND item = ?", [.id(item, "item")])
        if let record = try found.first(in: database) { return record }
        throw KinError(.unknownID, "there is no such item in the inbox").within("item", item).within("user", user)
    }

    /// The inbox items of a person that arrived at an instant or later.
    private nonisolated func items(of user: String, since: Int64, in database: Database) throws -> [InboxItem] {
        try RecordQuery<InboxRecord>(of: user, "AND arrived >= ?", [.integer(since)]).all(in: database).map { record in
            let content = try record.content ?? InboxRecord.content(of: record.contribution, in: database)
            return InboxItem(
                id: record.item, contribution: content, author: record.author, connection: record.connection,
                similarities: record.similarities, state: record.state, arrived: record.arrived)
        }
    }

}
