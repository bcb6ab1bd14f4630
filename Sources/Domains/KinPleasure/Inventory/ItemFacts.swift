/// What a search tests of an item, in 16 bytes.
struct ItemFacts: Sendable {
    /// One bit each: 3 types, 4 access modes, 3 states, 5 time slots, 4 seasons.
    let bits: UInt32
    /// One bit for each pleasure it gives.
    let pleasures: UInt16
    /// Which combination of affordances to senses it has, by ``SenseTable``.
    let senses: UInt32
    /// The shortest time to spend with it, in minutes.
    let leastMinutes: Float

    private static let accessShift = 3
    private static let statusShift = 7
    private static let slotShift = 10
    private static let seasonShift = 15

    init(_ item: InventoryItem, senses: UInt32) {
        var bits: UInt32 = 1 << item.kind.rawValue
        bits |= 1 << (Self.accessShift + item.access.rawValue)
        bits |= 1 << (Self.statusShift + item.status.rawValue)
        let slots = item.times.bestTimes.isEmpty ? TimeSlot.allCases : item.times.bestTimes
        for slot in slots { bits |= 1 << (Self.slotShift + slot.rawValue) }
        for season in item.times.seasons { bits |= 1 << (Self.seasonShift + season.rawValue) }
        self.bits = bits
        pleasures = item.pleasureMask
        self.senses = senses
        // Rounded down, so that no item seems too long for a time that is just enough.
        let minutes = item.times.durationRange?.lowerBound ?? 0
        let rounded = Float(minutes)
        leastMinutes = Double(rounded) > minutes ? rounded.nextDown : rounded
    }

    /// The bits of which an item must have one in each group, as one mask for each group that is asked for.
    static func groups(of query: InventoryQuery) -> [UInt32] {
        func mask(_ shift: Int, _ places: [Int]) -> UInt32 { places.reduce(0) { $0 | 1 << (shift + $1) } }
        var groups: [UInt32] = []
        if let kinds = query.kinds { groups.append(mask(0, kinds.map(\.rawValue))) }
        if let accesses = query.accesses { groups.append(mask(accessShift, accesses.map(\.rawValue))) }
        if let statuses = query.statuses { groups.append(mask(statusShift, statuses.map(\.rawValue))) }
        if let slot = query.slot { groups.append(mask(slotShift, [slot.rawValue])) }
        if let season = query.season { groups.append(mask(seasonShift, [season.rawValue])) }
        return groups
    }
}

extension InventoryItem {
    /// One bit for each pleasure it gives.
    var pleasureMask: UInt16 {
        affordances.reduce(0) { mask, affordance in
            guard case .pleasures(let dimensions) = affordance else { return mask }
            return dimensions.reduce(mask) { $0 | 1 << $1.rawValue }
        }
    }

    /// The pleasures it gives, in storage order.
    public var pleasures: [Pleasure.Dimension] {
        let mask = pleasureMask
        return Pleasure.Dimension.allCases.filter { mask & 1 << $0.rawValue != 0 }
    }
}
