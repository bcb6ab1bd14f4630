import GRDB

/// The index of all sessions' embeddings, cached in memory and saved in the index folder.
struct CachedEmbeddings: RecordIndex {
    static var sources: [RecordKind] { [PleasureSession.kind, SessionEmbedding.kind] }

    private(set) var index = EmbeddingIndex()
    /// The number of the session and the model, separated by a space, by row number.
    private(set) var ids: RowIDs

    init(index: EmbeddingIndex, ids: RowIDs) {
        self.index = index
        self.ids = ids
    }

    private static let columns = SessionEmbedding.kind.columns.count + 2
    private static let select =
        SessionEmbedding.kind.select(with: "session.number")
        + " JOIN session ON session.id = session_embedding.session_id"

    /// The embeddings of one model.
    private struct Batch {
        var ids: [VectorID] = []
        var vectors: [[Float]] = []
    }

    init(for key: SingletonKey, in database: Database) throws {
        var (batches, found): ([String: Batch], [(Int64, String)]) = ([:], [])
        let query = try SQLStatement(Self.select + " ORDER BY session_embedding.number", in: database)
        try query.query(reportingTo: LongWork(of: nil)) {
            try Self.append($0, to: &batches, &found, in: database)
        }
        ids = RowIDs(found.map { (number: $0.0, id: $0.1) })
        try upsert(batches)
    }

    private static func append(
        _ row: SQLRow, to batches: inout [String: Batch], _ found: inout [(Int64, String)], in database: Database
    ) throws {
        let stored = try StoredRow(row, of: SessionEmbedding.kind, in: database)
        let embedding: SessionEmbedding = try stored.record()
        let session = row.integer(columns)
        batches[embedding.model, default: Batch()].ids.append(VectorID(UInt64(session)))
        batches[embedding.model, default: Batch()].vectors.append(embedding.vector)
        found.append((stored.number, "\(session) \(embedding.model)"))
    }

    private mutating func upsert(_ batches: [String: Batch]) throws(KinError) {
        for (model, batch) in batches.sorted(by: { $0.key < $1.key }) {
            try index.upsert(batch.vectors, as: batch.ids, model: model)
        }
    }

    mutating func apply(_ changes: [RecordChange], for key: SingletonKey, in database: Database) throws -> Bool {
        // A load as large as the index needs a new partition of the space, which a build does better.
        guard let ranges = changes.numbers(of: SessionEmbedding.kind, atMost: max(index.count, 1000)) else {
            return false
        }
        try removeSessions(changes.numbers(of: PleasureSession.kind) ?? [], in: database)
        var (batches, found): ([String: Batch], [(Int64, String)]) = ([:], [])
        let query = try SQLStatement(Self.select + " WHERE session_embedding.number BETWEEN ? AND ?", in: database)
        let seen = try query.query(numbers: ranges) { try Self.append($0, to: &batches, &found, in: database) }
        for number in Set(ranges.joined()).subtracting(seen).sorted() {
            guard let words = ids.remove(number)?.split(separator: " ", maxSplits: 1), words.count == 2,
                let session = UInt64(words[0])
            else { continue }
            index.remove([VectorID(session)], model: String(words[1]))
        }
        try upsert(batches)
        for (number, id) in found { ids[number] = id }
        return true
    }

    /// Removes the embeddings of deleted sessions; SQLite has removed their rows.
    private mutating func removeSessions(_ ranges: [ClosedRange<Int64>], in database: Database) throws {
        guard index.count > 0 else { return }
        let query = try SQLStatement("SELECT number FROM session WHERE number BETWEEN ? AND ?", in: database)
        let present = try query.query(numbers: ranges) { _ in }
        for range in ranges {
            index.remove(range.filter { !present.contains($0) }.map { VectorID(UInt64($0)) })
        }
    }

    static func fileName(for key: SingletonKey) -> String { "embeddings" }
    static var fileKind: FourCharacterCode { "SEMB" }
}
