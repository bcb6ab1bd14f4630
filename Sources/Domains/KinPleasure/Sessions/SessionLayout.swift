import HashTreeCollections

/// The structures for filtered searches: each person's sessions by time, and all sessions in blocks of time.
struct SessionLayout: Sendable {
    private var users: TreeDictionary<String, SessionRun> = [:]
    private(set) var timeline: SessionTimeline
    private var owners: TreeDictionary<VectorID, Owner> = [:]
    private let metric: Metric

    /// A session and its person.
    struct Owner: Sendable {
        let user: String
        let entry: SessionEntry
    }

    init(metric: Metric) {
        self.metric = metric
        timeline = SessionTimeline(metric: metric)
    }

    var count: Int { owners.count }

    /// The sessions of a person, or of all people, that began in a span, as runs with positions.
    func runs(of user: String?, startedIn range: TimeRange?) -> [(run: SessionRun, positions: Range<Int>)] {
        guard let user else { return timeline.runs(startedIn: range) }
        return users[user].map { [($0, $0.positions(startedIn: range))] } ?? []
    }

    /// Adds sessions with distinct numbers; replaces those with the same numbers.
    mutating func upsert(_ sessions: [(owner: Owner, point: SIMD16<Float>)]) throws(KinError) {
        if !owners.isEmpty { try remove(sessions.map { $0.owner.entry.id }) }
        // In order of time, so that each is appended to its person's sessions.
        for (owner, point) in sessions.sorted(by: { $0.owner.entry < $1.owner.entry }) {
            users[owner.user, default: SessionRun()].insert(owner.entry, point)
            owners[owner.entry.id] = owner
        }
        let placed = metric.comparesDirections ? sessions.filter { $0.point != .zero } : sessions
        try timeline.insert(placed.map { ($0.owner.entry, $0.point) })
    }

    /// Removes sessions; unknown numbers are ignored.
    ///
    /// - Returns: The number of sessions removed.
    @discardableResult
    mutating func remove(_ ids: [VectorID]) throws(KinError) -> Int {
        let gone = ids.compactMap { owners.removeValue(forKey: $0) }
        for owner in gone {
            users[owner.user]?.remove(owner.entry)
            if users[owner.user]?.entries.isEmpty == true { users[owner.user] = nil }
        }
        if !gone.isEmpty { try timeline.remove(gone.map(\.entry)) }
        return gone.count
    }

    /// The point of a session; nil for an unknown number.
    func point(of id: VectorID) -> SIMD16<Float>? {
        guard let owner = owners[id], let sessions = users[owner.user] else { return nil }
        return sessions.points[sessions.position(of: owner.entry)]
    }
}
