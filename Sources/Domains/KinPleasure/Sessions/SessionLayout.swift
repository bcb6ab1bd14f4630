import HashTreeCollections
import KinCore
import KinIndex
import KinLinearAlgebra

/// The structures for filtered searches: each person's sessions by time, and all sessions in blocks of time.
struct SessionLayout: Sendable {
    private var users: TreeDictionary<String, SessionRun> = [:]
    private(set) var timeline: SessionTimeline
    private var owners: TreeDictionary<VectorID, Owner> = [:]
    private let metric: Metric

    /// The person, start and state of a session.
    struct Owner: Sendable {
        let user: String
        let start: Int64
        let state: SessionState
    }

    /// A session to be added.
    struct Entry: Sendable {
        let id: VectorID
        let owner: Owner
        let point: SIMD16<Float>
    }

    init(metric: Metric) {
        self.metric = metric
        timeline = SessionTimeline(metric: metric)
    }

    var count: Int { owners.count }

    /// The people with sessions, in ascending order.
    var userIDs: [String] { users.keys.sorted() }

    /// A person's sessions; nil when there are none.
    func sessions(of user: String) -> SessionRun? { users[user] }

    /// Adds sessions with different numbers; replaces those with the same numbers.
    mutating func upsert(_ entries: [Entry]) throws(KinError) {
        if !owners.isEmpty { try remove(entries.map(\.id)) }
        // In the order of time, so that each is appended to its owner's.
        for entry in entries.sorted(by: { ($0.owner.start, $0.id) < ($1.owner.start, $1.id) }) {
            let owner = entry.owner
            users[owner.user, default: SessionRun()].insert(
                .init(start: owner.start, id: entry.id, state: owner.state), entry.point)
            owners[entry.id] = owner
        }
        var placed = entries
        if metric == .cosine { placed.removeAll { $0.point == .zero } }
        try timeline.insert(
            placed.map { entry in
                .init(start: entry.owner.start, id: entry.id, state: entry.owner.state, point: entry.point)
            })
    }

    /// Removes sessions; unknown numbers are ignored.
    ///
    /// - Returns: The number of sessions removed.
    @discardableResult
    mutating func remove(_ ids: [VectorID]) throws(KinError) -> Int {
        var keys: [SessionTimeline.Key] = []
        for id in ids {
            guard let owner = owners.removeValue(forKey: id) else { continue }
            users[owner.user]?.remove(start: owner.start, id: id)
            if users[owner.user]?.entries.isEmpty == true { users[owner.user] = nil }
            keys.append(.init(start: owner.start, id: id))
        }
        if !keys.isEmpty { try timeline.remove(keys) }
        return keys.count
    }

    /// The point of a session; nil for an unknown number.
    func point(of id: VectorID) -> SIMD16<Float>? {
        guard let owner = owners[id], let sessions = users[owner.user] else { return nil }
        return sessions.points[sessions.position(start: owner.start, id: id)]
    }

    /// The position of a session among a person's; nil for somebody else's.
    func position(of id: VectorID, user: String) -> Int? {
        guard let owner = owners[id], owner.user == user else { return nil }
        return users[user]?.position(start: owner.start, id: id)
    }
}
