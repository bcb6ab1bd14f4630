/// One block of a ``SessionTimeline``.
struct TimelineBlock: Sendable {
    private(set) var run = SessionRun()
    private(set) var points: VectorIndex
    /// The sessions by number, for the predicate of a search.
    private var attributes: [VectorID: SessionEntry] = [:]

    init(metric: Metric) { points = VectorIndex(exactlySearched: Pleasure.Dimension.count, metric: metric) }

    var count: Int { run.count }

    /// The first and the last session, which let a search skip blocks without reading them.
    private(set) var keys: ClosedRange<SessionEntry>?

    /// The positions of the sessions that began in a span.
    func positions(startedIn range: TimeRange) -> Range<Int> {
        guard let keys, keys.upperBound.start >= range.start.microseconds,
            keys.lowerBound.start < range.end.microseconds
        else { return 0..<0 }
        let isWhole =
            keys.lowerBound.start >= range.start.microseconds && keys.upperBound.start < range.end.microseconds
        return isWhole ? 0..<count : run.positions(startedIn: range)
    }

    /// Whether all sessions of the block come after a session.
    func comes(after entry: SessionEntry) -> Bool { keys.map { entry < $0.lowerBound } ?? false }

    private mutating func noteKeys() {
        guard let first = run.entries.first, let last = run.entries.last else { return keys = nil }
        keys = first...last
    }

    var rows: [SessionTimeline.Row] { zip(run.entries, run.points).map { ($0, $1) } }

    /// Adds rows in ascending order.
    mutating func insert(_ rows: ArraySlice<SessionTimeline.Row>) throws(KinError) {
        var matrix = Matrix<Float>(rows: rows.count, columns: Pleasure.Dimension.count)
        for (i, row) in rows.enumerated() {
            for j in 0..<Pleasure.Dimension.count { matrix[i, j] = row.point[j] }
        }
        try points.upsert(matrix, ids: rows.map { $0.entry.id })
        for row in rows { attributes[row.entry.id] = row.entry }
        run.insert(rows)
        noteKeys()
    }

    /// Removes sessions in ascending order.
    mutating func remove(_ entries: ArraySlice<SessionEntry>) {
        let gone = entries.filter { attributes.removeValue(forKey: $0.id) != nil }
        points.remove(gone.map(\.id))
        if gone.count == 1 { run.remove(gone[0]) } else { run.remove(Set(gone.map(\.id))) }
        noteKeys()
    }

    /// The search filter that allows the sessions at given positions, which began in a span, in given states.
    func filter(for positions: Range<Int>, startedIn range: TimeRange, states: StateSet) -> SearchFilter {
        let (attributes, isWhole) = (attributes, positions.count == count)
        if isWhole, states == .all { return .all }
        let span = range.start.microseconds..<range.end.microseconds
        return .predicate { id in
            guard let known = attributes[id] else { return false }
            return (isWhole || span.contains(known.start)) && states.contains(known.state)
        }
    }
}
