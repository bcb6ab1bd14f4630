public import KinCore
public import KinIndex
public import KinLinearAlgebra

/// The points of sessions, to search by similarity, person, state and time.
///
/// Everybody's points are in an `IVFIndex`; each person's are also kept side by side in the order of time, for the searches
/// that ask for one person, and all in blocks of time, for those that ask for a span. An index is a value: a copy of it is a snapshot.
///
///     var sessions = SessionIndex()
///     try sessions.upsert(session, as: 7)
///     let similar = try sessions.nearest(to: mood, k: 5, where: .user("u42") && .state(.drift))
///
/// Sessions go by numbers, as a store gives them. Memory: some 350 bytes a session.
public struct SessionIndex: Sendable {
    /// What "near" means.
    public let metric: Metric
    /// Everybody's points, with the attributes `user`, `state` and `start`. It lacks sessions without any pleasure when the metric
    /// is the cosine: they have no direction.
    public private(set) var points: IVFIndex
    private var deferred: Deferred<SessionLayout>
    /// A filter for each set of states, kept because the index of points remembers with a filter what it has laid out for it.
    let stateFilters: [Filter]

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
        self.init(Self.emptyPoints(metric), Deferred(SessionLayout(metric: metric)))
    }

    /// An index of the points of another one, as a file holds them.
    ///
    /// What the points alone do not serve well is made when searches have taken as long as making it does, or
    /// by ``prepare()``; until then a search under a filter takes O(sessions).
    ///
    /// - Parameter points: An index of sixteen dimensions with the attributes of ``schema``, a value for each point.
    /// - Throws: `.invalidArgument` for another index, or a point whose user, state or start is missing or none.
    /// - Complexity: O(sessions), some 3 ns each.
    public init(points: IVFIndex) throws(KinError) {
        guard points.dimension == Pleasure.Dimension.count, points.attributes.schema == Self.schema else {
            throw KinError(.invalidArgument, "the index is not one of sessions: it has other dimensions or attributes")
        }
        let isWhole =
            SessionFilter(states: Set(SessionState.allCases)).condition
            && .isPresent(Self.userAttribute) && .isPresent(Self.startAttribute)
        guard try points.attributes.count(where: isWhole) == points.count else {
            let row = try points.attributes.ids(where: !isWhole).first
            throw KinError(.invalidArgument, "a session's user, state or start is missing or none")
                .within("session", row ?? .none)
        }
        self.init(points, Deferred(nil))
    }

    /// An index of sessions that come all at once; what searches under filters need beside the points is made as by
    /// ``init(points:)``.
    ///
    /// - Throws: As ``upsert(_:as:threads:)-([PleasureSession],_,_)``.
    public init(_ sessions: [SessionPoint], as ids: [VectorID], metric: Metric, threads: Int = 1) throws(KinError) {
        var points = Self.emptyPoints(metric)
        try points.upsert(sessions, as: ids, threads: threads)
        self.init(points, Deferred(nil))
    }

    private static func emptyPoints(_ metric: Metric) -> IVFIndex {
        IVFIndex(dimension: Pleasure.Dimension.count, metric: metric, attributes: schema)
    }

    private init(_ points: IVFIndex, _ deferred: Deferred<SessionLayout>) {
        metric = points.metric
        self.points = points
        self.deferred = deferred
        stateFilters = (0...StateSet.all.bits).map { bits in
            let states = SessionState.allCases.filter { StateSet(bits: bits).contains($0) }
            return bits == StateSet.all.bits ? .all : .matching(SessionFilter(states: Set(states)).condition)
        }
    }

    /// How many sessions there are.
    public var count: Int { deferred.present?.count ?? points.count }

    /// The people who have sessions, ascending.
    public var userIDs: [String] { layout.userIDs }

    /// Makes what searches under filters are quick by, which they otherwise do themselves after a while. O(n log n), some 3 µs
    /// a session, once.
    public func prepare() { _ = layout }

    /// The layout, made now unless it was.
    var layout: SessionLayout { deferred.made { Self.layout(of: points) } }

    /// The layout, if it is there or searches have taken so long without that it is worth making.
    var layoutIfWorthwhile: SessionLayout? {
        if let present = deferred.present { return present }
        // A search under a filter takes some 2 ns a session, the layout 3 µs.
        return deferred.isWorthMaking(after: 1, of: 1500) ? layout : nil
    }

    private static func layout(of points: IVFIndex) -> SessionLayout {
        let ids = points.ids
        let columns = points.attributes.columns(of: ids)
        guard case .categories(let users)? = columns[userAttribute],
            case .categories(let states)? = columns[stateAttribute], case .times(let starts)? = columns[startAttribute]
        else { preconditionFailure("the schema has them") }
        let entries = ids.indices.map { i in
            guard let user = users[i], let start = starts[i]?.microseconds,
                let state = states[i].flatMap({ SessionState(name: $0) }), let vector = points.vector(for: ids[i])
            else { preconditionFailure("an index of sessions has them all") }
            return SessionLayout.Entry(
                id: ids[i], owner: .init(user: user, start: start, state: state), point: SIMD16(vector))
        }
        var layout = SessionLayout(metric: points.metric)
        do throws(KinError) {
            try layout.upsert(entries)
        } catch {
            preconditionFailure("these points are in an index already: \(error)")
        }
        return layout
    }

    /// Changes the layout, if it is there, for this copy of the index alone.
    private mutating func changeLayout(_ body: (inout SessionLayout) throws(KinError) -> Void) throws(KinError) {
        if !isKnownUniquelyReferenced(&deferred) { deferred = Deferred(deferred.present) }
        try deferred.change(body)
    }
}

extension SessionIndex {
    /// Puts a session in under a number; one that has the number already is replaced.
    ///
    /// - Throws: `.invalidArgument` for `VectorID.none`.
    public mutating func upsert(_ session: PleasureSession, as id: VectorID) throws(KinError) {
        try upsert([session], as: [id])
    }

    /// Puts sessions in under numbers; those that have a number already are replaced.
    ///
    /// - Parameters:
    ///   - sessions: As many as ids.
    ///   - ids: Different ids, one for each session.
    ///   - threads: How many threads may work on it.
    /// - Throws: `.invalidArgument` unless there are as many numbers as sessions, `.duplicateID`; nothing is changed then.
    /// - Complexity: O(n log size); sessions that are older than others of their owner take O(sessions of the owner) each.
    public mutating func upsert(_ sessions: [PleasureSession], as ids: [VectorID], threads: Int = 1) throws(KinError) {
        try upsert(sessions.map { SessionPoint($0) }, as: ids, threads: threads)
    }

    /// Puts in what is kept of sessions; as ``upsert(_:as:threads:)-([PleasureSession],_,_)``.
    public mutating func upsert(_ sessions: [SessionPoint], as ids: [VectorID], threads: Int = 1) throws(KinError) {
        try points.upsert(sessions, as: ids, threads: threads)
        try changeLayout { layout throws(KinError) in
            try layout.upsert(
                zip(ids, sessions).map { id, session in
                    .init(
                        id: id,
                        owner: .init(
                            user: session.userID, start: session.start.microseconds, state: session.state),
                        point: session.point.coordinates)
                })
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
        var removed = points.remove(ids)
        do throws(KinError) {
            try changeLayout { layout throws(KinError) in removed = try layout.remove(ids) }
        } catch {
            preconditionFailure("points that were in one index can be in another: \(error)")
        }
        return removed
    }

    /// Takes everything of a person out.
    ///
    /// - Returns: How many sessions there were.
    @discardableResult
    public mutating func forget(user: String) -> Int {
        remove(layout.sessions(of: user)?.entries.map(\.id) ?? [])
    }

    /// The point of a session, or nil when there is no such session.
    public func point(of id: VectorID) -> Pleasure? {
        if let layout = deferred.present { return layout.point(of: id).map { Pleasure(clamping: $0) } }
        return points.vector(for: id).map { Pleasure(clamping: SIMD16($0)) }
    }
}
