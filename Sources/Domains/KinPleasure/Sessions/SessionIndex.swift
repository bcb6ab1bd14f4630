import HashTreeCollections
public import KinCore
public import KinIndex
public import KinLinearAlgebra

/// The points of sessions, to search by similarity, person, state and time.
///
/// Everybody's points are in an ``IVFIndex``; each person's are also kept side by side in the order of time, for the searches
/// that ask for one person. An index is a value: a copy of it is a snapshot.
///
///     var sessions = SessionIndex()
///     try sessions.upsert(session, as: 7)
///     let similar = try sessions.nearest(to: mood, k: 5, where: .user("u42") && .state(.drift))
///
/// Sessions go by numbers, as a store gives them. Memory: some 200 bytes a session.
public struct SessionIndex: Sendable {
    /// What "near" means.
    public let metric: Metric
    /// Everybody's points, with the attributes `user`, `state` and `start`. It lacks sessions without any pleasure when the metric
    /// is the cosine: they have no direction.
    public private(set) var points: IVFIndex
    private(set) var users: TreeDictionary<String, UserSessions> = [:]
    private var owners: TreeDictionary<VectorID, Owner> = [:]

    /// What it takes to find a session among its owner's.
    private struct Owner: Sendable {
        let user: String
        let start: Int64
    }

    static let userAttribute = "user"
    static let stateAttribute = "state"
    static let startAttribute = "start"

    /// The attributes of ``points``: `user` and `state`, categories, and `start`, a time.
    public static let schema: AttributeSchema = {
        do throws(KinError) {
            return try AttributeSchema([userAttribute: .category, stateAttribute: .category, startAttribute: .time])
        } catch {
            preconditionFailure("attributes may have these names: \(error)")
        }
    }()

    /// An index without sessions.
    public init(metric: Metric = .squaredL2) {
        self.metric = metric
        points = IVFIndex(dimension: Pleasure.Dimension.count, metric: metric, attributes: Self.schema)
    }

    /// An index of the points of another one, as a file holds them.
    ///
    /// - Parameter points: An index of sixteen dimensions with the attributes of ``schema``, a value for each point.
    /// - Throws: `.invalidArgument` for another index, or a point whose user, state or start is missing or none.
    /// - Complexity: O(n log n).
    public init(points: IVFIndex) throws(KinError) {
        guard points.dimension == Pleasure.Dimension.count, points.attributes.schema == Self.schema else {
            throw KinError(.invalidArgument, "the index is not one of sessions: it has other dimensions or attributes")
        }
        metric = points.metric
        self.points = points
        let ids = points.ids
        let columns = points.attributes.columns(of: ids)
        guard case .categories(let owning)? = columns[Self.userAttribute],
            case .categories(let states)? = columns[Self.stateAttribute],
            case .times(let starts)? = columns[Self.startAttribute]
        else { preconditionFailure("the schema has them") }
        // In the order of time, so that each is appended to its owner's.
        for i in ids.indices.sorted(by: {
            (starts[$0]?.microseconds ?? 0, ids[$0]) < (starts[$1]?.microseconds ?? 0, ids[$1])
        }) {
            guard let user = owning[i], let start = starts[i]?.microseconds,
                let state = states[i].flatMap({ SessionState(name: $0) }), let vector = points.vector(for: ids[i])
            else {
                throw KinError(.invalidArgument, "a session's user, state or start is missing").within(
                    "session", ids[i])
            }
            var point = SIMD16<Float>.zero
            for j in 0..<vector.count { point[j] = vector[j] }
            users[user, default: UserSessions()].insert(.init(start: start, id: ids[i], state: state), point)
            owners[ids[i]] = Owner(user: user, start: start)
        }
    }

    /// How many sessions there are.
    public var count: Int { owners.count }

    /// The people who have sessions, ascending.
    public var userIDs: [String] { users.keys.sorted() }

    /// Puts a session in under a number; one that has the number already is replaced.
    ///
    /// - Throws: `.invalidArgument` for ``VectorID/none``.
    public mutating func upsert(_ session: Session, as id: VectorID) throws(KinError) {
        try upsert([session], as: [id])
    }

    /// Puts sessions in under numbers; those that have a number already are replaced.
    ///
    /// - Parameter threads: How many threads may work on it.
    /// - Throws: `.invalidArgument` unless there are as many numbers as sessions, `.duplicateID`; nothing is changed then.
    /// - Complexity: O(n log size); sessions that are older than others of their owner take O(sessions of the owner) each.
    public mutating func upsert(_ sessions: [Session], as ids: [VectorID], threads: Int = 1) throws(KinError) {
        guard sessions.count == ids.count else {
            throw KinError(.invalidArgument, "\(sessions.count) sessions need as many numbers, not \(ids.count)")
        }
        if let row = ids.firstIndex(of: .none) {
            throw KinError(.invalidArgument, "the largest 64-bit number means \"no session\"").within("row", row)
        }
        guard Set(ids).count == ids.count else { throw KinError(.duplicateID, "one number is given to two sessions") }
        let embeddings = sessions.map { $0.embedding.coordinates }
        var kept = Array(sessions.indices)
        if metric == .cosine { kept.removeAll { embeddings[$0] == .zero } }
        var matrix = Matrix<Float>(rows: kept.count, columns: Pleasure.Dimension.count)
        for (row, i) in kept.enumerated() {
            for j in 0..<Pleasure.Dimension.count { matrix[row, j] = embeddings[i][j] }
        }
        try points.upsert(
            matrix, ids: kept.map { ids[$0] },
            attributes: [
                Self.userAttribute: .categories(kept.map { sessions[$0].userID }),
                Self.stateAttribute: .categories(kept.map { sessions[$0].state.name }),
                Self.startAttribute: .times(kept.map { sessions[$0].start }),
            ], threads: threads)
        // Points that were there and have no direction any more.
        let blank = Set(ids).subtracting(kept.map { ids[$0] }).filter { owners[$0] != nil }
        if !blank.isEmpty { points.remove(blank) }
        for (i, session) in sessions.enumerated() {
            takeOut(ids[i])
            let start = session.start.microseconds
            let entry = UserSessions.Entry(start: start, id: ids[i], state: session.state)
            users[session.userID, default: UserSessions()].insert(entry, embeddings[i])
            owners[ids[i]] = Owner(user: session.userID, start: start)
        }
    }

    /// Takes a session out.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool { remove([id]) == 1 }

    /// Takes sessions out.
    ///
    /// - Returns: How many there were.
    @discardableResult
    public mutating func remove(_ ids: [VectorID]) -> Int {
        points.remove(ids)
        return ids.count { takeOut($0) }
    }

    /// Takes a session out of its owner's.
    @discardableResult
    private mutating func takeOut(_ id: VectorID) -> Bool {
        guard let owner = owners.removeValue(forKey: id) else { return false }
        users[owner.user]?.remove(start: owner.start, id: id)
        if users[owner.user]?.entries.isEmpty == true { users[owner.user] = nil }
        return true
    }

    /// Takes everything of a person out.
    ///
    /// - Returns: How many sessions there were.
    @discardableResult
    public mutating func forget(user: String) -> Int {
        remove(users[user]?.entries.map(\.id) ?? [])
    }

    /// Where a session stands among a person's; nil when it is not theirs.
    func place(of id: VectorID, user: String) -> Int? {
        guard let owner = owners[id], owner.user == user else { return nil }
        return users[user]?.place(start: owner.start, id: id)
    }

    /// The point of a session, or nil when there is no such session.
    public func point(of id: VectorID) -> Pleasure? {
        guard let owner = owners[id], let sessions = users[owner.user] else { return nil }
        return Pleasure(clamping: sessions.points[sessions.place(start: owner.start, id: id)])
    }
}
