import GRDB
public import KinAffinity
public import KinCore

/// The counts of one call of ``Store/route(with:at:limit:)``.
public struct RoutingReport: Sendable, Hashable {
    /// The number of contributions routed by the call.
    public var contributions = 0
    /// The number of inbox items created.
    public var deliveries = 0
    /// The number of contributions whose authors have no soul yet, none in the matcher, or one of too few events.
    public var waiting = 0
    /// The number of deliveries left out, since others of a higher affinity reached the recipient's limit of the day.
    public var overLimit = 0
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

    /// Delivers waiting contributions to the inboxes of the people whom their authors match, the oldest first.
    ///
    /// Each contribution is routed in one transaction that also marks it as routed: with any number of routers and
    /// after any crash, each recipient gets it exactly once. `SoulConnection.arrival` decides its state; recipients who
    /// blocked the author or were erased since the matcher was built are skipped. A contribution whose author has no
    /// soul, or one of fewer events than the store's `DeliveryLimits` ask for, waits for one.
    ///
    /// Where `DeliveryLimits.perDay` is set, at most so many arrive at a person within 24 hours. Of all that wait, each person
    /// gets those of the highest affinity, of equal ones the oldest; the others are not delivered to that person.
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
        let limits = try affinitySettings().delivery
        let plan =
            limits.perDay == nil
            ? nil
            : try read("plan deliveries") { database in
                try DeliveryPlan(Router(matcher, limits, at: instant, in: database), limit: limit)
            }
        var last: OwnContribution?
        while report.contributions < limit {
            let next = try read("find a contribution to route") { database in
                try OwnContribution.next(after: last, in: database)
            }
            guard let next else { break }
            last = next
            guard try hasSoul(next.author, matcher, limits) else {
                report.waiting += 1
                continue
            }
            let delivered = try write("route a contribution") { transaction -> (deliveries: Int, overLimit: Int)? in
                let router = try Router(matcher, limits, at: instant, in: transaction.database)
                return try router.route(next.id, by: plan, in: transaction)
            }
            guard let delivered else { continue }
            report.contributions += 1
            report.deliveries += delivered.deliveries
            report.overLimit += delivered.overLimit
        }
        return report
    }

    /// Whether an author's soul is in a matcher, and rests on enough events.
    private nonisolated func hasSoul(_ author: String, _ matcher: SoulMatcher, _ limits: DeliveryLimits)
        throws(KinError) -> Bool
    {
        guard matcher.contains(author) else { return false }
        return try read("read a soul") { try limits.allow(author, in: $0) }
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
