public import KinCore
public import KinIndex
public import KinLinearAlgebra
public import KinPleasure

/// A session that a search found.
public struct SessionMatch: Sendable, Hashable {
    /// The session.
    public let session: PleasureSession
    /// How far its point is from the query, in the metric's units.
    public let distance: Double
}

extension Store {
    /// The sessions whose points in the pleasure space are nearest, nearest first; exact.
    ///
    /// - Parameters:
    ///   - point: Where to look.
    ///   - k: How many are wanted, 0 or more.
    ///   - metric: What near means.
    ///   - filter: Which sessions may be returned.
    /// - Throws: `.invalidArgument` for k, `.zeroVector` for a cosine with a point of zeros; `.corruptFile`; `.inputOutput`.
    /// - Complexity: That of `SessionIndex`, and reading k sessions; the first search after a change also brings the index up
    ///   to date.
    public nonisolated func nearestSessions(
        to point: Pleasure, k: Int, metric: Metric = .squaredL2, where filter: SessionFilter = .all
    ) throws(KinError) -> [SessionMatch] {
        try matches(metric) { index throws(KinError) in try index.nearest(to: point, k: k, where: filter) }
    }

    /// The sessions whose points are nearest, by any condition on `user` and `state` (categories) and `start` (a time).
    ///
    /// - Throws: As ``nearestSessions(to:k:metric:where:)-(_,_,_,SessionFilter)``, and `.invalidArgument` for an expression about something
    ///   else.
    public nonisolated func nearestSessions(
        to point: Pleasure, k: Int, metric: Metric = .squaredL2, where expression: FilterExpression
    ) throws(KinError) -> [SessionMatch] {
        try matches(metric) { index throws(KinError) in try index.nearest(to: point, k: k, where: expression) }
    }

    /// The sessions that a search of the index finds, in the state of the database that the index shows.
    private nonisolated func matches(
        _ metric: Metric, _ search: (SessionIndex) throws(KinError) -> [Neighbor]
    ) throws(KinError) -> [SessionMatch] {
        try read("search sessions") { database in
            try search(sessionIndexes.current(metric, in: database)).compactMap { neighbor in
                let query = RecordQuery<PleasureSession>("WHERE number = ?", [.integer(Int64(neighbor.id.rawValue))])
                return try query.first(in: database).map { SessionMatch(session: $0, distance: neighbor.distance) }
            }
        }
    }

    /// The points of all sessions, as an index to search in other ways: a snapshot of the present state.
    ///
    /// Ids are those that ``put(_:)-([PleasureSession])`` returned. A service that wants the shortest times from its first search on calls
    /// `SessionIndex.prepare()`.
    ///
    /// - Throws: `.corruptFile`; `.inputOutput`.
    /// - Complexity: O(1), and O(changes) after changes; O(sessions) when neither memory nor a file has the index.
    public nonisolated func sessionIndex(metric: Metric = .squaredL2) throws(KinError) -> SessionIndex {
        try read("read the sessions' points") { try sessionIndexes.current(metric, in: $0) }
    }

    /// The session with an id of ``sessionIndex(metric:)``, or nil.
    ///
    /// - Throws: As ``session(_:)``.
    public nonisolated func session(numbered id: VectorID) throws(KinError) -> PleasureSession? {
        guard let number = Int64(exactly: id.rawValue) else { return nil }
        return try read("read session number \(id)") {
            try RecordQuery<PleasureSession>("WHERE number = ?", [.integer(number)]).first(in: $0)
        }
    }
}
