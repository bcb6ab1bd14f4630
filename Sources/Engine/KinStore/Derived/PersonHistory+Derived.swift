import GRDB

/// A person's cached sessions and taste.
public struct PersonHistory: Sendable {
    /// All sessions by ascending start, then by id.
    public fileprivate(set) var sessions: [PleasureSession] = []
    /// The declared profiles and the taste learned from the sessions.
    public fileprivate(set) var taste = TasteHistory()

    /// The state of the session that runs at an instant: the latest that has begun, if it has no end before and began
    /// less than 24 hours earlier; nil without one.
    public func sessionState(at instant: Timestamp) -> SessionState? {
        let last = sessions.indices.partition { sessions[$0].start <= instant } - 1
        guard last >= 0 else { return nil }
        let (start, end, state) = (sessions[last].start, sessions[last].end, sessions[last].state)
        let day = CivilDate.microsecondsPerDay
        guard end.map({ $0 > instant }) ?? (instant.microseconds - start.microseconds < day), state != .reflection
        else { return nil }
        return state
    }
}

/// A ``PersonHistory`` with the row numbers of its records.
struct CachedHistory: DerivedValue {
    static var sources: [RecordKind] { [PleasureSession.kind, ProfileVersion.kind] }

    private(set) var history = PersonHistory()
    /// The key of each row's record: a session's id and start, a version's first instant.
    private var sessionKeys: [Int64: (start: Timestamp, id: String)] = [:]
    private var versionStarts: [Int64: Timestamp] = [:]

    static func person(of user: String) -> String? { user }

    init(for user: String, in database: Database) throws {
        let sessions = try RecordQuery.sessions(of: user).numbered(in: database)
        let versions = try RecordQuery<ProfileVersion>(of: user, "ORDER BY since").numbered(in: database)
        for row in sessions { sessionKeys[row.number] = (row.record.start, row.record.id) }
        for row in versions { versionStarts[row.number] = row.record.since }
        history.sessions = sessions.map(\.record)
        history.taste = TasteHistory(sessions: history.sessions, declared: versions.map(\.record))
    }

    mutating func apply(_ changes: [RecordChange], for user: String, in database: Database) throws -> Bool {
        guard let sessions = try ChangedRows<PleasureSession>(changes, limit: 1000, in: database),
            let versions = try ChangedRows<ProfileVersion>(changes, limit: 1000, in: database)
        else { return false }
        let kept = Set(sessions.present.filter { $0.record.userID == user }.map(\.number))
        for number in sessions.numbers {
            guard let (start, id) = sessionKeys.removeValue(forKey: number) else { continue }
            let place = history.sessions.partition { ($0.start, $0.id) < (start, id) }
            history.sessions.remove(at: place)
            if !kept.contains(number) { history.taste.remove(session: id) }
        }
        for (number, session) in sessions.present where session.userID == user {
            let place = history.sessions.partition { ($0.start, $0.id) <= (session.start, session.id) }
            history.sessions.insert(session, at: place)
            history.taste.upsert(session)
            sessionKeys[number] = (session.start, session.id)
        }
        for number in versions.numbers {
            if let since = versionStarts.removeValue(forKey: number) { history.taste.removeDeclaration(since: since) }
        }
        for (number, version) in versions.present where version.profile.userID == user {
            history.taste.declare(version)
            versionStarts[number] = version.since
        }
        return true
    }

    /// A session takes about 700 bytes with its texts, and 48 by its row number.
    var byteCount: Int { 256 + history.sessions.count * 750 + history.taste.byteCount }
}

/// The cached types of a person's sessions. Computing them takes milliseconds: k-means runs for several numbers of
/// types.
struct CachedTypes: DerivedValue {
    static var sources: [RecordKind] { [PleasureSession.kind] }

    /// The types in the order of the sessions by start, then by id; nil without sessions.
    let types: SessionTypes?

    static func person(of user: String) -> String? { user }

    init(for user: String, in database: Database) throws {
        var points: [Pleasure] = []
        try RecordQuery.sessions(of: user).forEachRow(in: database) { points.append(try $0.point) }
        types = points.isEmpty ? nil : try SessionTypes(points: points)
    }

    var byteCount: Int { 4_096 + (types?.labels.count ?? 0) * 8 }
}

extension RecordQuery<PleasureSession> {
    /// The sessions of a person by ascending start, then by id.
    fileprivate static func sessions(of user: String) throws(KinError) -> RecordQuery {
        try RecordQuery(of: user, "ORDER BY start, id")
    }
}

extension Store {
    /// Runs a body on a person's cached sessions and taste, without a copy. They are empty if the person has no sessions
    /// and no profile.
    ///
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`; `.invalidArgument` for a malformed id; the errors
    ///   of the body (see `KinError.underlying`).
    /// - Complexity: O(1); O(changes) after changes; O(sessions) if they are not in memory.
    public nonisolated func withHistory<Result, Failure: Error>(
        of user: String, _ body: (PersonHistory) throws(Failure) -> Result
    ) throws(KinError) -> Result {
        try derived(CachedHistory.self, for: RecordID.checked(user, field: "user")) { (cached) throws(KinError) in
            try callingBack { try body(cached.history) }
        }
    }

    /// The cached types of a person's sessions by ascending start, then by id; nil without sessions.
    ///
    /// - Throws: As ``withHistory(of:_:)``.
    /// - Complexity: O(1); as `SessionTypes` after a change of the sessions.
    public nonisolated func sessionTypes(of user: String) throws(KinError) -> SessionTypes? {
        try derived(CachedTypes.self, for: RecordID.checked(user, field: "user")).types
    }
}

extension StoreTransaction {
    /// A person's sessions and taste; empty if the person has no sessions and no profile.
    ///
    /// - Throws: As ``Store/withHistory(of:_:)``.
    /// - Complexity: As ``Store/withHistory(of:_:)``.
    public func history(of user: String) throws -> PersonHistory {
        try writer.derived(CachedHistory.self, for: RecordID.checked(user, field: "user")).history
    }
}
