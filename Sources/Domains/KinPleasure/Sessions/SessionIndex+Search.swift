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
    /// - Complexity: For one person, O(their sessions in the span of time), about 5 ns each; else as for `VectorIndex`.
    public func nearest(
        to point: Pleasure, k: Int, where filter: SessionFilter = .all
    ) throws(KinError) -> [Neighbor] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        guard let user = filter.user else { return try nearestOfAll(to: point, k: k, where: filter) }
        guard let layout = layoutIfWorthwhile else {
            return try points.search(point.vector, k: k, options: .init(where: .matching(filter.condition)))
        }
        let distance = try PointDistance(metric, to: point)
        return SessionRun.nearest(
            k, among: layout.runs(of: user, startedIn: filter.started), in: filter.stateSet, at: distance)
    }

    /// Finds the sessions nearest to a point, of all people.
    private func nearestOfAll(
        to point: Pleasure, k: Int, where filter: SessionFilter
    ) throws(KinError) -> [Neighbor] {
        guard let range = filter.started else {
            return try points.search(point.vector, k: k, options: .init(where: stateFilters[filter.stateSet.bits]))
        }
        // For a wide span the index of all points is faster.
        if let layout = layoutIfWorthwhile, layout.timeline.count(startedIn: range) <= count / 4 {
            return try layout.timeline.nearest(
                to: point, k: k, startedIn: range, states: filter.stateSet)
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
