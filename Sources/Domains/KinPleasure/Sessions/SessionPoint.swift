/// The fields of a session that a ``SessionIndex`` stores.
public struct SessionPoint: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The present state, or the last one.
    public let state: SessionState
    /// The start of the session.
    public let start: Timestamp
    /// The point in the pleasure space.
    public let point: Pleasure

    /// Creates an entry from its fields.
    public init(userID: String, state: SessionState, start: Timestamp, point: Pleasure) {
        self.userID = userID
        self.state = state
        self.start = start
        self.point = point
    }

    /// Copies the fields of a session.
    public init(_ session: PleasureSession) {
        self.init(userID: session.userID, state: session.state, start: session.start, point: session.embedding)
    }
}

extension VectorIndex {
    /// Adds the points of sessions with their attributes; under the cosine, points of zeros are left out.
    ///
    /// - Throws: `.invalidArgument` unless there are equally many numbers and sessions, `.duplicateID`; the index is
    ///   then unchanged.
    mutating func upsert(_ sessions: [SessionPoint], as ids: [VectorID], threads: Int) throws(KinError) {
        guard sessions.count == ids.count else {
            throw KinError(.invalidArgument, "\(sessions.count) sessions need as many numbers, not \(ids.count)")
        }
        if let row = ids.firstIndex(of: .none) {
            throw KinError(.invalidArgument, "the largest 64-bit number means \"no session\"").within("row", row)
        }
        guard Set(ids).count == ids.count else { throw KinError(.duplicateID, "one number is given to two sessions") }
        let kept = sessions.indices.filter { !metric.comparesDirections || sessions[$0].point.coordinates != .zero }
        var matrix = Matrix<Float>(rows: kept.count, columns: Pleasure.Dimension.count)
        for (row, i) in kept.enumerated() {
            let point = sessions[i].point.coordinates
            for j in 0..<Pleasure.Dimension.count { matrix[row, j] = point[j] }
        }
        try upsert(
            matrix, ids: kept.map { ids[$0] },
            attributes: [
                SessionIndex.userAttribute: .categories(kept.map { sessions[$0].userID }),
                SessionIndex.stateAttribute: .categories(kept.map { sessions[$0].state.name }),
                SessionIndex.startAttribute: .times(kept.map { sessions[$0].start }),
            ], threads: threads)
        // Earlier points of sessions that no longer have a direction.
        if kept.count < ids.count { remove(Set(ids).subtracting(kept.map { ids[$0] }).sorted()) }
    }
}
