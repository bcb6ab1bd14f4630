import HashTreeCollections
import KinCore
import KinIndex
import KinLinearAlgebra

/// What is kept of sessions beside everybody's points: each person's in the order of time, and all in blocks of time.
struct SessionLayout: Sendable {
    private var users: TreeDictionary<String, SessionRun> = [:]
    private(set) var timeline: SessionTimeline
    private var owners: TreeDictionary<VectorID, Owner> = [:]
    private let metric: Metric

    /// What is known of a session by its number.
    struct Owner: Sendable {
        let user: String
        let start: Int64
        let state: SessionState
    }

    /// A session on its way in.
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

    /// The people who have sessions, ascending.
    var userIDs: [String] { users.keys.sorted() }

    /// A person's sessions, if there are any.
    func sessions(of user: String) -> SessionRun? { users[user] }

    /// Puts sessions in that have different numbers; those that have a number already are replaced.
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

    /// Takes sessions out; numbers that no session has are passed over.
    ///
    /// - Returns: How many there were.
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

    /// The point of a session.
    func point(of id: VectorID) -> SIMD16<Float>? {
        guard let owner = owners[id], let sessions = users[owner.user] else { return nil }
        return sessions.points[sessions.position(start: owner.start, id: id)]
    }

    /// Where a session stands among a person's; nil when it is not theirs.
    func position(of id: VectorID, user: String) -> Int? {
        guard let owner = owners[id], owner.user == user else { return nil }
        return users[user]?.position(start: owner.start, id: id)
    }
}
