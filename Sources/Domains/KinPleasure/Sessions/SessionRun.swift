/// A session without its point, ordered by start, then by id.
struct SessionEntry: Sendable, Comparable {
    /// The start of the session, in microseconds since 1970.
    let start: Int64
    /// The number of the session.
    let id: VectorID
    /// The present state, or the last one.
    let state: SessionState

    static func < (a: SessionEntry, b: SessionEntry) -> Bool { (a.start, a.id) < (b.start, b.id) }
}

/// Sessions sorted by start, with their points in one array: one person's sessions, or all people's sessions of some
/// hours.
///
/// For hundreds of sessions of a person, or thousands of a few days, a scan of arrays is faster than an index: about
/// 5 ns a session.
struct SessionRun: Sendable {
    private(set) var entries: [SessionEntry] = []
    private(set) var points: [SIMD16<Float>] = []

    /// The position of a session, or the position for inserting it.
    func position(of entry: SessionEntry) -> Int {
        // Most sessions are the newest when they are added.
        if let last = entries.last, last < entry { return entries.count }
        return entries.partition { $0 < entry }
    }

    mutating func insert(_ entry: SessionEntry, _ point: SIMD16<Float>) {
        let position = position(of: entry)
        entries.insert(entry, at: position)
        points.insert(point, at: position)
    }

    mutating func remove(_ entry: SessionEntry) {
        let position = position(of: entry)
        guard position < entries.count, entries[position].id == entry.id else { return }
        entries.remove(at: position)
        points.remove(at: position)
    }

    /// The positions of the sessions that began in a span.
    func positions(startedIn range: TimeRange?) -> Range<Int> {
        guard let range else { return entries.indices }
        let low = entries.partition { $0.start < range.start.microseconds }
        let high = entries.partition { $0.start < range.end.microseconds }
        return low..<max(low, high)
    }
}

extension SessionRun {
    /// The k nearest sessions in given states, among the sessions at given positions of runs.
    static func nearest(
        _ k: Int, among runs: [(run: SessionRun, positions: Range<Int>)], in states: StateSet,
        at distance: PointDistance
    ) -> [Neighbor] {
        let capacity = min(k, runs.reduce(0) { $0 + $1.positions.count })
        guard capacity > 0 else { return [] }
        return unsafe [Neighbor](unsafeUninitializedCapacity: capacity) { buffer, count in
            var best = unsafe TopK(buffer)
            for (run, positions) in runs {
                for position in positions where states.contains(run.entries[position].state) {
                    if let distance = distance(run.points[position]) {
                        best.insert(run.entries[position].id, distance)
                    }
                }
            }
            count = unsafe best.finish().count
        }
    }
}
