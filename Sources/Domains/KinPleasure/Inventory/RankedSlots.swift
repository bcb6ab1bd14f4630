/// The best of many slots: by match, of equal ones by distance, then by a given order.
///
/// Up to twice as many as wanted are kept unsorted, and cut by half when there is no more room: O(log count) for one that is kept,
/// and a comparison or two for one that is not.
struct RankedSlots {
    struct Entry {
        let match: Double
        let chord: Double
        let slot: Int
    }

    private let count: Int
    private let isBefore: (Int, Int) -> Bool
    private var entries: [Entry] = []
    /// What a slot has to be as good as.
    private var (leastMatch, largestChord) = (-Double.infinity, Double.infinity)

    /// - Parameters:
    ///   - count: How many are wanted, 1 or more.
    ///   - isBefore: The order of two slots whose matches and distances are the same.
    init(count: Int, isBefore: @escaping (Int, Int) -> Bool) {
        self.count = count
        self.isBefore = isBefore
        entries.reserveCapacity(2 * min(count, 512))
    }

    @inline(__always)
    mutating func insert(_ match: Double, _ chord: Double, _ slot: Int) {
        guard match > leastMatch || (match == leastMatch && chord <= largestChord) else { return }
        entries.append(Entry(match: match, chord: chord, slot: slot))
        if entries.count >= 2 * count { cut() }
    }

    private mutating func cut() {
        entries.sort { a, b in
            guard a.match == b.match else { return a.match > b.match }
            return a.chord == b.chord ? isBefore(a.slot, b.slot) : a.chord < b.chord
        }
        guard entries.count >= count else { return }
        entries.removeLast(entries.count - count)
        (leastMatch, largestChord) = (entries[count - 1].match, entries[count - 1].chord)
    }

    /// The best, in their order.
    consuming func finished() -> [Entry] {
        cut()
        return entries
    }
}
