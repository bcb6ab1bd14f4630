import KinCore
import KinLinearAlgebra

/// One person's sessions in the order of their beginnings, their points side by side.
///
/// A person has some hundreds of sessions: reading them all from one place takes less time than finding them in an index of
/// everybody's.
struct UserSessions: Sendable {
    /// What is known of a session beside its point.
    struct Entry: Sendable {
        let start: Int64
        let id: VectorID
        let state: SessionState
    }

    private(set) var entries: [Entry] = []
    private(set) var points: [SIMD16<Float>] = []

    /// Where a session stands or would stand: by start, of the same start by id.
    func place(start: Int64, id: VectorID) -> Int {
        // Most sessions are put in when they are the newest.
        if let last = entries.last, (last.start, last.id) < (start, id) { return entries.count }
        return entries.partition { ($0.start, $0.id) < (start, id) }
    }

    mutating func insert(_ entry: Entry, _ point: SIMD16<Float>) {
        let place = place(start: entry.start, id: entry.id)
        entries.insert(entry, at: place)
        points.insert(point, at: place)
    }

    mutating func remove(start: Int64, id: VectorID) {
        let place = place(start: start, id: id)
        guard place < entries.count, entries[place].id == id else { return }
        entries.remove(at: place)
        points.remove(at: place)
    }

    /// The places of the sessions that began in a span.
    func places(startedIn range: TimeRange?) -> Range<Int> {
        guard let range else { return entries.indices }
        let low = entries.partition { $0.start < range.start.microseconds }
        let high = entries.partition { $0.start < range.end.microseconds }
        return low..<max(low, high)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place whose element does not fulfil a condition that holds for a beginning of the collection only. O(log n).
    func partition(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
