import GRDB
import KinCore
import KinIndex
import KinLinearAlgebra
import KinPleasure

/// Makes the index of the sessions' points from their rows.
struct SessionIndexBuilder {
    let metric: Metric
    let database: Database

    static let dimension = Pleasure.Dimension.count
    static let schema: AttributeSchema = {
        do throws(KinError) {
            return try AttributeSchema(["user": .category, "state": .category, "start": .time])
        } catch {
            preconditionFailure("these are names that attributes may have: \(error)")
        }
    }()

    private var select: String {
        let columns = ["number"] + RecordKind.session.columns + ["seal"]
        return "SELECT " + columns.map { "session.\($0)" }.joined(separator: ", ")
            + ", person.uid FROM session JOIN person ON person.number = session.person"
    }

    /// The index of all sessions.
    func build() throws -> IVFIndex {
        var index = IVFIndex(dimension: Self.dimension, metric: metric, attributes: Self.schema)
        var rows = Rows()
        try SQLStatement(select + " ORDER BY session.number", in: database).query { row in
            try append(row, to: &rows)
            return true
        }
        try rows.upsert(into: &index)
        return index
    }

    /// Reads changed rows again: those that are there are put in, those that are not taken out.
    func apply(_ changes: [ClosedRange<Int64>], to index: inout IVFIndex) throws {
        guard !changes.isEmpty else { return }
        var rows = Rows()
        var seen: Set<Int64> = []
        let query = try SQLStatement(select + " WHERE session.number BETWEEN ? AND ?", in: database)
        for range in changes {
            try query.query([.integer(range.lowerBound), .integer(range.upperBound)]) { row in
                if seen.insert(row.integer(0)).inserted { try append(row, to: &rows) }
                return true
            }
        }
        let kept = Set(rows.ids)
        let changed = Set(changes.joined().map { VectorID(UInt64($0)) })
        index.remove(changed.subtracting(kept).sorted())
        try rows.upsert(into: &index)
    }

    private func append(_ row: SQLRow, to rows: inout Rows) throws {
        let session = try StoredRow(row, of: .session)
        guard let state = SessionState(name: session.text("state")) else {
            throw KinError(.corruptFile, "session \(session.number) has a state that there is not")
        }
        let user = row.text(RecordKind.session.columns.count + 2)
        let start = try Timestamp(microseconds: session.integer("start"))
        unsafe try session.withBytes("vector") { bytes in
            guard bytes.count == 4 * Self.dimension else {
                throw KinError(.corruptFile, "session \(session.number) has a point of \(bytes.count) bytes")
            }
            let vector = (0..<Self.dimension).map { place in
                let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
            // A session without any pleasure has no direction to compare by.
            if metric == .cosine, vector.allSatisfy({ $0 == 0 }) { return }
            rows.append(VectorID(UInt64(session.number)), vector, user: user, state: state.name, start: start)
        }
    }

    /// Sessions on their way into an index.
    private struct Rows {
        private(set) var ids: [VectorID] = []
        private var elements: [Float] = []
        private var users: [String?] = []
        private var states: [String?] = []
        private var starts: [Timestamp?] = []

        mutating func append(_ id: VectorID, _ vector: [Float], user: String, state: String, start: Timestamp) {
            ids.append(id)
            elements += vector
            users.append(user)
            states.append(state)
            starts.append(start)
        }

        func upsert(into index: inout IVFIndex) throws(KinError) {
            guard !ids.isEmpty else { return }
            let matrix = try Matrix(rows: ids.count, columns: SessionIndexBuilder.dimension, elements: elements)
            try index.upsert(
                matrix, ids: ids,
                attributes: ["user": .categories(users), "state": .categories(states), "start": .times(starts)])
        }
    }
}
