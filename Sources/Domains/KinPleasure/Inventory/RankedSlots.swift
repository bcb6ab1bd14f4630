/// A collector of the best slots: by match, ties by distance, then by a given order.
///
/// The buffer holds up to twice `count` unsorted slots and is cut by half when it is full. A slot that enters costs
/// O(log count), any other a comparison or two.
struct RankedSlots {
    struct Entry {
        let match: Double
        let chord: Double
        let slot: Int
    }

    private let count: Int
    private let isBefore: (Int, Int) -> Bool
    private var entries: [Entry] = []
    /// The match and chord of the last slot that is certain to stay.
    private var (leastMatch, largestChord) = (-Double.infinity, Double.infinity)

    /// Creates an empty collector.
    ///
    /// - Parameters:
    ///   - count: The number of slots to collect, at least 1.
    ///   - isBefore: The order of two slots with equal match and distance.
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

    /// The best slots, in their order.
    consuming func finished() -> [Entry] {
        cut()
        return entries
    }
}
