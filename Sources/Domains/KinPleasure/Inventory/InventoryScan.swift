/// One pass over the items that may fulfil a query.
struct InventoryScan {
    private let index: InventoryIndex
    private let centre: SpherePoint?
    /// The largest squared chord that is near enough.
    private let limit: Double
    private let ranges: [Range<Int>]
    private let test: ItemAttributes.Test
    private let senses: SenseTable.Test?

    /// The chord of an item without a place, or of a query without one.
    static let unknownChord = Double.infinity

    /// - Parameter slots: Where to look; nil for what may be near enough.
    init(_ index: InventoryIndex, _ query: InventoryQuery, among slots: Range<Int>? = nil) {
        self.index = index
        centre = query.location.map { SpherePoint($0) }
        limit = query.radiusKilometers.map { Earth.squaredChord(kilometers: $0) } ?? .infinity
        ranges = slots.map { [$0] } ?? Self.ranges(index, query)
        test = ItemAttributes.Test(query)
        senses = SenseTable.Test(query.senses, in: index.senses)
    }

    /// The slots to look at.
    private static func ranges(_ index: InventoryIndex, _ query: InventoryQuery) -> [Range<Int>] {
        guard let location = query.location, let radius = query.radiusKilometers else { return [0..<index.count] }
        let located = 0..<index.locatedCount
        // Finding a run costs about as much as looking at sixteen items.
        guard
            let runs = GeographicGrid.runs(
                around: location, kilometers: radius, atMost: max(16, index.locatedCount / 16))
        else { return [located] }
        return runs.compactMap { run in
            let low = index.keys.partition { $0 < run.lowerBound }
            let high = index.keys.partition { $0 <= run.upperBound }
            return low < high ? low..<high : nil
        }
    }

    /// Calls a function with the slot of each item that fulfils the query, its facts and its squared chord.
    @inline(__always)
    func forEach(_ body: (Int, ItemAttributes, Double) -> Void) {
        var senses = senses
        let locatedCount = centre == nil ? 0 : index.locatedCount
        let centre = centre ?? .middle
        // By address: the bounds of the ranges are those of the arrays.
        unsafe index.attributes.withUnsafeBufferPointer { attributes in
            unsafe index.points.withUnsafeBufferPointer { points in
                for range in ranges {
                    for slot in range {
                        let attributes = unsafe attributes[slot]
                        guard test.allows(attributes) else { continue }
                        var chord = Self.unknownChord
                        if slot < locatedCount {
                            chord = unsafe centre.squaredChord(to: points[slot])
                            guard chord <= limit else { continue }
                        }
                        if senses != nil, !senses!.allows(attributes.senses) { continue }
                        body(slot, attributes, chord)
                    }
                }
            }
        }
    }

    /// How far away an item is; nil when it or the query has no place.
    func kilometers(toSlot slot: Int) -> Double? {
        guard let centre, slot < index.locatedCount else { return nil }
        return Earth.kilometers(squaredChord: centre.squaredChord(to: index.points[slot]))
    }
}
