import GRDB

/// The counts of one call of ``Store/route(with:at:limit:)``.
public struct RoutingReport: Sendable, Hashable {
    /// The number of contributions routed by the call.
    public var contributions = 0
    /// The number of inbox items created.
    public var deliveries = 0
    /// The number of new souls, which also received contributions of the last 30 days that were routed before.
    public var newcomers = 0
    /// The number of contributions whose authors have no soul yet, are not in the matcher, or have a soul with too few
    /// events.
    public var waiting = 0
    /// The number of deliveries omitted because deliveries of higher affinity had reached the recipient's daily limit.
    public var overLimit = 0
}

extension Store {
    /// Stores a contribution of a person; ``route(with:at:limit:)`` delivers it.
    ///
    /// Equal content by the same person is one contribution, so a repeated call adds nothing.
    ///
    /// - Returns: The contribution's id, which may be shown to its author.
    /// - Throws: `.invalidArgument` for a malformed author id (`RecordID`), or if a text contains the author's id of
    ///   three or more characters, because recipients must not learn it; `.inputOutput`.
    @discardableResult
    public func contribute(
        _ contribution: Contribution, by author: String, at made: Timestamp
    ) throws(KinError) -> String {
        let author = try RecordID.checked(author, field: "user")
        return try write("take in a contribution") { transaction in
            let database = transaction.database
            if let known = try OwnContribution.id(of: contribution, by: author, in: database) { return known }
            let id = try naming.key(makingIn: database)
                .contributionID(author: author, made: made, json: contribution.json)
            let own = OwnContribution(
                author: author, id: id, made: made, isRouted: false, contribution: contribution)
            try transaction.put(own.adopted(by: transaction))
            try transaction.name(author)
            return id
        }
    }

    /// Delivers waiting contributions, oldest first, to the inboxes of the people whom their authors match.
    ///
    /// All deliveries and marks are one transaction: with any number of routers and after any crash, each recipient
    /// receives a contribution exactly once. The matches of the authors are computed before the transaction, and again
    /// if souls have changed. `SoulConnection.arrival` decides the state of an item; recipients who blocked the author
    /// are skipped. A contribution waits if its author has no soul, or a soul with fewer events than the store's
    /// `DeliveryLimits` require.
    ///
    /// If `DeliveryLimits.perDay` is set, at most that many contributions arrive at a person within 24 hours: those of
    /// the highest affinity first, then the oldest. The remaining contributions are not delivered to that person.
    ///
    /// A soul is new until the first call that finds it with enough events. It then receives the matching contributions
    /// of the last 30 days that were routed before, within the daily limit.
    ///
    /// - Parameters:
    ///   - matcher: The souls of the store; evaluated again if they change.
    ///   - instant: The time of arrival.
    ///   - limit: The largest number of contributions, 0 or more.
    /// - Throws: `.invalidArgument` for a negative limit; `.inputOutput`, `.corruptFile`; `.cancelled` as described at
    ///   `withProgressHandler`, with contributions and new souls as units.
    /// - Complexity: Memory for the matches of each author and, with a daily limit, for the limit of each person.
    @discardableResult
    public nonisolated func route(
        with matcher: @autoclosure @Sendable () throws(KinError) -> SoulMatcher, at instant: Timestamp,
        limit: Int = .max
    ) async throws(KinError) -> RoutingReport {
        try KinError.requireCount(limit, "limit")
        return try await write("route contributions", after: [Soul.kind, AffinitySettings.kind]) {
            () throws(KinError) in
            var matches = AuthorMatches(try matcher())
            try read("match the authors of contributions") { database in
                let limits = try AffinitySettings(in: database).delivery
                try matches.match(limits, limit: limit, in: database)
                let newcomers = try Newcomers.all(in: database, limits, matches.matcher)
                guard try !newcomers.isEmpty && Newcomers.haveEarlier(in: database, at: instant) else { return }
                for user in newcomers { _ = try matches.of(user) }
            }
            return matches
        } _: { matches, transaction in
            var router = try Router(matches, at: instant, in: transaction)
            return try router.route(limit: limit)
        }
    }
}
