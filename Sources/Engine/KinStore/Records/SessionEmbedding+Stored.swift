import GRDB

extension SessionEmbedding: StoredRecord {
    static let table = RecordTable<SessionEmbedding>(
        "session_embedding", owner: \.userID, .text("session_id", \.sessionID), .text("model", \.model),
        .integer("dimension", \.vector.count), key: ["session_id", "model"], order: ["session_id", "model"])

    var needsStoreContext: Bool { true }

    /// Requires that the session exists, that the model's dimension matches, and that a new model is within the limit.
    ///
    /// - Throws: `.unknownID` without the session, `.invalidArgument` for a session of a different person,
    ///   `.capacityExceeded` beyond the largest number of models, `.dimensionMismatch` with both dimensions.
    func adopted(by transaction: WriteTransaction) throws -> SessionEmbedding {
        let database = transaction.database
        let owner = try SQLStatement(
            "SELECT uid FROM session JOIN person ON person.number = session.person WHERE session.id = ?", in: database
        ).first([.text(sessionID)]) { $0.text(0) }
        guard let owner else {
            throw KinError(
                .unknownID,
                "there is no session \(sessionID.prefix(40)); put in the session with its embedding, or before")
        }
        guard owner == userID else {
            throw KinError.field("user_id", "session \(sessionID.prefix(40)) is another person's")
        }
        let known = try SQLStatement(
            "SELECT dimension FROM session_embedding WHERE model = ?1 AND session_id <> ?2 LIMIT 1", in: database
        ).first([.text(model), .text(sessionID)]) { Int($0.integer(0)) }
        if let known {
            guard known == vector.count else {
                throw EmbeddingIndex.mismatch(of: model, known, vector.count).within("session", sessionID)
            }
        } else {
            let others = try SQLStatement(
                "SELECT count(DISTINCT model) FROM session_embedding WHERE model <> ?", in: database
            ).first([.text(model)]) { $0.integer(0) }
            guard others ?? 0 < EmbeddingIndex.mostModels else {
                throw KinError(
                    .capacityExceeded,
                    "there are embeddings of \(EmbeddingIndex.mostModels) models, the largest number; remove the embeddings of one"
                )
            }
        }
        return self
    }

    /// The label of the model in a request; for nil, the store's only model.
    ///
    /// - Throws: `.unknownID` for an unknown model or a store without models; `.invalidArgument` for nil if there are
    ///   several models.
    static func model(_ model: String?, in database: Database) throws -> String {
        // A step from each model to the next in the table's index.
        let next = try SQLStatement(
            "SELECT model FROM session_embedding WHERE model > ? ORDER BY model LIMIT 1", in: database)
        var models: [String] = []
        while let found = try next.first([.text(models.last ?? "")], { $0.text(0) }) { models.append(found) }
        return try EmbeddingIndex.model(model.map { RecordID.normalized($0) }, of: models)
    }
}
