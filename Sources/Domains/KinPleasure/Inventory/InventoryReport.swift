/// A condition of a search for items, in the order of their application in a report.
public enum InventoryCondition: String, Sendable, Hashable, CaseIterable {
    /// The kind of item.
    case kind = "type"
    /// The mode of access.
    case access
    /// The availability of the item.
    case status
    /// The affordances to the senses.
    case senses
    /// The pleasures that the item gives.
    case pleasures = "giving"
    /// The part of the day.
    case slot
    /// The available time against the item's shortest duration.
    case minutes
    /// The season of the year.
    case season
    /// The weather: in a storm, an item must be indoors by its contexts.
    case weather
    /// The distance from the place of the search.
    case distance = "within_km"
}

/// A report on a search: the number of items that remain after each condition, and the item nearest to meeting all of
/// them.
public struct InventoryReport: Sendable, Hashable {
    /// The number of items in the index.
    public let all: Int
    /// The number of items left after each condition, in the order of ``InventoryCondition``.
    public let left: [Int]
    /// The item that breaks the fewest conditions, ties by distance, then by id. It breaks none if any item meets all
    /// conditions; nil for an empty index.
    public let nearest: Miss?

    /// An item and the conditions that it breaks.
    public struct Miss: Sendable, Hashable {
        /// The item nearest to meeting all conditions.
        public let item: InventoryItem
        /// The conditions that the item breaks, in their order; empty if it meets all.
        public let broken: [InventoryCondition]
        /// The distance to the place of the search in kilometres; nil if either has no location.
        public let distanceKilometers: Double?
    }

    /// The condition that left no item; nil if some are left or the index is empty.
    public var emptiedBy: InventoryCondition? {
        guard all > 0, let place = left.firstIndex(of: 0) else { return nil }
        return InventoryCondition.allCases[place]
    }

    /// Applies the conditions of a query to all items of an index.
    ///
    /// - Parameter allowsUnlocated: Whether items without a location count as being everywhere.
    /// - Complexity: O(items), about 30 ns each.
    init(_ index: borrowing InventoryIndex, _ query: InventoryQuery, allowsUnlocated: Bool) {
        let tests = InventoryCondition.allCases.map { ItemAttributes.Test(query.only($0)) }
        var senses = SenseTable.Test(query.senses, in: index.senses)
        let centre = query.location.map { SpherePoint($0) }
        let limit = query.radiusKilometers.map { Earth.squaredChord(kilometers: $0) }
        var broken = [Int](repeating: 0, count: tests.count)
        var best: (count: Int, chord: Double, slot: Int, mask: UInt16)?
        for slot in 0..<index.count {
            let attributes = index.attributes[slot]
            let isLocated = slot < index.locatedCount
            var chord = Double.infinity
            if let centre, isLocated { chord = centre.squaredChord(to: index.points[slot]) }
            var mask: UInt16 = 0
            for (place, condition) in InventoryCondition.allCases.enumerated() {
                let isFulfilled =
                    switch condition {
                    case .senses: senses == nil || senses!.allows(attributes.senses)
                    case .distance: limit.map { isLocated ? chord <= $0 : allowsUnlocated } ?? true
                    default: tests[place].allows(attributes)
                    }
                if !isFulfilled { mask |= 1 << place }
            }
            if mask != 0 { broken[mask.trailingZeroBitCount] += 1 }
            let count = mask.nonzeroBitCount
            if let known = best {
                guard (count, chord) <= (known.count, known.chord) else { continue }
                if (count, chord) == (known.count, known.chord), index.id(inSlot: slot) > index.id(inSlot: known.slot) {
                    continue
                }
            }
            best = (count, chord, slot, mask)
        }
        all = index.count
        var rest = all
        left = broken.map { count in
            rest -= count
            return rest
        }
        nearest = best.map { best in
            Miss(
                item: index.item(inSlot: best.slot),
                broken: InventoryCondition.allCases.enumerated().filter { best.mask & 1 << $0.offset != 0 }.map(
                    \.element),
                distanceKilometers: best.chord == .infinity ? nil : Earth.kilometers(squaredChord: best.chord))
        }
    }
}

extension InventoryQuery {
    /// The query with one of its conditions on attributes, and no others.
    fileprivate func only(_ condition: InventoryCondition) -> InventoryQuery {
        var query = InventoryQuery()
        query.isIndoors = isIndoors
        return switch condition {
        case .weather: query
        case .kind: InventoryQuery(kinds: kinds)
        case .access: InventoryQuery(accesses: accesses)
        case .status: InventoryQuery(statuses: statuses)
        case .pleasures: InventoryQuery(pleasures: pleasures)
        case .slot: InventoryQuery(slot: slot)
        case .minutes: InventoryQuery(minutes: minutes)
        case .season: InventoryQuery(season: season)
        case .senses, .distance: InventoryQuery()
        }
    }
}

extension InventoryIndex {
    /// Counts the items that remain after each condition of a query, and finds the item nearest to meeting all of them.
    ///
    /// - Throws: `.invalidArgument` for a negative radius or time.
    /// - Complexity: O(items), about 30 ns each.
    public func report(on query: InventoryQuery) throws(KinError) -> InventoryReport {
        try query.check()
        return InventoryReport(self, query, allowsUnlocated: false)
    }
}
