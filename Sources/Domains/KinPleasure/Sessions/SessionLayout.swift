import HashTreeCollections
import KinCore
import KinIndex
import KinLinearAlgebra

/// What is kept of sessions beside everybody's points: each person's in the order of time, and all in blocks of time.
struct SessionLayout: Sendable {
    private var users: TreeDictionary<String, UserSessions> = [:]
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
    func sessions(of user: String) -> UserSessions? { users[user] }

    /// Puts sessions in that have different numbers; those that have a number already are replaced.
    mutating func upsert(_ entries: [Entry]) throws(KinError) {
        try remove(entries.map(\.id))
        // In the order of time, so that each is appended to its owner's.
        for entry in entries.sorted(by: { ($0.owner.start, $0.id) < ($1.owner.start, $1.id) }) {
            let owner = entry.owner
            users[owner.user, default: UserSessions()].insert(
                .init(start: owner.start, id: entry.id, state: owner.state), entry.point)
            owners[entry.id] = owner
        }
        var placed = entries
        if metric == .cosine { placed.removeAll { $0.point == .zero } }
        try timeline.insert(
            placed.map { .init(key: .init(start: $0.owner.start, id: $0.id), point: $0.point) })
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
        return sessions.points[sessions.place(start: owner.start, id: id)]
    }

    /// Where a session stands among a person's; nil when it is not theirs.
    func place(of id: VectorID, user: String) -> Int? {
        guard let owner = owners[id], owner.user == user else { return nil }
        return users[user]?.place(start: owner.start, id: id)
    }

    /// The sessions nearest to a point that began in a span of time.
    func nearest(
        to point: Pleasure, k: Int, startedIn range: TimeRange, states: StateSet
    ) throws(KinError) -> [Neighbor] {
        let owners = owners
        let isInState: @Sendable (VectorID) -> Bool = { owners[$0].map { states.contains($0.state) } ?? false }
        return try timeline.nearest(
            to: point, k: k, startedIn: range, start: { owners[$0]?.start },
            where: states == .all ? nil : isInState)
    }
}

/// Some of the states, a bit for each.
struct StateSet: Sendable, Hashable {
    let bits: Int

    static let all = StateSet(bits: 0b11111)

    init(bits: Int) { self.bits = bits }

    init(_ states: Set<SessionState>) { bits = states.reduce(0) { $0 | 1 << $1.rawValue } }

    func contains(_ state: SessionState) -> Bool { bits & 1 << state.rawValue != 0 }
}
