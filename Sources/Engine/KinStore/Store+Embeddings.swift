import GRDB

extension Store {
    /// Inserts or replaces embeddings of sessions, one per session and model. If this throws, no embedding is stored.
    ///
    /// - Throws: `.unknownID` if a session is missing, `.invalidArgument` if it belongs to a different person,
    ///   `.dimensionMismatch` if the model's embeddings have a different dimension, `.capacityExceeded` for more than
    ///   64 models; `.inputOutput`.
    /// - Complexity: O(n log size); one synchronization of the disk.
    public func put(_ embeddings: [SessionEmbedding]) throws(KinError) {
        try putAll(embeddings, "embeddings")
    }

    /// A session's embedding; nil if the session has no embedding of the model.
    ///
    /// - Parameters:
    ///   - session: The id of the session.
    ///   - model: The label of the model; nil for the store's only model.
    /// - Throws: `.unknownID` for an unknown model; `.invalidArgument` if the label is nil and there are several
    ///   models; `.corruptFile`; `.inputOutput`.
    public nonisolated func embedding(of session: String, model: String? = nil) throws(KinError) -> SessionEmbedding? {
        try read("read an embedding") { database in
            let model = try SessionEmbedding.model(model, in: database)
            return try RecordQuery<SessionEmbedding>(
                "WHERE session_id = ? AND model = ?", [.id(session, "session"), .text(model)]
            ).first(in: database)
        }
    }

    /// The k sessions nearest by embedding and point, nearest first; exact.
    ///
    /// - Parameters:
    ///   - query: The embedding, the point, and the weight between them.
    ///   - k: The number of sessions, 0 or more.
    ///   - expression: A condition on `user`, `state` and `start`; nil for none.
    /// - Throws: `.invalidArgument` for k, the condition, or a missing label if there are several models; `.unknownID`
    ///   for an unknown model; `.dimensionMismatch`; `.corruptFile`; `.inputOutput`.
    /// - Complexity: A search of the points or of the embeddings, whichever visits fewer, plus reading k sessions.
    public nonisolated func nearestSessions(
        to query: EmbeddingQuery, k: Int, where expression: FilterExpression? = nil
    ) throws(KinError) -> [SessionMatch] {
        try withDerived(CachedEmbeddings.self, for: .only) { kept, database in
            let sessions = try cache.upToDate(SessionIndex.self, for: .squaredL2, in: database)
            return try kept.index.nearest(to: query, among: sessions, k: k, where: expression).compactMap { found in
                let number = Int64(found.id.rawValue)
                return try RecordQuery<PleasureSession>("WHERE number = ?", [.integer(number)]).first(in: database).map
                {
                    SessionMatch(
                        session: $0, distance: found.distance,
                        parts: .init(pleasure: found.pleasureDistance, embedding: found.embeddingDistance))
                }
            }
        }
    }

    /// The vectors of sessions without their texts, by ascending session id.
    ///
    /// - Parameters:
    ///   - model: The label of the model whose embeddings are returned, as they were stored; nil for the points of the
    ///     pleasure space.
    ///   - user: The only person whose sessions are included; nil for all people.
    /// - Throws: `.unknownID` for an unknown model; `.corruptFile`; `.inputOutput`.
    /// - Complexity: O(numbers).
    public nonisolated func vectors(model: String? = nil, of user: String? = nil) throws(KinError) -> SessionVectors {
        try read("list vectors") { database in
            let model = try model.map { try SessionEmbedding.model($0, in: database) }
            var found = SessionVectors(model: model, dimension: model == nil ? Pleasure.Dimension.count : 0)
            var conditions: [String] = []
            var values: [SQLValue] = []
            if let model {
                conditions.append("model = ?")
                values.append(.text(model))
            }
            if let user {
                // A person without records gets a number that no row has.
                conditions.append("person = ?")
                values.append(.integer(try People.number(of: user, in: database) ?? -1))
            }
            let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            if model == nil {
                try RecordQuery<PleasureSession>("\(condition) ORDER BY id", values).forEachRow(in: database) { row in
                    found.append(try row.point.vector, of: row.text("id"))
                }
            } else {
                try RecordQuery<SessionEmbedding>("\(condition) ORDER BY session_id", values).forEach(in: database) {
                    embedding, _ in
                    found.append(embedding.vector, of: embedding.sessionID)
                }
            }
            return found
        }
    }
}

/// Vectors of sessions with the sessions' ids.
public struct SessionVectors: Sendable, Hashable {
    /// The label of the embeddings' model; nil for points of the pleasure space.
    public let model: String?
    /// The number of dimensions; 0 if there are no embeddings.
    public private(set) var dimension: Int
    /// The ids of the sessions, ascending.
    public private(set) var sessions: [String] = []
    /// The vectors as one array, in the order of ``sessions``.
    public private(set) var elements: [Float] = []

    fileprivate mutating func append(_ vector: [Float], of session: String) {
        dimension = vector.count
        sessions.append(session)
        elements += vector
    }
}
