/// One pass over the items that may fulfil a query.
struct InventoryScan {
    private let index: InventoryIndex
    private let centre: SpherePoint?
    /// The largest squared chord that is near enough.
    private let limit: Double
    private let ranges: [Range<Int>]
    private let groups: [UInt32]
    private let pleasures: UInt16
    private let senses: [Bool]?
    private let minutes: Float

    /// The chord of an item without a place, or of a query without one.
    static let unknownChord = Double.infinity

    init(_ index: InventoryIndex, _ query: InventoryQuery) {
        self.index = index
        centre = query.place.map { SpherePoint($0) }
        limit = query.radiusKilometers.map { Earth.squaredChord(kilometers: $0) } ?? .infinity
        ranges = Self.ranges(index, query)
        groups = ItemFacts.groups(of: query)
        pleasures = query.pleasures.reduce(0) { $0 | 1 << $1.rawValue }
        senses = index.senses.allowed(by: query.senses)
        let minutes = query.minutes ?? .infinity
        // Rounded up, as the items' times are rounded down: who has just enough time, has it.
        let rounded = Float(minutes)
        self.minutes = Double(rounded) < minutes ? rounded.nextUp : rounded
    }

    /// The slots to look at.
    private static func ranges(_ index: InventoryIndex, _ query: InventoryQuery) -> [Range<Int>] {
        guard let place = query.place, let radius = query.radiusKilometers else { return [0..<index.count] }
        let placed = 0..<index.placedCount
        // Finding a run costs about as much as looking at sixteen items.
        guard
            let runs = GeographicGrid.runs(around: place, kilometers: radius, atMost: max(16, index.placedCount / 16))
        else { return [placed] }
        return runs.compactMap { run in
            let low = index.keys.partition { $0 < run.lowerBound }
            let high = index.keys.partition { $0 <= run.upperBound }
            return low < high ? low..<high : nil
        }
    }

    /// Calls a function with the slot of each item that fulfils the query, and its squared chord.
    @inline(__always)
    func forEach(_ body: (Int, Double) -> Void) {
        for range in ranges {
            for slot in range where allows(index.facts[slot]) {
                guard let centre, slot < index.placedCount else {
                    // Without a radius, what has no place is as good as anything.
                    body(slot, Self.unknownChord)
                    continue
                }
                let chord = centre.squaredChord(to: index.points[slot])
                if chord <= limit { body(slot, chord) }
            }
        }
    }

    @inline(__always)
    private func allows(_ facts: ItemFacts) -> Bool {
        for group in groups where facts.bits & group == 0 { return false }
        return facts.pleasures & pleasures == pleasures && facts.leastMinutes <= minutes
            && senses?[Int(facts.senses)] ?? true
    }

    /// How far away an item is; nil when it or the query has no place.
    func kilometers(toSlot slot: Int) -> Double? {
        guard let centre, slot < index.placedCount else { return nil }
        return Earth.kilometers(squaredChord: centre.squaredChord(to: index.points[slot]))
    }
}
