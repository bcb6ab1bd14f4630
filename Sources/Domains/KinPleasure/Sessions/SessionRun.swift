import KinCore
import KinLinearAlgebra

/// A sorted run of sessions by start, with their points in one array: one person's, or all people's of some weeks.
///
/// For hundreds of sessions of a person, or thousands of a few days, a scan of one array, about 5 ns a session, is
/// faster than an index.
struct SessionRun: Sendable {
    /// The start, id and state of a session.
    struct Entry: Sendable {
        let start: Int64
        let id: VectorID
        let state: SessionState
    }

    private(set) var entries: [Entry] = []
    private(set) var points: [SIMD16<Float>] = []

    /// The insertion position of a session, by start, then id.
    func position(start: Int64, id: VectorID) -> Int {
        // Most sessions are the newest when they are added.
        if let last = entries.last, (last.start, last.id) < (start, id) { return entries.count }
        return entries.partition { ($0.start, $0.id) < (start, id) }
    }

    var count: Int { entries.count }

    mutating func insert(_ entry: Entry, _ point: SIMD16<Float>) {
        let position = position(start: entry.start, id: entry.id)
        entries.insert(entry, at: position)
        points.insert(point, at: position)
    }

    /// Adds sessions in ascending order that are not in the run.
    mutating func insert(_ sessions: [(entry: Entry, point: SIMD16<Float>)]) {
        if let first = sessions.first, let last = entries.last,
            (last.start, last.id) > (first.entry.start, first.entry.id)
        {
            guard sessions.count > 1 else { return insert(first.entry, first.point) }
            merge(sessions)
        } else {
            entries += sessions.lazy.map(\.entry)
            points += sessions.lazy.map(\.point)
        }
    }

    private mutating func merge(_ sessions: [(entry: Entry, point: SIMD16<Float>)]) {
        var merged = SessionRun()
        merged.entries.reserveCapacity(count + sessions.count)
        merged.points.reserveCapacity(count + sessions.count)
        var position = 0
        for (entry, point) in sessions {
            while position < count, (entries[position].start, entries[position].id) < (entry.start, entry.id) {
                merged.append(entries[position], points[position])
                position += 1
            }
            merged.append(entry, point)
        }
        merged.entries += entries[position...]
        merged.points += points[position...]
        self = merged
    }

    private mutating func append(_ entry: Entry, _ point: SIMD16<Float>) {
        entries.append(entry)
        points.append(point)
    }

    /// Removes the sessions with some ids.
    mutating func remove(_ gone: Set<VectorID>) {
        guard !gone.isEmpty else { return }
        let kept = entries.indices.filter { !gone.contains(entries[$0].id) }
        (entries, points) = (kept.map { entries[$0] }, kept.map { points[$0] })
    }

    mutating func remove(start: Int64, id: VectorID) {
        let position = position(start: start, id: id)
        guard position < entries.count, entries[position].id == id else { return }
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
    /// Inserts the sessions at some positions and in some states into the nearest so far.
    func offer(
        _ positions: Range<Int>, in states: StateSet, at distance: PointDistance, to best: inout TopK
    ) {
        for position in positions where states.contains(entries[position].state) {
            if let distance = distance(points[position]) { best.insert(entries[position].id, distance) }
        }
    }
}
