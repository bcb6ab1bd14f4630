import GRDB
import HeapModule
import KinAffinity
import KinCore

/// The people whom the contributions of authors may reach, by a matcher.
struct AuthorMatches: Sendable {
    let matcher: SoulMatcher
    private var found: [String: [ScoredSoul]] = [:]

    init(_ matcher: SoulMatcher) { self.matcher = matcher }

    /// Finds the matches of the authors of contributions that wait.
    ///
    /// - Parameter limit: The largest number of contributions.
    /// - Complexity: That of `SoulMatcher.matches(of:above:minimumCoverage:)` for each author.
    mutating func match(_ limits: DeliveryLimits, limit: Int, in database: Database) throws {
        try OwnContribution.forEachWaiting(in: database, limits, matcher, limit: limit) { _ = try of($0.author) }
    }

    /// The people whom a contribution of an author may reach, the most similar first.
    mutating func of(_ author: String) throws -> [ScoredSoul] {
        if let known = found[author] { return known }
        let bounds = matcher.model.bounds
        let matches = try matcher.matches(
            of: author, above: min(1, bounds.score(of: .parallelPath)),
            minimumCoverage: bounds.coverage(of: .parallelPath))
        found[author] = matches
        return matches
    }
}

/// Delivers contributions to people by the store's rules, in one transaction.
struct Router {
    private var matches: AuthorMatches
    private let limits: DeliveryLimits
    private let instant: Timestamp
    private let database: Database
    /// Finds a recipient who may have a contribution (1 the recipient, 2 the contribution, 3 its author, 4 the author's anonymous name).
    private let recipient: SQLStatement
    /// Counts what arrived at a recipient (1) after an instant (2).
    private let arrivals: SQLStatement

    init(_ matches: AuthorMatches, at instant: Timestamp, in database: Database) throws {
        self.matches = matches
        self.limits = try AffinitySettings(in: database).delivery
        self.instant = instant
        self.database = database
        recipient = try SQLStatement(
            """
            SELECT person.number FROM person JOIN soul ON soul.person = person.number WHERE person.uid = ?1
                AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.person = person.number AND inbox.contribution = ?2)
                AND NOT EXISTS (
                    SELECT 1 FROM block LEFT JOIN contribution AS known ON known.id = block.contribution
                    WHERE block.person = person.number AND (
                        known.person = (SELECT number FROM person WHERE uid = ?3) OR block.author = ?4))
            """, in: database)
        arrivals = try SQLStatement(
            "SELECT count(*) FROM inbox WHERE person = (SELECT number FROM person WHERE uid = ?1) AND arrived > ?2",
            in: database)
    }

    /// Delivers the contributions that wait and marks them as routed.
    ///
    /// - Parameters:
    ///   - limit: The largest number of contributions.
    ///   - transaction: The transaction, of the router's database.
    mutating func route(limit: Int, in transaction: WriteTransaction) throws -> RoutingReport {
        let plan = limits.perDay == nil ? nil : try deliveryPlan(limit: limit)
        var report = RoutingReport()
        let waiting = try OwnContribution.forEachWaiting(in: database, limits, matches.matcher, limit: limit) {
            let (deliveries, overLimit) = try deliver($0, by: plan, in: transaction)
            report.contributions += 1
            report.deliveries += deliveries
            report.overLimit += overLimit
        }
        report.waiting = waiting
        return report
    }

    /// Delivers a contribution that waits.
    ///
    /// - Parameter plan: The recipients of each contribution if their number a day is limited; nil otherwise.
    /// - Returns: The number of inbox items created, and of those that a limit left out.
    private mutating func deliver(
        _ contribution: OwnContribution, by plan: DeliveryPlan?, in transaction: WriteTransaction
    ) throws -> (deliveries: Int, overLimit: Int) {
        let key = try transaction.naming.key(makingIn: database)
        let name = try transaction.name(contribution.author)
        var (deliveries, overLimit) = (0, 0)
        for match in try matches.of(contribution.author) {
            guard let state = match.connection.arrival, try mayReceive(match.userID, contribution, from: name) else {
                continue
            }
            guard plan?.has(contribution.id, for: match.userID) ?? true else {
                overLimit += 1
                continue
            }
            let affinity = try matches.matcher.affinity(between: match.userID, and: contribution.author)
            let similarities = Dictionary(uniqueKeysWithValues: affinity.blocks.map { ($0.block, $0.similarity) })
            try transaction.put(
                InboxRecord(
                    recipient: match.userID, contribution: contribution.id,
                    item: key.itemID(contribution: contribution.id, recipient: match.userID), arrived: instant,
                    author: name,
                    connection: match.connection, similarities: similarities, state: state))
            deliveries += 1
        }
        var routed = contribution
        routed.isRouted = true
        try transaction.put(routed)
        return (deliveries, overLimit)
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
                try plan.offer(contribution.id, match.affinity, to: match.userID, room: remaining(of: match.userID))
            }
        }
        return plan
    }

    /// Whether somebody has a soul of enough events, has not got the contribution yet and has not blocked its author.
    private func mayReceive(_ user: String, _ contribution: OwnContribution, from name: AnonymousName?) throws -> Bool {
        let found = try recipient.first([
            .text(user), .text(contribution.id), .text(contribution.author),
            name.map { .text($0.description) } ?? .null,
        ]) { _ in true }
        guard found != nil else { return false }
        return try limits.allow(user, in: database)
    }

    /// The number of contributions that may still arrive at somebody, by what arrived in the 24 hours before.
    private func remaining(of user: String) throws -> Int {
        guard let perDay = limits.perDay else { return .max }
        let dayBefore = instant.microseconds.subtractingReportingOverflow(CivilDate.microsecondsPerDay)
        let arrived = try arrivals.first([
            .text(user), .integer(dayBefore.overflow ? .min : dayBefore.partialValue),
        ]) { Int($0.integer(0)) }
        return max(0, perDay - (arrived ?? 0))
    }
}

/// The contributions that each person gets where their number a day is limited: those of the highest affinity.
struct DeliveryPlan {
    /// The contributions of a person: those of the highest scores, of equal scores the oldest.
    private struct Picked {
        /// A contribution, greater than those of lower scores and the later ones of its own.
        struct Candidate: Comparable {
            let contribution: String
            let score: Double
            let number: Int

            static func < (a: Candidate, b: Candidate) -> Bool { (a.score, b.number) < (b.score, a.number) }
        }

        let room: Int
        private var candidates = Heap<Candidate>()
        private var count = 0

        init(room: Int) { self.room = room }

        func has(_ contribution: String) -> Bool { candidates.unordered.contains { $0.contribution == contribution } }

        mutating func offer(_ contribution: String, _ score: Double) {
            guard candidates.count < room || score > candidates.min?.score ?? .infinity else { return }
            if candidates.count == room { _ = candidates.popMin() }
            candidates.insert(Candidate(contribution: contribution, score: score, number: count))
            count += 1
        }
    }

    private var picked: [String: Picked] = [:]

    /// Offers a contribution to a person.
    ///
    /// - Parameter room: The number of contributions that the person may get; evaluated for a person's first offer.
    mutating func offer(
        _ contribution: String, _ score: Double, to user: String, room: @autoclosure () throws -> Int
    ) rethrows {
        if picked[user] == nil { picked[user] = Picked(room: try room()) }
        picked[user]?.offer(contribution, score)
    }

    /// Whether a person gets a contribution.
    func has(_ contribution: String, for user: String) -> Bool { picked[user]?.has(contribution) ?? false }
}

extension DeliveryLimits {
    /// Whether the soul of a person rests on enough events.
    func allow(_ user: String, in database: Database) throws -> Bool {
        guard minimumEvents > 0 else { return true }
        return try RecordQuery<Soul>(of: user).first(in: database).map { $0.eventCount >= minimumEvents } ?? false
    }
}

extension OwnContribution {
    /// Calls a body with contributions that wait and can be routed, the oldest first.
    ///
    /// - Returns: The number of older contributions whose authors have no soul yet, or one of too few events.
    @discardableResult
    static func forEachWaiting(
        in database: Database, _ limits: DeliveryLimits, _ matcher: SoulMatcher, limit: Int,
        _ body: (OwnContribution) throws -> Void
    ) throws -> Int {
        var last: OwnContribution?
        var (count, waiting) = (0, 0)
        while count < limit, let next = try next(after: last, in: database) {
            last = next
            guard matcher.contains(next.author), try limits.allow(next.author, in: database) else {
                waiting += 1
                continue
            }
            try body(next)
            count += 1
        }
        return waiting
    }

    /// The oldest waiting contribution after another.
    private static func next(after last: OwnContribution?, in database: Database) throws -> OwnContribution? {
        let start: [SQLValue] = [.integer(last?.made.microseconds ?? .min), .text(last?.id ?? "")]
        return try RecordQuery<OwnContribution>(
            "WHERE routed = 0 AND (made, id) > (?, ?) ORDER BY made, id LIMIT 1", start
        ).first(in: database)
    }
}
