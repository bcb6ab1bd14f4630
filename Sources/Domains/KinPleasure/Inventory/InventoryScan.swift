/// A pass over the items that may fulfil a query.
///
/// It is an object of one call, so that passing it on does not copy the index, whose reference counts all threads share.
final class InventoryScan {
    let index: InventoryIndex
    private let centre: SpherePoint?
    /// The largest allowed squared chord.
    private let limit: Double
    private let ranges: [Range<Int>]
    private let test: ItemAttributes.Test
    private let senses: SenseTable.Test?

    /// The chord if the item or the query has no location.
    static let unknownChord = Double.infinity

    /// Prepares the tests of a query.
    ///
    /// - Parameter slots: The slots to scan; nil for the slots of cells within the radius.
    init(_ index: InventoryIndex, _ query: InventoryQuery, among slots: Range<Int>? = nil) {
        centre = query.location.map { SpherePoint($0) }
        limit = query.radiusKilometers.map { Earth.squaredChord(kilometers: $0) } ?? .infinity
        ranges = slots.map { [$0] } ?? Self.ranges(index, query)
        test = ItemAttributes.Test(query)
        senses = SenseTable.Test(query.senses, in: index.senses)
        self.index = index
    }

    /// The ranges of slots whose cells are within the query's radius.
    private static func ranges(_ index: InventoryIndex, _ query: InventoryQuery) -> [Range<Int>] {
        guard let location = query.location, let radius = query.radiusKilometers else { return [0..<index.count] }
        let located = 0..<index.locatedCount
        // Finding a run costs about as much as testing sixteen items.
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

    /// Calls a function with the slot, attributes and squared chord of each item that meets the query.
    @inline(__always)
    func forEach(_ body: (Int, ItemAttributes, Double) -> Void) {
        var senses = senses
        let locatedCount = centre == nil ? 0 : index.locatedCount
        let centre = centre ?? .middle
        // Unchecked: the ranges are within the arrays.
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

    /// The distance to an item; nil if it or the query has no location.
    func kilometers(toSlot slot: Int) -> Double? {
        guard let centre, slot < index.locatedCount else { return nil }
        return Earth.kilometers(squaredChord: centre.squaredChord(to: index.points[slot]))
    }
}
