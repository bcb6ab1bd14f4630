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
        guard k > 0, count > 0 else { return [] }
        let scan = InventoryScan(self, query)
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
}
