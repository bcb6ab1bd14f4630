// Sessions: the nearest sessions, a person's sessions, insight, and changes of state.

extension Engine {
    /// Finds the k sessions nearest to a point of the pleasure space, nearest first; exact.
    ///
    /// With a taste, they are near to liked sessions too, far from disliked ones, and different from each other. A
    /// session's category is its state; the distance between two sessions is the distance between their points.
    ///
    /// - Parameters:
    ///   - point: The query.
    ///   - taste: The liked and disliked sessions, and the variety of the list.
    ///   - dimensions: The dimensions to compare, at least one; nil for all sixteen. The others are ignored in the
    ///     distance.
    ///   - k: The number of sessions, 0 or more.
    ///   - metric: The distance between points. Default: the squared Euclidean distance.
    ///   - filter: A condition on `user`, `state` and `start`; nil for none.
    /// - Throws: `.unknownID` for an example that is not a session; `.invalidArgument` for k, the condition, no dimension
    ///   or a diversity that the metric does not allow; `.zeroVector` for a cosine with a point of zeros; `.corruptFile`,
    ///   `.inputOutput`. Under squared L2, a diversity must be less than ½, and less than ⅓ with disliked sessions.
    /// - Complexity: As `SessionIndex`, plus reading k sessions.
    public func near(
        _ point: Pleasure, taste: ListTaste = .none, comparing dimensions: Set<Pleasure.Dimension>? = nil, k: Int = 10,
        metric: Metric = .squaredL2, where filter: FilterExpression? = nil
    ) throws(KinError) -> [SessionMatch] {
        try store.nearestSessions(
            to: point, taste: taste, comparing: dimensions, k: k, metric: metric, where: filter)
    }

    /// Finds the k sessions nearest to a session, without the session itself.
    ///
    /// - Throws: `.unknownID` for the session; otherwise as ``near(_:taste:comparing:k:metric:where:)``.
    public func near(
        session id: String, k: Int = 10, metric: Metric = .squaredL2, where filter: FilterExpression? = nil
    ) throws(KinError) -> [SessionMatch] {
        let session = try self.session(id)
        return try neighbors(of: session, k: k) { k throws(KinError) in
            try near(session.embedding, k: k, metric: metric, where: filter)
        }
    }

    /// The k sessions that a search finds, without a session.
    private func neighbors(
        of session: PleasureSession, k: Int, _ search: (Int) throws(KinError) -> [SessionMatch]
    ) throws(KinError) -> [SessionMatch] {
        // One more, for the session itself. A negative k is refused by the search.
        var found = try search(k < 0 ? k : min(k, .max - 1) + 1)
        found.removeAll { $0.session.id == session.id }
        found.removeLast(max(0, found.count - k))
        return found
    }

    /// Finds the k sessions nearest by an embedding of their words and their point together, nearest first; exact.
    ///
    /// Sessions without an embedding of the model are not compared.
    ///
    /// - Parameters:
    ///   - query: The embedding, the point, and the weight between them.
    ///   - k: The number of sessions, 0 or more.
    ///   - filter: A condition on `user`, `state` and `start`; nil for none.
    /// - Returns: Matches with both distances (`SessionMatch.parts`).
    /// - Throws: `.invalidArgument` for k, the condition, or a missing label if there are several models; `.unknownID`
    ///   for an unknown model; `.dimensionMismatch`; `.corruptFile`, `.inputOutput`.
    /// - Complexity: A search of the points or of the embeddings, whichever visits fewer, plus reading k sessions.
    public func near(
        _ query: EmbeddingQuery, k: Int = 10, where filter: FilterExpression? = nil
    ) throws(KinError) -> [SessionMatch] {
        try store.nearestSessions(to: query, k: k, where: filter)
    }

    /// Finds the k sessions nearest to a session by its embedding and its point together, without the session itself.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - embedding: An embedding that replaces the session's own; nil for the session's own.
    ///   - model: The label of the embeddings' model; may be nil if there is only one model.
    ///   - weight: The weight of the embedding's distance, 0…1.
    ///   - k: The number of sessions, 0 or more.
    ///   - filter: A condition on `user`, `state` and `start`; nil for none.
    /// - Throws: `.unknownID` for the session, or for a session without an embedding; otherwise as
    ///   ``near(_:k:where:)``.
    public func near(
        session id: String, embedding: [Float]? = nil, embeddedBy model: String?,
        weight: Double = EmbeddingQuery.standardWeight, k: Int = 10, where filter: FilterExpression? = nil
    ) throws(KinError) -> [SessionMatch] {
        let session = try self.session(id)
        let query: EmbeddingQuery
        if let embedding {
            query = try EmbeddingQuery(embedding: embedding, model: model, weight: weight, point: session.embedding)
        } else if let own = try store.embedding(of: id, model: model) {
            query = try EmbeddingQuery(
                embedding: own.vector, model: own.model, weight: weight, point: session.embedding)
        } else {
            throw KinError(
                .unknownID, "session \(id) has no embedding; import a record of the kind `session_embedding`")
        }
        return try neighbors(of: session, k: k) { k throws(KinError) in try near(query, k: k, where: filter) }
    }

    /// The session with an id.
    ///
    /// - Throws: `.unknownID`; `.corruptFile`, `.inputOutput`.
    public func session(_ id: String) throws(KinError) -> PleasureSession {
        try Self.known(store.session(id), id)
    }

    /// The session that a lookup by id returned.
    ///
    /// - Throws: `.unknownID` for nil.
    private static func known(_ session: PleasureSession?, _ id: String) throws(KinError) -> PleasureSession {
        if let session { return session }
        throw KinError(.unknownID, "there is no session \(id); `sessions` lists the sessions of a person")
    }

    /// The sessions of a person, newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id; an unknown id gives an empty list.
    ///   - count: The largest number of sessions, 0 or more.
    ///   - last: The id of the last session of the previous page; nil for the first page.
    /// - Throws: `.invalidArgument` for a negative count; `.unknownID` for the last session; `.corruptFile`,
    ///   `.inputOutput`.
    public func sessions(of user: String, count: Int = 10, after last: String? = nil) throws(KinError)
        -> [PleasureSession]
    {
        try KinError.requireCount(count, "count")
        return try store.sessions(of: user, limit: count, after: last.map(session))
    }

    /// Compares a session with the earlier sessions of its person: similar sessions, shifts, co-activations, the usual
    /// path of states.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - k: The number of similar sessions.
    /// - Throws: `.unknownID`; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(sessions of the person).
    public func insight(session id: String, k: Int = 5) throws(KinError) -> SessionInsight {
        let session = try session(id)
        return try SessionInsight(of: session, among: allSessions(of: session.userID), k: k)
    }

    /// Counts the transitions between the states of a person's sessions.
    ///
    /// - Throws: `.unknownID` for a person without sessions; `.corruptFile`, `.inputOutput`.
    public func transitions(of user: String) throws(KinError) -> StatePaths {
        StatePaths(try allSessions(of: user).map(\.stateHistory))
    }

    /// Draws a map of a person's sessions in two or three dimensions, by principal components.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - components: The number of axes, 2 or 3.
    ///   - earlier: The axes of an earlier map, whose orientation is preserved. Default: none.
    /// - Throws: `.unknownID`; `.invalidArgument` for fewer than three sessions, or if all sessions have the same
    ///   point.
    public func map(of user: String, components: Int = 2, like earlier: [PleasureMap.Axis] = []) throws(KinError)
        -> SessionMap
    {
        let sessions = try allSessions(of: user)
        let map = try PleasureMap(of: sessions, components: components, like: earlier)
        // A change between the two reads gives types for a different number of sessions.
        let kept = try store.sessionTypes(of: user)
        let types = if let kept, kept.labels.count == sessions.count { kept } else { try SessionTypes(of: sessions) }
        return SessionMap(user: user, map: map, types: types, sessions: sessions)
    }

    /// Moves a session to a different state.
    ///
    /// - Returns: The session as it is now stored.
    /// - Throws: `.unknownID`; `.invalidArgument`, naming both states, for a forbidden transition; `.inputOutput`.
    @discardableResult
    public func advance(session id: String, to state: SessionState) async throws(KinError) -> PleasureSession {
        try await change(session: id) { session in try session.advance(to: state) }
    }

    /// Ends a session and moves it to reflection.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - instant: The end; nil for the session's stored end or, if it has none, now.
    /// - Returns: The session as it is now stored.
    /// - Throws: `.unknownID`; `.invalidArgument` if the session has already been in reflection, cannot move to it, has
    ///   a different end, or starts after the instant; `.inputOutput`.
    @discardableResult
    public func end(session id: String, at instant: Timestamp? = nil) async throws(KinError) -> PleasureSession {
        let now = try self.now()
        return try await change(session: id) { session in try session.end(at: instant ?? session.end ?? now) }
    }

    /// Changes a stored session.
    private func change(
        session id: String, _ body: @Sendable (inout PleasureSession) throws -> Void
    ) async throws(KinError) -> PleasureSession {
        try await store.change(.session(id)) { stored in
            var session = try Self.known(stored, id)
            try body(&session)
            stored = session
            return session
        }
    }

    /// All sessions of a person by ascending start; requires at least one.
    private func allSessions(of user: String) throws(KinError) -> [PleasureSession] {
        let sessions = try store.withHistory(of: user) { $0.sessions }
        guard !sessions.isEmpty else {
            throw KinError(.unknownID, "\(user) has no sessions; `users` lists all people")
        }
        return sessions
    }
}

/// A map of a person's sessions, with their types.
public struct SessionMap: Sendable {
    /// The id of the person.
    public let user: String
    /// The axes and the trajectory.
    public let map: PleasureMap
    /// The types of the sessions, in the order of ``sessions``.
    public let types: SessionTypes
    /// The sessions by ascending start.
    public let sessions: [PleasureSession]
}
