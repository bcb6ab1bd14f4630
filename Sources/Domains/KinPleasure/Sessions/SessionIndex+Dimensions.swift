extension SessionIndex {
    /// Finds the sessions nearest to a point in a subset of the dimensions, ties by ascending number; exact.
    ///
    /// The distance is the ``metric`` over the coordinates in these dimensions; all others are ignored. A dimension
    /// that a session does not name counts as 0, as in its point.
    ///
    /// - Parameters:
    ///   - point: The query point; its coordinates in other dimensions are ignored.
    ///   - dimensions: The dimensions to compare, at least one.
    ///   - k: The number of sessions, 0 or more.
    ///   - filter: The filter of the sessions.
    /// - Throws: As ``nearest(to:k:where:)-(_,_,SessionFilter)``, and `.invalidArgument` without dimensions.
    /// - Complexity: For one person, O(their sessions in the span of time), about 5 ns each. Else a scan, until the
    ///   scans in these dimensions have cost as much as an index in them, then a search of that index
    ///   (``prepare(comparing:)``).
    public func nearest(
        to point: Pleasure, comparing dimensions: Set<Pleasure.Dimension>, k: Int, where filter: SessionFilter = .all
    ) throws(KinError) -> [Neighbor] {
        let subset = try Subset(dimensions)
        guard subset.mask != .max else { return try nearest(to: point, k: k, where: filter) }
        let query = subset.of(point)
        let distance = try PointDistance(metric, to: query, in: subset)
        guard k > 0 else { return try nearest(to: query, k: k, where: filter) }
        if filter.user == nil, let index = index(in: subset, isNeeded: false) {
            return try index.nearest(to: query, k: k, where: filter)
        }
        return SessionRun.nearest(
            k, among: layout.runs(of: filter.user, startedIn: filter.started), in: filter.stateSet, at: distance)
    }

    /// Finds the sessions nearest to a point in a subset of the dimensions, under an expression on `user`, `state` and
    /// `start`.
    ///
    /// - Throws: As ``nearest(to:comparing:k:where:)-(_,_,_,SessionFilter)``, and `.invalidArgument` for an expression
    ///   on other attributes or with an unknown state.
    public func nearest(
        to point: Pleasure, comparing dimensions: Set<Pleasure.Dimension>, k: Int, where expression: FilterExpression
    ) throws(KinError) -> [Neighbor] {
        let expression = try expression.withUsualStates()
        if let filter = SessionFilter(expression) {
            return try nearest(to: point, comparing: dimensions, k: k, where: filter)
        }
        let subset = try Subset(dimensions)
        guard subset.mask != .max, let index = index(in: subset, isNeeded: true) else {
            return try nearest(to: point, k: k, where: expression)
        }
        return try index.nearest(to: subset.of(point), k: k, where: expression)
    }

    /// Builds the index for searches in a subset of the dimensions now; otherwise it is built after some searches.
    /// O(n log n), about 2 µs a session.
    ///
    /// - Throws: `.invalidArgument` without dimensions.
    public func prepare(comparing dimensions: Set<Pleasure.Dimension>) throws(KinError) {
        _ = index(in: try Subset(dimensions), isNeeded: true)
    }

    /// The points with zeros in all other dimensions, if they are built or worth building.
    func points(in subset: Subset, isNeeded: Bool) -> VectorIndex? {
        subset.mask == .max ? points : index(in: subset, isNeeded: isNeeded)?.points
    }

    /// The index in a subset of the dimensions, if it is built or worth building.
    private func index(in subset: Subset, isNeeded: Bool) -> SessionIndex? {
        subsets.index(of: subset.mask, isNeeded: isNeeded) {
            infallible("these points are in an index already") { () throws(KinError) in
                let (ids, entries) = (points.ids, Self.entries(of: points))
                return try SessionIndex(
                    entries.map { owner, point in
                        SessionPoint(
                            userID: owner.user, state: owner.entry.state,
                            start: Timestamp(unchecked: owner.entry.start),
                            point: subset.of(Pleasure(clamping: point)))
                    }, as: ids, metric: metric)
            }
        }
    }

    /// A subset of the dimensions, not empty.
    struct Subset {
        /// One bit for each dimension.
        let mask: UInt16
        /// The number 1 in the dimensions, 0 in the others.
        let weights: SIMD16<Double>

        init(_ dimensions: Set<Pleasure.Dimension>) throws(KinError) {
            guard !dimensions.isEmpty else {
                throw KinError(.invalidArgument, "name at least one dimension to compare by")
            }
            self.init(mask: dimensions.reduce(0) { $0 | 1 << $1.rawValue })
        }

        init(mask: UInt16) {
            self.mask = mask
            weights = PleasureMarks.weights(ofMask: mask)
        }

        /// The subset of all sixteen dimensions.
        static let all = Subset(mask: .max)

        /// A point with zeros in the other dimensions.
        func of(_ point: Pleasure) -> Pleasure { Pleasure(clamping: point.coordinates * SIMD16<Float>(weights)) }

        /// The points of sessions with zeros in the other dimensions.
        func of(_ sessions: [SessionPoint]) -> [SessionPoint] {
            sessions.map { SessionPoint(userID: $0.userID, state: $0.state, start: $0.start, point: of($0.point)) }
        }
    }
}
