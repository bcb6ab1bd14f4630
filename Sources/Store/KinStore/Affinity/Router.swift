import GRDB
import HeapModule
import KinAffinity
import KinCore

/// The rules by which contributions reach people, on one connection to the database.
struct Router {
    private let matcher: SoulMatcher
    private let limits: DeliveryLimits
    private let instant: Timestamp
    private let database: Database
    /// Finds a recipient who may have a contribution (1 the recipient, 2 the contribution, 3 its author, 4 the author's anonymous name).
    private let recipient: SQLStatement
    /// Counts what arrived at a recipient (1) after an instant (2).
    private let arrivals: SQLStatement

    init(_ matcher: SoulMatcher, _ limits: DeliveryLimits, at instant: Timestamp, in database: Database) throws {
        self.matcher = matcher
        self.limits = limits
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

    /// Routes a contribution that still waits.
    ///
    /// - Parameters:
    ///   - id: The contribution.
    ///   - plan: The recipients of each contribution where their number a day is limited; nil where it is not.
    ///   - transaction: The transaction, of the router's database.
    /// - Returns: The number of inbox items created, and of those that a limit left out; nil when it waits for a soul or no longer.
    func route(
        _ id: String, by plan: DeliveryPlan?, in transaction: WriteTransaction
    ) throws -> (deliveries: Int, overLimit: Int)? {
        guard var contribution = try OwnContribution.waiting(id, in: database) else { return nil }
        let key = try transaction.naming.key(makingIn: database)
        let name = try transaction.name(contribution.author)
        var (deliveries, overLimit) = (0, 0)
        for match in try matches(of: contribution.author) {
            guard let state = match.connection.arrival, try mayReceive(match.userID, contribution, from: name) else {
                continue
            }
            // Another router may have delivered since the plan was made.
            if let plan {
                let room = try remaining(of: match.userID)
                guard room > 0, plan.has(id, for: match.userID) else {
                    overLimit += 1
                    continue
                }
            }
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
        return (deliveries, overLimit)
    }

    /// The people whom a contribution of an author may reach, the most similar first.
    func matches(of author: String) throws -> [ScoredSoul] {
        let bounds = matcher.model.bounds
        return try matcher.matches(
            of: author, above: min(1, bounds.score(of: .parallelPath)),
            minimumCoverage: bounds.coverage(of: .parallelPath))
    }

    /// Whether somebody has a soul of enough events, has not got the contribution yet and has not blocked its author.
    func mayReceive(_ user: String, _ contribution: OwnContribution, from name: AnonymousName?) throws -> Bool {
        let found = try recipient.first([
            .text(user), .text(contribution.id), .text(contribution.author),
            name.map { .text($0.description) } ?? .null,
        ]) { _ in true }
        guard found != nil else { return false }
        return try limits.allow(user, in: database)
    }

    /// The number of contributions that may still arrive at somebody, by what arrived in the 24 hours before.
    func remaining(of user: String) throws -> Int {
        guard let perDay = limits.perDay else { return .max }
        let dayBefore = instant.microseconds.subtractingReportingOverflow(CivilDate.microsecondsPerDay)
        let arrived = try arrivals.first([
            .text(user), .integer(dayBefore.overflow ? .min : dayBefore.partialValue),
        ]) { Int($0.integer(0)) }
        return max(0, perDay - (arrived ?? 0))
    }

    /// The anonymous name of an author, if one was given.
    func name(of author: String) throws -> AnonymousName? { try NameRecord.name(of: author, in: database) }

    /// Calls a function with contributions that wait and can be routed, the oldest first.
    func forEachWaiting(limit: Int, _ body: (OwnContribution) throws -> Void) throws {
        var last: OwnContribution?
        var count = 0
        while count < limit, let next = try OwnContribution.next(after: last, in: database) {
            last = next
            guard matcher.contains(next.author), try limits.allow(next.author, in: database) else { continue }
            try body(next)
            count += 1
        }
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

        var contributions: Set<String> { Set(candidates.unordered.map(\.contribution)) }

        mutating func offer(_ contribution: String, _ score: Double) {
            guard candidates.count < room || score > candidates.min?.score ?? .infinity else { return }
            if candidates.count == room { _ = candidates.popMin() }
            candidates.insert(Candidate(contribution: contribution, score: score, number: count))
            count += 1
        }
    }

    /// The contributions by person.
    private let contributions: [String: Set<String>]

    /// Plans the routing of contributions that wait.
    ///
    /// - Parameters:
    ///   - router: The rules.
    ///   - limit: The largest number of contributions.
    /// - Complexity: Memory for the limit of each person, and for the matches of each author.
    init(_ router: Router, limit: Int) throws {
        var matches: [String: [ScoredSoul]] = [:]
        var picked: [String: Picked] = [:]
        try router.forEachWaiting(limit: limit) { contribution in
            let name = try router.name(of: contribution.author)
            let found = try matches[contribution.author] ?? router.matches(of: contribution.author)
            matches[contribution.author] = found
            for match in found where match.connection.arrival != nil {
                guard try router.mayReceive(match.userID, contribution, from: name) else { continue }
                if picked[match.userID] == nil {
                    picked[match.userID] = Picked(room: try router.remaining(of: match.userID))
                }
                picked[match.userID]?.offer(contribution.id, match.affinity)
            }
        }
        contributions = picked.mapValues(\.contributions)
    }

    /// Whether a person gets a contribution.
    func has(_ contribution: String, for user: String) -> Bool {
        contributions[user]?.contains(contribution) ?? false
    }
}

extension DeliveryLimits {
    /// Whether the soul of a person rests on enough events.
    func allow(_ user: String, in database: Database) throws -> Bool {
        guard minimumEvents > 0 else { return true }
        return try RecordQuery<Soul>(of: user).first(in: database).map { $0.eventCount >= minimumEvents } ?? false
    }
}

extension OwnContribution {
    /// A contribution that waits for routing; nil when it does not.
    static func waiting(_ id: String, in database: Database) throws -> OwnContribution? {
        try RecordQuery<OwnContribution>("WHERE id = ? AND routed = 0", [.text(id)]).first(in: database)
    }

    /// The oldest waiting contribution after another.
    static func next(after last: OwnContribution?, in database: Database) throws -> OwnContribution? {
        let start: [SQLValue] = [.integer(last?.made.microseconds ?? .min), .text(last?.id ?? "")]
        return try RecordQuery<OwnContribution>(
            "WHERE routed = 0 AND (made, id) > (?, ?) ORDER BY made, id LIMIT 1", start
        ).first(in: database)
    }
}
