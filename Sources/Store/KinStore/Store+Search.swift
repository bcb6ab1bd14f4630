public import KinCore
public import KinIndex
public import KinLinearAlgebra
public import KinPleasure

/// A session that a search found.
public struct SessionMatch: Sendable, Hashable {
    /// The session.
    public let session: Session
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
    ///   - filter: Which sessions may be returned; its expressions know `user` and `state` (categories) and `start` (a time).
    /// - Throws: `.invalidArgument` for k or the filter, `.zeroVector` for a cosine with a point of zeros; `.corruptFile`;
    ///   `.inputOutput`.
    /// - Complexity: That of ``IVFIndex``; the first search after a change also brings the index up to date.
    public nonisolated func nearestSessions(
        to point: Pleasure, k: Int, metric: Metric = .squaredL2, where filter: Filter = .all
    ) throws(KinError) -> [SessionMatch] {
        try read("search sessions") { database in
            let index = try sessionIndex.current(metric, in: database)
            return try index.search(point.vector, k: k, where: filter).compactMap { neighbor in
                let query = RecordQuery<Session>("WHERE number = ?", [.integer(Int64(neighbor.id.rawValue))])
                return try query.first(in: database).map { SessionMatch(session: $0, distance: neighbor.distance) }
            }
        }
    }

    /// The points of all sessions, as an index to search in other ways: a snapshot of the present state.
    ///
    /// Ids are those that ``put(_:)-([Session])`` returned; attributes are `user`, `state` and `start`. The index for the cosine lacks
    /// sessions without any pleasure, which have no direction.
    ///
    /// - Throws: `.corruptFile`; `.inputOutput`.
    /// - Complexity: O(1), and O(changes) after changes; O(sessions) when neither memory nor a file has the index.
    public nonisolated func sessionVectors(metric: Metric = .squaredL2) throws(KinError) -> IVFIndex {
        try read("read the sessions' points") { try sessionIndex.current(metric, in: $0) }
    }

    /// The session with an id of ``sessionVectors(metric:)``, or nil.
    ///
    /// - Throws: As ``session(_:)``.
    public nonisolated func session(numbered id: VectorID) throws(KinError) -> Session? {
        guard let number = Int64(exactly: id.rawValue) else { return nil }
        return try read("read session number \(id)") {
            try RecordQuery<Session>("WHERE number = ?", [.integer(number)]).first(in: $0)
        }
    }
}
