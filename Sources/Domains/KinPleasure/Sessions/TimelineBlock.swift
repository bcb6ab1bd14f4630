import KinCore
import KinIndex
import KinLinearAlgebra

/// One block of a ``SessionTimeline``.
struct TimelineBlock: Sendable {
    private(set) var run = SessionRun()
    private(set) var points: IVFIndex
    /// The start and state of each session, for the predicate of a search.
    private var attributes: [VectorID: Attributes] = [:]

    private struct Attributes: Sendable {
        let start: Int64
        let state: SessionState
    }

    init(metric: Metric) { points = IVFIndex(exactlySearched: Pleasure.Dimension.count, metric: metric) }

    var count: Int { run.count }

    /// The keys of the first and the last session, kept so that a search skips blocks without reading them.
    private(set) var keys: ClosedRange<SessionTimeline.Key>?

    /// The positions of the sessions that began in a span.
    func positions(startedIn range: TimeRange) -> Range<Int> {
        guard let keys, keys.upperBound.start >= range.start.microseconds,
            keys.lowerBound.start < range.end.microseconds
        else { return 0..<0 }
        let isWhole =
            keys.lowerBound.start >= range.start.microseconds && keys.upperBound.start < range.end.microseconds
        return isWhole ? 0..<count : run.positions(startedIn: range)
    }

    /// Whether every session comes after a key.
    func comes(after key: SessionTimeline.Key) -> Bool { keys.map { key < $0.lowerBound } ?? false }

    private mutating func noteKeys() {
        guard let first = run.entries.first, let last = run.entries.last else { return keys = nil }
        keys = .init(start: first.start, id: first.id)...(.init(start: last.start, id: last.id))
    }

    var rows: [SessionTimeline.Row] {
        run.entries.indices.map { position in
            let entry = run.entries[position]
            return .init(start: entry.start, id: entry.id, state: entry.state, point: run.points[position])
        }
    }

    /// Adds rows in ascending order.
    mutating func insert(_ rows: ArraySlice<SessionTimeline.Row>) throws(KinError) {
        var matrix = Matrix<Float>(rows: rows.count, columns: Pleasure.Dimension.count)
        for (i, row) in rows.enumerated() {
            for j in 0..<Pleasure.Dimension.count { matrix[i, j] = row.point[j] }
        }
        try points.upsert(matrix, ids: rows.map(\.id))
        for row in rows { attributes[row.id] = Attributes(start: row.start, state: row.state) }
        run.insert(rows.map { (.init(start: $0.start, id: $0.id, state: $0.state), $0.point) })
        noteKeys()
    }

    /// Removes rows by ascending keys.
    mutating func remove(_ keys: ArraySlice<SessionTimeline.Key>) {
        let gone = keys.filter { attributes.removeValue(forKey: $0.id) != nil }
        points.remove(gone.map(\.id))
        if gone.count == 1 { run.remove(start: gone[0].start, id: gone[0].id) } else { run.remove(Set(gone.map(\.id))) }
        noteKeys()
    }

    /// The filter of a search that allows the sessions at some positions that began in a span, in some states.
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
