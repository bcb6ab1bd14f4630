public import KinCore

extension InventoryIndex {
    /// The items that fulfil a query and match a point best.
    ///
    /// - Parameters:
    ///   - query: What an item has to be.
    ///   - point: What the person is after, as ``PleasureProfile/target(at:)`` gives it; nil ranks by distance alone.
    ///   - k: How many are wanted, 0 or more.
    /// - Returns: The best match first; of equally good ones the nearest, those without a place last, then by id.
    /// - Throws: `.invalidArgument` for a negative k, or a radius or time that cannot be.
    /// - Complexity: O(items within the radius), some 5 ns each.
    public func search(
        _ query: InventoryQuery, for point: Pleasure? = nil, k: Int
    ) throws(KinError) -> [InventoryMatch] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        try query.check()
        return best(k, of: InventoryScan(self, query), for: point)
    }

    /// The items of a scan that match a point best.
    private func best(_ k: Int, of scan: InventoryScan, for point: Pleasure?) -> [InventoryMatch] {
        guard k > 0, count > 0 else { return [] }
        var best = RankedSlots(count: min(k, count)) { items[$0].id < items[$1].id }
        if let point {
            let match = PleasureMatch(point)
            scan.forEach { slot, attributes, chord in best.insert(match(attributes.pleasures), chord, slot) }
        } else {
            scan.forEach { slot, _, chord in best.insert(0, chord, slot) }
        }
        return best.finished().map { found in
            InventoryMatch(
                item: items[found.slot], match: found.match, distanceKilometers: scan.kilometers(toSlot: found.slot))
        }
    }

    /// What is within a distance of a place: a geofence.
    ///
    /// - Parameters:
    ///   - meters: The distance, its end included.
    ///   - location: Where distances are measured from.
    /// - Returns: The nearest first, of equally near ones by id.
    /// - Throws: `.invalidArgument` for a distance that is negative or no number.
    /// - Complexity: O(items near the place).
    public func items(within meters: Double, of location: GeographicCoordinates) throws(KinError) -> [InventoryMatch] {
        let query = InventoryQuery(location: location, radiusKilometers: meters / 1000)
        try query.check()
        let scan = InventoryScan(self, query)
        var found: [(chord: Double, slot: Int)] = []
        scan.forEach { slot, _, chord in found.append((chord, slot)) }
        found.sort { ($0.chord, items[$0.slot].id) < ($1.chord, items[$1.slot].id) }
        return found.map {
            InventoryMatch(item: items[$0.slot], match: 0, distanceKilometers: scan.kilometers(toSlot: $0.slot))
        }
    }
}
