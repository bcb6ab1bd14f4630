import GRDB

/// Delivers contributions to people by the store's rules, in one transaction.
struct Router {
    private var matches: AuthorMatches
    private let limits: DeliveryLimits
    private let instant: Timestamp
    private let transaction: WriteTransaction
    /// Finds a recipient (1) who has not received a contribution (2), and whether the recipient has blocked anybody.
    private let recipient: SQLStatement
    /// Counts the items that arrived at a recipient (1) after an instant (2).
    private let arrivals: SQLStatement

    private var database: Database { transaction.database }

    init(_ matches: AuthorMatches, at instant: Timestamp, in transaction: WriteTransaction) throws {
        let database = transaction.database
        self.matches = matches
        self.limits = try AffinitySettings(in: database).delivery
        self.instant = instant
        self.transaction = transaction
        recipient = try SQLStatement(
            """
            SELECT EXISTS (SELECT 1 FROM block WHERE block.person = person.number) FROM person JOIN soul ON soul.person = person.number WHERE person.uid = ?1
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.person = person.number AND inbox.contribution = ?2)
            """, in: database)
        arrivals = try SQLStatement(
            "SELECT count(*) FROM inbox WHERE person = (SELECT number FROM person WHERE uid = ?1) AND arrived > ?2",
            in: database)
    }

    /// Delivers the waiting contributions and marks them as routed.
    ///
    /// - Parameter limit: The largest number of contributions.
    mutating func route(limit: Int) throws -> RoutingReport {
        let plan = limits.perDay == nil ? nil : try deliveryPlan(limit: limit)
        let newcomers = try Newcomers.all(in: database, limits, matches.matcher)
        let haveEarlier = try !newcomers.isEmpty && Newcomers.haveEarlier(in: database, at: instant)
        var report = RoutingReport()
        let waiting = try OwnContribution.forEachWaiting(in: database, limits, matches.matcher, limit: limit) {
            let (deliveries, overLimit) = try deliver($0, by: plan)
            report.contributions += 1
            report.deliveries += deliveries
            report.overLimit += overLimit
        }
        report.waiting = waiting
        let work = LongWork(of: newcomers.count)
        for user in newcomers {
            if haveEarlier {
                let (deliveries, overLimit) = try welcome(user)
                report.deliveries += deliveries
                report.overLimit += overLimit
            }
            try Newcomers.welcome(user, in: database)
            report.newcomers += 1
            try work.step()
        }
        return report
    }

    /// Delivers the matching contributions of the last days to a new soul, highest affinity first, then oldest.
    ///
    /// - Returns: As ``deliver(_:by:)``.
    private mutating func welcome(_ user: String) throws -> (deliveries: Int, overLimit: Int) {
        var offers: [(contribution: OwnContribution, match: ScoredSoul, name: AnonymousName?)] = []
        for match in try matches.of(user) where match.connection.arrival != nil {
            guard try limits.allow(Soul.of(match.userID, in: database)) else { continue }
            let name = try NameRecord.name(of: match.userID, in: database)
            let earlier = try RecordQuery<OwnContribution>(
                of: match.userID, "AND routed = 1 AND made > ? ORDER BY made, id", [Newcomers.since(instant)])
            for contribution in try earlier.all(in: database) where try mayReceive(user, contribution, from: name) {
                offers.append((contribution, match, name))
            }
        }
        offers.sort {
            ($1.match.affinity, $0.contribution.made, $0.contribution.id)
                < ($0.match.affinity, $1.contribution.made, $1.contribution.id)
        }
        guard !offers.isEmpty else { return (0, 0) }
        let room = try limits.room(after: arrived(at: user))
        let key = try transaction.naming.key(makingIn: database)
        for (contribution, match, name) in offers.prefix(room) {
            let name = try name ?? transaction.name(contribution.author)
            try put(contribution, from: name, to: user, match.connection, key: key)
        }
        return (min(room, offers.count), max(0, offers.count - room))
    }

    /// Delivers a waiting contribution.
    ///
    /// - Parameter plan: The recipients of each contribution if the number of deliveries per day is limited; nil
    ///   otherwise.
    /// - Returns: The number of inbox items created, and of items that the limit excluded.
    private mutating func deliver(
        _ contribution: OwnContribution, by plan: DeliveryPlan?
    ) throws -> (deliveries: Int, overLimit: Int) {
        let name = try transaction.name(contribution.author)
        let key = try transaction.naming.key(makingIn: database)
        var (deliveries, overLimit) = (0, 0)
        for match in try matches.of(contribution.author) {
            guard match.connection.arrival != nil, try mayReceive(match.userID, contribution, from: name) else {
                continue
            }
            guard plan?.has(contribution.id, for: match.userID) ?? true else {
                overLimit += 1
                continue
            }
            try put(contribution, from: name, to: match.userID, match.connection, key: key)
            deliveries += 1
        }
        var routed = contribution
        routed.isRouted = true
        try transaction.put(routed)
        return (deliveries, overLimit)
    }

    /// Puts a contribution in an inbox under its author's anonymous name.
    private func put(
        _ contribution: OwnContribution, from name: AnonymousName, to user: String, _ connection: SoulConnection,
        key: NamingKey
    ) throws {
        guard let state = connection.arrival else { return }
        let affinity = try matches.matcher.affinity(between: user, and: contribution.author)
        let similarities = Dictionary(uniqueKeysWithValues: affinity.blocks.map { ($0.block, $0.similarity) })
        try transaction.put(
            InboxRecord(
                recipient: user, contribution: contribution.id,
                item: key.itemID(contribution: contribution.id, recipient: user), arrived: instant,
                author: name, connection: connection, similarities: similarities, state: state))
    }

    /// Plans the deliveries of waiting contributions within the daily limit of each person.
    ///
    /// - Complexity: Memory for the limit of each person.
    private mutating func deliveryPlan(limit: Int) throws -> DeliveryPlan {
        var plan = DeliveryPlan()
        try OwnContribution.forEachWaiting(in: database, limits, matches.matcher, limit: limit) { contribution in
            let name = try NameRecord.name(of: contribution.author, in: database)
            for match in try matches.of(contribution.author) where match.connection.arrival != nil {
                guard try mayReceive(match.userID, contribution, from: name) else { continue }
                try plan.offer(
                    contribution.id, match.affinity, to: match.userID,
                    room: limits.room(after: arrived(at: match.userID)))
            }
        }
        return plan
    }

    /// Whether a person has a soul with enough events, has not received the contribution yet and has not blocked its
    /// author.
    private func mayReceive(_ user: String, _ contribution: OwnContribution, from name: AnonymousName?) throws -> Bool {
        guard let hasBlocks = try recipient.first([.text(user), .text(contribution.id)], { $0.integer(0) == 1 })
        else { return false }
        return try !(hasBlocks && transaction.isBlocked(contribution.author, named: name, by: user))
            && limits.allow(Soul.of(user, in: database))
    }

    /// The number of contributions that arrived at a person in the preceding 24 hours.
    private func arrived(at user: String) throws -> Int {
        try arrivals.first([.text(user), .microseconds(days: 1, before: instant)]) { Int($0.integer(0)) } ?? 0
    }
}

extension Soul {
    /// The soul of a person; nil if the person has none.
    static func of(_ user: String, in database: Database) throws -> Soul? {
        try RecordQuery<Soul>(of: user).first(in: database)
    }
}

extension AuthorMatches {
    /// Finds the matches of the authors of waiting contributions.
    ///
    /// - Parameter limit: The largest number of contributions.
    /// - Complexity: As `SoulMatcher.matches(of:above:minimumCoverage:)` for each author.
    mutating func match(_ limits: DeliveryLimits, limit: Int, in database: Database) throws {
        try OwnContribution.forEachWaiting(in: database, limits, matcher, limit: limit) { _ = try of($0.author) }
    }
}

extension OwnContribution {
    /// Calls a body with each waiting contribution that can be routed, oldest first.
    ///
    /// - Returns: The number of older contributions whose authors have no soul yet, or a soul with too few events.
    @discardableResult
    static func forEachWaiting(
        in database: Database, _ limits: DeliveryLimits, _ matcher: SoulMatcher, limit: Int,
        _ body: (OwnContribution) throws -> Void
    ) throws -> Int {
        let work = LongWork(of: nil)
        var last: OwnContribution?
        var (count, waiting) = (0, 0)
        while count < limit, let next = try next(after: last, in: database) {
            last = next
            guard matcher.contains(next.author), try limits.allow(Soul.of(next.author, in: database)) else {
                waiting += 1
                continue
            }
            try body(next)
            count += 1
            try work.step()
        }
        return waiting
    }

    /// The oldest waiting contribution after a given contribution.
    private static func next(after last: OwnContribution?, in database: Database) throws -> OwnContribution? {
        let start: [SQLValue] = [.integer(last?.made.microseconds ?? .min), .text(last?.id ?? "")]
        return try RecordQuery<OwnContribution>(
            "WHERE routed = 0 AND (made, id) > (?, ?) ORDER BY made, id LIMIT 1", start
        ).first(in: database)
    }
}
