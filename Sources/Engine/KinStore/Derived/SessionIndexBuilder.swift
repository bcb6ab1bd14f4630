import GRDB

/// Builds and updates the index of the sessions' points from their rows.
struct SessionIndexBuilder {
    let metric: Metric
    let database: Database

    private static let select =
        PleasureSession.kind.select(with: "person.uid") + " JOIN person ON person.number = session.person"

    /// Builds the index of all sessions; their ids in it are their row numbers.
    ///
    /// - Throws: `.corruptFile` for a damaged row; `.cancelled`, with sessions as units.
    func build() throws -> SessionIndex {
        var rows = Rows()
        let query = try SQLStatement(Self.select + " ORDER BY session.number", in: database)
        try query.query(reportingTo: LongWork(of: nil)) { try append($0, to: &rows) }
        return try SessionIndex(rows.sessions, as: rows.ids, metric: metric)
    }

    /// Reads changed rows again: existing ones are upserted, deleted ones removed.
    func apply(_ changes: [ClosedRange<Int64>], to index: inout SessionIndex) throws {
        guard !changes.isEmpty else { return }
        var rows = Rows()
        let query = try SQLStatement(Self.select + " WHERE session.number BETWEEN ? AND ?", in: database)
        try query.query(numbers: changes) { try append($0, to: &rows) }
        let kept = Set(rows.ids)
        let changed = Set(changes.joined().map { VectorID(UInt64($0)) })
        index.remove(changed.subtracting(kept).sorted())
        if !rows.ids.isEmpty { try index.upsert(rows.sessions, as: rows.ids) }
    }

    /// Sessions collected for an index.
    private struct Rows {
        var ids: [VectorID] = []
        var sessions: [SessionPoint] = []
    }

    private func append(_ row: SQLRow, to rows: inout Rows) throws {
        let session = try StoredRow(row, of: PleasureSession.kind, in: database)
        guard let state = SessionState(name: session.text("state")) else {
            throw KinError(.corruptFile, "session \(session.number) has an unknown state")
        }
        let user = row.text(PleasureSession.kind.columns.count + 2)
        let start = try Timestamp(microseconds: session.integer("start"))
        let point = try session.point
        rows.ids.append(VectorID(UInt64(session.number)))
        rows.sessions.append(SessionPoint(userID: user, state: state, start: start, point: point))
    }
}

extension StoredRow {
    /// The point of a session's row, without its record.
    ///
    /// - Throws: `.corruptFile` for a vector with a different length.
    var point: Pleasure {
        get throws {
            unsafe try withBytes("vector") { bytes in
                guard bytes.count == 4 * Pleasure.Dimension.count else {
                    throw KinError(.corruptFile, "session \(number) has a point of \(bytes.count) bytes")
                }
                var coordinates = SIMD16<Float>.zero
                for axis in 0..<Pleasure.Dimension.count {
                    let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4 * axis, as: UInt32.self)
                    coordinates[axis] = Float(bitPattern: UInt32(littleEndian: bits))
                }
                // The checksum matches, so the coordinates are those of a valid point.
                return Pleasure(clamping: coordinates)
            }
        }
    }
}
