/// An index of session points, for search by similarity, person, state and time.
///
/// The points of all people are in a `VectorIndex`. Further structures store each person's points in one array for
/// searches of one person, and all points in runs of 19 hours for searches of a span. An index is a value: a copy is a
/// snapshot.
///
///     var sessions = SessionIndex()
///     try sessions.upsert(session, as: 7)
///     let similar = try sessions.nearest(to: mood, k: 5, where: .user("u42") && .state(.drift))
///
/// Sessions are identified by numbers, as a store assigns them. Memory: about 350 bytes a session.
public struct SessionIndex: Sendable {
    /// The metric of the distances.
    public let metric: Metric
    /// The points of all people, with the attributes `user`, `state` and `start`. Under the cosine, sessions of zeros
    /// are left out.
    public private(set) var points: VectorIndex
    private var deferred: Deferred<SessionLayout>
    /// The indexes in subsets of the dimensions.
    private(set) var subsets = DimensionSubsets()
    /// A filter for each set of states, stored so that the index can reuse the lists that it has built for a filter.
    let stateFilters: [SearchFilter]

    static let userAttribute = "user"
    package static let stateAttribute = "state"
    static let startAttribute = "start"

    /// The attributes of ``points``: `user` and `state`, categories, and `start`, a time.
    public static let schema: AttributeSchema = {
        infallible("attributes may have these names") { () throws(KinError) in
            try AttributeSchema([userAttribute: .category, stateAttribute: .category, startAttribute: .time])
        }
    }()

    /// Creates an index without sessions.
    public init(metric: Metric = .squaredL2) {
        self.init(Self.emptyPoints(metric), Deferred(SessionLayout()))
    }

    /// Creates an index from existing points, such as those read from a file.
    ///
    /// The structures for filtered searches are built once their cost has been spent on searches without them, or by
    /// ``prepare()``; until then a filtered search is O(sessions).
    ///
    /// - Parameter points: An index in lists of sixteen dimensions with the attributes of ``schema``, which every point
    ///   must have.
    /// - Throws: `.invalidArgument` for an index of a different kind, or a point with a missing or invalid user, state
    ///   or start.
    /// - Complexity: O(sessions), about 3 ns each.
    public init(points: VectorIndex) throws(KinError) {
        guard points.dimension == Pleasure.Dimension.count, points.attributes.schema == Self.schema,
            !points.layout.isFlat
        else {
            throw KinError(
                .invalidArgument, "the index does not hold sessions: it has other dimensions, attributes or layout")
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

    /// Creates an index of many sessions at once. As in ``init(points:)``, further structures for filtered searches are
    /// built later.
    ///
    /// - Throws: As ``upsert(_:as:threads:)-([PleasureSession],_,_)``.
    public init(_ sessions: [SessionPoint], as ids: [VectorID], metric: Metric, threads: Int = 1) throws(KinError) {
        var points = Self.emptyPoints(metric)
        try points.upsert(sessions, as: ids, threads: threads)
        self.init(points, Deferred(nil))
    }

    private static func emptyPoints(_ metric: Metric) -> VectorIndex {
        VectorIndex(dimension: Pleasure.Dimension.count, metric: metric, attributes: schema)
    }

    private init(_ points: VectorIndex, _ deferred: Deferred<SessionLayout>) {
        metric = points.metric
        self.points = points
        self.deferred = deferred
        stateFilters = (0...StateSet.all.bits).map { bits in
            let states = SessionState.allCases.filter { StateSet(bits: bits).contains($0) }
            return bits == StateSet.all.bits ? .all : .matching(SessionFilter(states: Set(states)).condition)
        }
    }

    /// The number of sessions in the index.
    public var count: Int { deferred.present?.count ?? points.count }

    /// An estimate of the memory that the index takes, in bytes.
    public var byteCount: Int {
        // Attributes and their categories, and the structures for filtered searches.
        (points.byteCount + points.count * 40) * (1 + subsets.count) + (deferred.present == nil ? 0 : count * 200)
    }

    /// Builds the structures for filtered searches now; otherwise they are built after some searches. O(n log n), about
    /// 3 µs a session, once.
    public func prepare() { _ = layout }

    /// The structures for filtered searches, built on first use.
    var layout: SessionLayout { deferred.made { Self.layout(of: points) } }

    /// The structures for filtered searches; nil until they are built or the searches so far have cost as much as
    /// building them.
    var layoutIfWorthwhile: SessionLayout? {
        if let present = deferred.present { return present }
        // A filtered search takes about 2 ns a session, the layout 3 µs.
        return deferred.isWorthMaking(after: 1, of: 1500) ? layout : nil
    }

    private static func layout(of points: VectorIndex) -> SessionLayout {
        var layout = SessionLayout()
        layout.upsert(entries(of: points))
        return layout
    }

    /// The sessions of an index of points, in the order of its ids.
    static func entries(of points: VectorIndex) -> [(owner: SessionLayout.Owner, point: SIMD16<Float>)] {
        let ids = points.ids
        let columns = points.attributes.columns(of: ids)
        guard case .categories(let users)? = columns[userAttribute],
            case .categories(let states)? = columns[stateAttribute], case .times(let starts)? = columns[startAttribute]
        else { preconditionFailure("the schema has them") }
        return ids.indices.map { i in
            guard let user = users[i], let start = starts[i]?.microseconds,
                let state = states[i].flatMap({ SessionState(name: $0) }), let vector = points.storedVector(for: ids[i])
            else { preconditionFailure("an index of sessions has them all") }
            return (.init(user: user, entry: .init(start: start, id: ids[i], state: state)), SIMD16(vector))
        }
    }

    /// Changes the structures for filtered searches, if they are built, for this copy of the index alone.
    private mutating func changeLayout(_ body: (inout SessionLayout) -> Void) {
        if !isKnownUniquelyReferenced(&deferred) { deferred = Deferred(deferred.present) }
        deferred.change(body)
    }
}

extension SessionIndex {
    /// Adds a session under a number; replaces one with the same number.
    ///
    /// - Throws: `.invalidArgument` for `VectorID.none`.
    public mutating func upsert(_ session: PleasureSession, as id: VectorID) throws(KinError) {
        try upsert([session], as: [id])
    }

    /// Adds sessions under numbers; replaces those with the same numbers.
    ///
    /// - Parameters:
    ///   - sessions: As many sessions as ids.
    ///   - ids: Distinct numbers, one for each session.
    ///   - threads: The largest number of threads to use.
    /// - Throws: `.invalidArgument` unless there are equally many numbers and sessions, `.duplicateID`; the index is
    ///   then unchanged.
    /// - Complexity: O(n log size). A session older than others of its person takes O(sessions of the person).
    public mutating func upsert(_ sessions: [PleasureSession], as ids: [VectorID], threads: Int = 1) throws(KinError) {
        try upsert(sessions.map { SessionPoint($0) }, as: ids, threads: threads)
    }

    /// Adds session points, as ``upsert(_:as:threads:)-([PleasureSession],_,_)``.
    public mutating func upsert(_ sessions: [SessionPoint], as ids: [VectorID], threads: Int = 1) throws(KinError) {
        try points.upsert(sessions, as: ids, threads: threads)
        subsets = try subsets.changed { mask, index throws(KinError) in
            try index.upsert(Subset(mask: mask).of(sessions), as: ids, threads: threads)
        }
        changeLayout { layout in
            layout.upsert(
                zip(ids, sessions).map { id, session in
                    let entry = SessionEntry(start: session.start.microseconds, id: id, state: session.state)
                    return (.init(user: session.userID, entry: entry), session.point.coordinates)
                })
        }
    }

    /// Removes sessions by their numbers, without a trace of their points; unknown numbers are ignored.
    ///
    /// - Returns: The number of sessions removed.
    @discardableResult
    public mutating func remove(_ ids: [VectorID]) -> Int {
        var removed = points.remove(ids)
        if removed > 0 { points.rebuildChangedLists() }
        infallible("points that were in one index can be in another") { () throws(KinError) in
            subsets = try subsets.changed { _, index throws(KinError) in index.remove(ids) }
        }
        changeLayout { removed = $0.remove(ids) }
        return removed
    }
}
