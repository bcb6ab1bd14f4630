extension SessionIndex {
    /// Finds the sessions nearest to a point, ties by ascending number.
    ///
    /// - Parameters:
    ///   - point: The query point.
    ///   - k: The number of sessions, 0 or more.
    ///   - filter: The filter of the sessions.
    /// - Returns: The min(k, number allowed) nearest sessions, with distances in the units of the ``metric``. The
    ///   cosine excludes sessions of zeros, which have no direction.
    /// - Throws: `.invalidArgument` for a negative k, `.zeroVector` for the cosine of a point of zeros.
    /// - Complexity: For one person, or for up to a sixteenth of all sessions, O(sessions in the span of time), about
    ///   5 ns each; else as for `VectorIndex`.
    public func nearest(
        to point: Pleasure, k: Int, where filter: SessionFilter = .all
    ) throws(KinError) -> [Neighbor] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        guard filter.user != nil || filter.started != nil else {
            return try points.search(point.vector, k: k, options: .init(where: stateFilters[filter.stateSet.bits]))
        }
        if let runs = layoutIfWorthwhile?.runs(of: filter.user, startedIn: filter.started),
            // For a wide span the index of all points is faster.
            filter.user != nil || runs.reduce(0, { $0 + $1.positions.count }) <= count / 16
        {
            let distance = try PointDistance(metric, to: point)
            return SessionRun.nearest(k, among: runs, in: filter.stateSet, at: distance)
        }
        return try points.search(point.vector, k: k, options: .init(where: .matching(filter.condition)))
    }

    /// Finds the sessions nearest to a point under an expression on `user`, `state` and `start`.
    ///
    /// An expression that is equivalent to a ``SessionFilter`` is equally fast. States are compared in any spelling:
    /// `social_sync`, `Social Sync`.
    ///
    /// - Throws: As ``nearest(to:k:where:)-(_,_,SessionFilter)``, and `.invalidArgument` for an expression on other
    ///   attributes or with an unknown state.
    public func nearest(
        to point: Pleasure, k: Int, where expression: FilterExpression
    ) throws(KinError) -> [Neighbor] {
        let expression = try expression.withUsualStates()
        if let filter = SessionFilter(expression) { return try nearest(to: point, k: k, where: filter) }
        return try points.search(point.vector, k: k, options: .init(where: .matching(expression)))
    }
}
