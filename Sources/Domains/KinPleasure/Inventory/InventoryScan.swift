/// One pass over the items that may fulfil a query.
struct InventoryScan {
    private let index: InventoryIndex
    private let centre: SpherePoint?
    /// The largest squared chord that is near enough.
    private let limit: Double
    private let ranges: [Range<Int>]
    private let test: ItemFacts.Test
    private let senses: SenseTable.Test?

    /// The chord of an item without a place, or of a query without one.
    static let unknownChord = Double.infinity

    /// - Parameter slots: Where to look; nil for what may be near enough.
    init(_ index: InventoryIndex, _ query: InventoryQuery, among slots: Range<Int>? = nil) {
        self.index = index
        centre = query.place.map { SpherePoint($0) }
        limit = query.radiusKilometers.map { Earth.squaredChord(kilometers: $0) } ?? .infinity
        ranges = slots.map { [$0] } ?? Self.ranges(index, query)
        test = ItemFacts.Test(query)
        senses = SenseTable.Test(query.senses, in: index.senses)
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

    /// Calls a function with the slot of each item that fulfils the query, its facts and its squared chord.
    @inline(__always)
    func forEach(_ body: (Int, ItemFacts, Double) -> Void) {
        var senses = senses
        let placedCount = centre == nil ? 0 : index.placedCount
        let centre = centre ?? .middle
        // By address: the bounds of the ranges are those of the arrays.
        unsafe index.facts.withUnsafeBufferPointer { facts in
            unsafe index.points.withUnsafeBufferPointer { points in
                for range in ranges {
                    for slot in range {
                        let facts = unsafe facts[slot]
                        guard test.allows(facts) else { continue }
                        var chord = Self.unknownChord
                        if slot < placedCount {
                            chord = unsafe centre.squaredChord(to: points[slot])
                            guard chord <= limit else { continue }
                        }
                        if senses != nil, !senses!.allows(facts.senses) { continue }
                        body(slot, facts, chord)
                    }
                }
            }
        }
    }

    /// How far away an item is; nil when it or the query has no place.
    func kilometers(toSlot slot: Int) -> Double? {
        guard let centre, slot < index.placedCount else { return nil }
        return Earth.kilometers(squaredChord: centre.squaredChord(to: index.points[slot]))
    }
}
