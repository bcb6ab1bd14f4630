import GRDB
import KinCore
import KinIndex
import KinPleasure

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
    private static let select: String = {
        let kind = SessionEmbedding.kind
        let columns = (["number"] + kind.columns + ["seal"]).map { "\(kind.name).\($0)" }.joined(separator: ", ")
        return
            "SELECT \(columns), session.number FROM \(kind.name) JOIN session ON session.id = \(kind.name).session_id"
    }()

    /// The embeddings of one model.
    private struct Batch {
        var ids: [VectorID] = []
        var vectors: [[Float]] = []
    }

    init(for key: SingletonKey, in database: Database) throws {
        var (batches, found): ([String: Batch], [(Int64, String)]) = ([:], [])
        let work = LongWork(of: nil)
        try SQLStatement(Self.select + " ORDER BY session_embedding.number", in: database).query { row in
            try Self.append(row, to: &batches, &found, in: database)
            if found.count % 256 == 0 { try work.step(by: 256) }
            return true
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
        let ranges = changes.filter { $0.kind == SessionEmbedding.kind.name }.map(\.numbers)
        // A load as large as the index needs a new partition of the space, which a build does better.
        guard ranges.reduce(0, { $0 + $1.count }) <= max(index.count, 1000) else { return false }
        try removeSessions(changes.filter { $0.kind == PleasureSession.kind.name }.map(\.numbers), in: database)
        var (batches, found): ([String: Batch], [(Int64, String)]) = ([:], [])
        let query = try SQLStatement(Self.select + " WHERE session_embedding.number BETWEEN ? AND ?", in: database)
        var seen: Set<Int64> = []
        for range in ranges {
            try query.query([.integer(range.lowerBound), .integer(range.upperBound)]) { row in
                if seen.insert(row.integer(0)).inserted { try Self.append(row, to: &batches, &found, in: database) }
                return true
            }
        }
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
        for range in ranges {
            let present = Set(
                try query.all([.integer(range.lowerBound), .integer(range.upperBound)]) { $0.integer(0) })
            index.remove(range.filter { !present.contains($0) }.map { VectorID(UInt64($0)) })
        }
    }

    static func fileName(for key: SingletonKey) -> String { "embeddings" }
    static var fileKind: FourCharacterCode { "SEMB" }
}
