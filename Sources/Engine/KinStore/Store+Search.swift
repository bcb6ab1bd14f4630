import GRDB

/// A session found by a search, with its distance.
public struct SessionMatch: Sendable, Hashable {
    /// The matching session, complete with its texts.
    public let session: PleasureSession
    /// The distance of its point from the query, in the metric's units; with an embedding, the combined distance.
    public let distance: Double
    /// The distances of point and embedding; nil for a search without an embedding.
    public let parts: Parts?

    /// The distances of a session's point and embedding from a query.
    public struct Parts: Sendable, Hashable {
        /// The squared distance of the points in the compared dimensions; nil for a query without a point.
        public let pleasure: Double?
        /// The squared distance of the embeddings scaled to unit length, 2 − 2 cos.
        public let embedding: Double
    }
}

extension Store {
    /// The k sessions with the nearest points of the pleasure space, nearest first; exact.
    ///
    /// - Parameters:
    ///   - point: The query.
    ///   - k: The number of sessions, 0 or more.
    ///   - metric: The distance between points.
    ///   - filter: The sessions that may be returned.
    /// - Throws: `.invalidArgument` for k, `.zeroVector` for a cosine with a point of zeros; `.corruptFile`;
    ///   `.inputOutput`.
    /// - Complexity: As `SessionIndex`, plus reading k sessions; the first search after a change also updates the
    ///   index.
    public nonisolated func nearestSessions(
        to point: Pleasure, k: Int, metric: Metric = .squaredL2, where filter: SessionFilter = .all
    ) throws(KinError) -> [SessionMatch] {
        try matches(metric) { index, _ in try index.nearest(to: point, k: k, where: filter) }
    }

    /// The k sessions nearest to a point, nearest first; exact.
    ///
    /// With a taste, they are near to liked sessions too, far from disliked ones, and different from each other. A
    /// session's category is its state; the distance between two sessions is the distance between their points.
    ///
    /// - Parameters:
    ///   - point: The query; coordinates in other dimensions are ignored.
    ///   - taste: The liked and disliked sessions, and the variety of the list.
    ///   - dimensions: The dimensions to compare, at least one; nil for all sixteen.
    ///   - k: The number of sessions, 0 or more.
    ///   - metric: The distance between points.
    ///   - expression: A condition on `user` and `state` (categories) and `start` (a time); nil for none.
    /// - Throws: As ``nearestSessions(to:k:metric:where:)``; `.invalidArgument` without dimensions, for an expression
    ///   about a different field, or for a diversity that the metric does not allow (`Recommendation`); `.unknownID` for
    ///   an example that is not a session.
    /// - Complexity: As `SessionIndex.nearest(to:comparing:k:where:)` or, with a taste,
    ///   `SessionIndex.recommend(_:comparing:k:where:)`, plus reading k sessions.
    public nonisolated func nearestSessions(
        to point: Pleasure, taste: ListTaste = .none, comparing dimensions: Set<Pleasure.Dimension>? = nil, k: Int,
        metric: Metric = .squaredL2, where expression: FilterExpression?
    ) throws(KinError) -> [SessionMatch] {
        try matches(metric) { index, database in
            guard taste != .none else {
                let dimensions = dimensions ?? Set(Pleasure.Dimension.allCases)
                guard let expression else { return try index.nearest(to: point, comparing: dimensions, k: k) }
                return try index.nearest(to: point, comparing: dimensions, k: k, where: expression)
            }
            let statement = try SQLStatement("SELECT number FROM session WHERE id = ?", in: database)
            func number(_ id: String) throws -> VectorID? {
                try statement.first([.id(id, "session")]) { VectorID(UInt64($0.integer(0))) }
            }
            func examples(_ ids: [String], _ field: String) throws -> [Recommendation.Example] {
                try ids.map { id in
                    if let number = try number(id) { return .id(number) }
                    throw KinError.field(field, "there is no session \(id)", .unknownID)
                }
            }
            let wanted = Recommendation(
                positive: try [.vector(point.vector)] + examples(taste.liked, "liked"),
                negative: try examples(taste.disliked, "disliked"), diversity: taste.variety.diversity,
                perCategory: taste.variety.perCategory.map {
                    CategoryLimit(attribute: SessionIndex.stateAttribute, count: $0)
                }, excluded: Set(try taste.variety.excluded.compactMap { try number($0) }))
            return try index.recommend(wanted, comparing: dimensions, k: k, where: expression)
        }
    }

    /// The sessions of a search, read from the version of the database that the index reflects.
    private nonisolated func matches(
        _ metric: Metric, _ search: (SessionIndex, Database) throws -> [Neighbor]
    ) throws(KinError) -> [SessionMatch] {
        try withDerived(SessionIndex.self, for: metric) { index, database in
            let kind = PleasureSession.kind
            let statement = try SQLStatement("\(kind.select) WHERE number = ?", in: database)
            return try search(index, database).compactMap { neighbor in
                try statement.first([.integer(Int64(neighbor.id.rawValue))]) { row in
                    SessionMatch(
                        session: try StoredRow(row, of: kind, in: database).record(), distance: neighbor.distance,
                        parts: nil)
                }
            }
        }
    }

    /// A snapshot of the index of all sessions' points, for other searches.
    ///
    /// Its ids are the ids that ``put(_:threads:)`` returned. `SessionIndex.prepare()` does work now that the first
    /// searches would otherwise do.
    ///
    /// - Throws: `.corruptFile`; `.inputOutput`.
    /// - Complexity: O(1); O(changes) after changes; O(sessions) if the index is neither in memory nor in a file.
    public nonisolated func sessionIndex(metric: Metric = .squaredL2) throws(KinError) -> SessionIndex {
        try derived(SessionIndex.self, for: metric)
    }

    /// The session with an id of ``sessionIndex(metric:)``; nil if there is no such session.
    ///
    /// - Throws: As ``session(_:)``.
    public nonisolated func session(numbered id: VectorID) throws(KinError) -> PleasureSession? {
        guard let number = Int64(exactly: id.rawValue) else { return nil }
        return try read("read session number \(id)") {
            try RecordQuery<PleasureSession>("WHERE number = ?", [.integer(number)]).first(in: $0)
        }
    }
}
