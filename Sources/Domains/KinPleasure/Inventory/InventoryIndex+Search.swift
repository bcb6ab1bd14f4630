public import KinCore

extension InventoryIndex {
    /// Finds the items that fulfil a query, ranked by their match with a point.
    ///
    /// - Parameters:
    ///   - query: The conditions on items.
    ///   - point: The target profile, such as ``PleasureProfile/target(at:)``; nil ranks by distance alone.
    ///   - k: The number of items, 0 or more.
    /// - Returns: The items by descending score, ties by distance, then by id; items without a location come after
    ///   others with the same score. The score is the match unless the query gives the distance a weight.
    /// - Throws: `.invalidArgument` for a negative k, radius or time.
    /// - Complexity: O(items within the radius), about 5 ns each.
    public func search(
        _ query: InventoryQuery, for point: Pleasure? = nil, k: Int
    ) throws(KinError) -> [InventoryMatch] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        try query.check()
        return best(k, of: InventoryScan(self, query), for: point, query)
    }

    /// The k best items of a scan.
    private func best(_ k: Int, of scan: InventoryScan, for point: Pleasure?, _ query: InventoryQuery)
        -> [InventoryMatch]
    {
        guard k > 0, count > 0 else { return [] }
        var best = RankedSlots(count: min(k, count)) { scan.index.id(inSlot: $0) < scan.index.id(inSlot: $1) }
        let match = point.map { PleasureMatch($0) }
        if let match, query.distanceWeight > 0, let radius = query.radiusKilometers {
            let weight = query.distanceWeight
            scan.forEach { slot, attributes, chord in
                let nearness = max(0, 1 - Earth.kilometers(squaredChord: chord) / radius)
                best.insert((1 - weight) * match(attributes.pleasures) + weight * nearness, chord, slot)
            }
        } else if let match {
            scan.forEach { slot, attributes, chord in best.insert(match(attributes.pleasures), chord, slot) }
        } else {
            scan.forEach { slot, _, chord in best.insert(0, chord, slot) }
        }
        return best.finished().map { found in
            InventoryMatch(
                item: item(inSlot: found.slot), match: match?(attributes[found.slot].pleasures) ?? 0,
                score: found.match,
                distanceKilometers: scan.kilometers(toSlot: found.slot))
        }
    }

    /// Finds the items within a distance of a location: a geofence.
    ///
    /// - Parameters:
    ///   - meters: The largest distance, inclusive.
    ///   - location: The centre of the geofence.
    /// - Returns: The items by ascending distance, ties by id.
    /// - Throws: `.invalidArgument` for a distance that is negative or not finite.
    /// - Complexity: O(items near the location).
    public func items(within meters: Double, of location: GeographicCoordinates) throws(KinError) -> [InventoryMatch] {
        let query = InventoryQuery(location: location, radiusKilometers: meters / 1000)
        try query.check()
        let scan = InventoryScan(self, query)
        var found: [(chord: Double, slot: Int)] = []
        scan.forEach { slot, _, chord in found.append((chord, slot)) }
        found.sort { ($0.chord, id(inSlot: $0.slot)) < ($1.chord, id(inSlot: $1.slot)) }
        return found.map {
            InventoryMatch(
                item: item(inSlot: $0.slot), match: 0, score: 0, distanceKilometers: scan.kilometers(toSlot: $0.slot))
        }
    }
}
