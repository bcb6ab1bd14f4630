import HashTreeCollections

/// The structures for filtered searches: the sessions of each person, and the sessions of all people in short periods.
struct SessionLayout: Sendable {
    private var users: TreeDictionary<String, SessionRun> = [:]
    private var periods: TreeDictionary<Int64, SessionRun> = [:]
    private var owners: TreeDictionary<VectorID, Owner> = [:]

    /// A session and its person.
    struct Owner: Sendable {
        let user: String
        let entry: SessionEntry
    }

    var count: Int { owners.count }

    /// The period of an instant in microseconds since 1970; a period has 19 hours.
    private static func period(of instant: Int64) -> Int64 { instant >> 36 }

    /// The sessions of a person, or of all people, that began in a span, as runs with positions.
    func runs(of user: String?, startedIn range: TimeRange?) -> [(run: SessionRun, positions: Range<Int>)] {
        let runs = user.map { users[$0].map { [$0] } ?? [] } ?? runs(in: range)
        return runs.map { ($0, $0.positions(startedIn: range)) }
    }

    /// The runs of all periods that overlap a span.
    private func runs(in range: TimeRange?) -> [SessionRun] {
        guard let range else { return periods.map(\.value) }
        let span = Self.period(of: range.start.microseconds)...Self.period(of: range.end.microseconds)
        guard span.count > periods.count else { return span.compactMap { periods[$0] } }
        return periods.filter { span.contains($0.key) }.map(\.value)
    }

    /// Adds sessions with distinct numbers; replaces those with the same numbers.
    mutating func upsert(_ sessions: [(owner: Owner, point: SIMD16<Float>)]) {
        if !owners.isEmpty { remove(sessions.map { $0.owner.entry.id }) }
        // In order of time, so that each is appended to its person's and its period's sessions.
        for (owner, point) in sessions.sorted(by: { $0.owner.entry < $1.owner.entry }) {
            users[owner.user, default: SessionRun()].insert(owner.entry, point)
            periods[Self.period(of: owner.entry.start), default: SessionRun()].insert(owner.entry, point)
            owners[owner.entry.id] = owner
        }
    }

    /// Removes sessions; unknown numbers are ignored.
    ///
    /// - Returns: The number of sessions removed.
    @discardableResult
    mutating func remove(_ ids: [VectorID]) -> Int {
        let gone = ids.compactMap { owners.removeValue(forKey: $0) }
        for owner in gone {
            users.remove(owner.entry, at: owner.user)
            periods.remove(owner.entry, at: Self.period(of: owner.entry.start))
        }
        return gone.count
    }
}

extension TreeDictionary where Value == SessionRun {
    /// Removes a session from the run of a key, and an empty run from the dictionary.
    fileprivate mutating func remove(_ entry: SessionEntry, at key: Key) {
        self[key]?.remove(entry)
        if self[key]?.entries.isEmpty == true { self[key] = nil }
    }
}
