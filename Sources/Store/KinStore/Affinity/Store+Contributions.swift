import GRDB
public import KinAffinity
public import KinCore

/// The counts of one call of ``Store/route(with:at:limit:)``.
public struct RoutingReport: Sendable, Hashable {
    /// The number of contributions routed by the call.
    public var contributions = 0
    /// The number of inbox items created.
    public var deliveries = 0
    /// The number of contributions whose authors have no soul yet, or none in the matcher.
    public var waiting = 0
}

extension Store {
    /// Stores a contribution of a person; ``route(with:at:limit:)`` delivers it.
    ///
    /// Equal content by one person is one contribution, so a repeated call adds nothing.
    ///
    /// - Returns: The contribution's id, which may be shown to its author.
    /// - Throws: `.invalidArgument` for a malformed author id (`RecordID`), or when a text contains the author's id of
    ///   three or more characters, since recipients must not learn it; `.inputOutput`.
    @discardableResult
    public func contribute(
        _ contribution: Contribution, by author: String, at made: Timestamp
    ) throws(KinError) -> String {
        let author = try RecordID.checked(author, field: "user")
        guard author.count < 3 || !contribution.mentions(author) else {
            throw KinError(
                .invalidArgument,
                "a text of the contribution names its author by id, which nobody may learn; take it out")
        }
        return try write("take in a contribution") { transaction in
            let database = transaction.database
            if let person = try People.number(of: author, in: database),
                let known = try OwnContribution.id(of: contribution, by: person, in: database)
            {
                return known
            }
            let id = try naming.key(makingIn: database)
                .contributionID(author: author, made: made, json: contribution.json)
            let own = OwnContribution(
                author: author, id: id, made: made, isRouted: false, contribution: contribution)
            try transaction.put(own.adopted(by: transaction))
            try transaction.name(author)
            return id
        }
    }

    /// Delivers waiting contributions to the inboxes of the people whom their authors match, the oldest first.
    ///
    /// Each contribution is routed in one transaction that also marks it as routed: with any number of routers and
    /// after any crash, each recipient gets it exactly once. `SoulConnection.arrival` decides its state; recipients who
    /// blocked the author or were erased since the matcher was built are skipped. A contribution whose author has no
    /// soul waits for one.
    ///
    /// - Parameters:
    ///   - matcher: The souls of the store as they are now.
    ///   - instant: The time of arrival.
    ///   - limit: The largest number of contributions.
    /// - Throws: `.inputOutput`, `.corruptFile`.
    @discardableResult
    public func route(with matcher: SoulMatcher, at instant: Timestamp, limit: Int = .max) throws(KinError)
        -> RoutingReport
    {
        var report = RoutingReport()
        var last: OwnContribution?
        while report.contributions < limit {
            let next = try read("find a contribution to route") { database in
                try OwnContribution.next(after: last, in: database)
            }
            guard let next else { break }
            last = next
            guard matcher.contains(next.author) else {
                report.waiting += 1
                continue
            }
            let deliveries = try write("route a contribution") { transaction in
                try Router(matcher: matcher, transaction: transaction).route(next.id, at: instant)
            }
            guard let deliveries else { continue }
            report.contributions += 1
            report.deliveries += deliveries
        }
        return report
    }

    /// The number of contributions that wait for routing.
    ///
    /// - Throws: `.inputOutput`.
    public nonisolated func contributionsToRoute() throws(KinError) -> Int {
        try read("count contributions") { database in
            try SQLStatement("SELECT count(*) FROM contribution WHERE routed = 0", in: database)
                .first { Int($0.integer(0)) } ?? 0
        }
    }
}

/// Routes contributions within a transaction.
private struct Router {
    let matcher: SoulMatcher
    let transaction: WriteTransaction

    /// Routes a contribution that still waits.
    ///
    /// - Returns: The number of inbox items created; nil when it no longer waits.
    func route(_ id: String, at instant: Timestamp) throws -> Int? {
        let database = transaction.database
        let waiting = RecordQuery<OwnContribution>("WHERE id = ? AND routed = 0", [.text(id)])
        guard var contribution = try waiting.first(in: database) else { return nil }
        let key = try transaction.naming.key(makingIn: database)
        let name = try transaction.name(contribution.author)
        let recipient = try SQLStatement(
            """
            SELECT person.number FROM person JOIN soul ON soul.person = person.number WHERE person.uid = ?1
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.person = person.number AND inbox.contribution = ?2)
                AND NOT EXISTS (
                    SELECT 1 FROM block LEFT JOIN contribution AS known ON known.id = block.contribution
                    WHERE block.person = person.number AND (
                        known.person = (SELECT number FROM person WHERE uid = ?3) OR block.author = ?4))
            """, in: database)
        var deliveries = 0
        let matches = try matcher.matches(
            of: contribution.author, above: SoulConnection.parallelPath.threshold,
            minimumCoverage: SoulConnection.parallelPath.minimumCoverage)
        for match in matches {
            guard let state = match.connection.arrival else { continue }
            let mayHave = try recipient.first([
                .text(match.userID), .text(contribution.id), .text(contribution.author), .text(name.description),
            ]) { _ in true }
            guard mayHave != nil else { continue }
            let affinity = try matcher.affinity(between: match.userID, and: contribution.author)
            let similarities = Dictionary(uniqueKeysWithValues: affinity.blocks.map { ($0.block, $0.similarity) })
            try transaction.put(
                InboxRecord(
                    recipient: match.userID, contribution: contribution.id,
                    item: key.itemID(contribution: contribution.id, recipient: match.userID), arrived: instant,
                    author: name,
                    connection: match.connection, similarities: similarities, state: state))
            deliveries += 1
        }
        contribution.isRouted = true
        try transaction.put(contribution)
        return deliveries
    }
}

extension OwnContribution {
    /// The oldest waiting contribution after another.
    fileprivate static func next(after last: OwnContribution?, in database: Database) throws -> OwnContribution? {
        let start: [SQLValue] = [.integer(last?.made.microseconds ?? .min), .text(last?.id ?? "")]
        return try RecordQuery<OwnContribution>(
            "WHERE routed = 0 AND (made, id) > (?, ?) ORDER BY made, id LIMIT 1", start
        ).first(in: database)
    }
}
