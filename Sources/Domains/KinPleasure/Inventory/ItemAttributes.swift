/// The attributes of an item that a search tests, in 16 bytes.
struct ItemAttributes: Sendable {
    /// A mask of pleasures, one bit each.
    let pleasures: UInt16
    /// A mask of suitable time slots and seasons, one bit each.
    let times: UInt16
    /// The combination of kind, access mode and status, as a number below 36.
    let availability: UInt8
    /// The flags from the contexts of its affordances.
    let context: ItemContext
    /// One more than the longest useful duration in minutes, rounded up and at most 65,534; 0 if unknown, as in files of
    /// earlier releases, 65,535 for any.
    private let longest: UInt16
    /// The number of its combination of sense affordances in ``SenseTable``.
    let senses: UInt32
    /// The shortest useful duration in minutes, rounded down.
    let leastMinutes: Float

    init(_ item: InventoryItem, senses: UInt32) {
        pleasures = item.pleasureMask
        let slots = item.times.bestTimes.isEmpty ? DayPart.allCases : item.times.bestTimes
        let seasons = item.times.seasons.isEmpty ? TemporalTags.Season.allCases : item.times.seasons
        times = slots.reduce(0) { $0 | Self.bit(of: $1) } | seasons.reduce(0) { $0 | Self.bit(of: $1) }
        availability = Self.availability(item.kind, item.access, item.status)
        context = ItemContext(item)
        self.senses = senses
        // Rounded down, so that an exactly sufficient time is enough.
        let minutes = item.times.durationRange?.lowerBound ?? 0
        let rounded = Float(minutes)
        leastMinutes = Double(rounded) > minutes ? rounded.nextDown : rounded
        longest =
            item.times.durationRange.map { UInt16(min($0.upperBound.rounded(.up), 65_533)) + 1 } ?? .max
    }

    /// Whether the useful durations of two items have a common value; nil if the rounded values do not decide.
    @inline(__always)
    static func shareDurations(_ a: ItemAttributes, _ b: ItemAttributes) -> Bool? {
        let longest = min(a.longest, b.longest)
        let least = max(a.leastMinutes, b.leastMinutes)
        guard longest != .max, longest != 0 else { return longest == 0 ? nil : true }
        // The longest duration is above most - 1 and at most `most`, unless it was limited.
        let most = Float(longest) - 1
        if least.nextUp <= most - 1 { return true }
        return least > most && longest != .max - 1 ? false : nil
    }

    private static func bit(of slot: DayPart) -> UInt16 { 1 << slot.rawValue }

    private static func bit(of season: TemporalTags.Season) -> UInt16 {
        1 << (DayPart.allCases.count + season.rawValue)
    }

    /// The number of a combination, below 3 · 4 · 3 = 36.
    private static func availability(
        _ kind: InventoryItem.Kind, _ access: InventoryItem.Access, _ status: InventoryItem.Status
    ) -> UInt8 {
        UInt8((kind.rawValue * 4 + access.rawValue) * 3 + status.rawValue)
    }

    /// The conditions of a query, all but the senses.
    struct Test {
        /// A mask of allowed combinations of kind, access mode and status.
        private let availabilities: UInt64
        private let times: UInt16
        private let pleasures: UInt16
        private let minutes: Float
        private let isIndoors: Bool

        init(_ query: InventoryQuery) {
            var availabilities: UInt64 = 0
            for kind in InventoryItem.Kind.allCases where query.kinds?.contains(kind) ?? true {
                for access in InventoryItem.Access.allCases where query.accesses?.contains(access) ?? true {
                    for status in InventoryItem.Status.allCases where query.statuses?.contains(status) ?? true {
                        availabilities |= 1 << UInt64(ItemAttributes.availability(kind, access, status))
                    }
                }
            }
            self.availabilities = availabilities
            times = (query.slot.map { bit(of: $0) } ?? 0) | (query.season.map { bit(of: $0) } ?? 0)
            pleasures = query.pleasures.reduce(0) { $0 | 1 << $1.rawValue }
            isIndoors = query.isIndoors
            let minutes = query.minutes ?? .infinity
            // Rounded up, as the items' times are rounded down.
            let rounded = Float(minutes)
            self.minutes = Double(rounded) < minutes ? rounded.nextUp : rounded
        }

        @inline(__always)
        func allows(_ attributes: ItemAttributes) -> Bool {
            // One branch for all conditions, since a branch for each would be mispredicted half of the time.
            let isElsewhere = ~availabilities >> UInt64(attributes.availability) & 1
            let missing = times & ~attributes.times | pleasures & ~attributes.pleasures
            let isTooLong: UInt64 = attributes.leastMinutes <= minutes ? 0 : 1
            guard isElsewhere | UInt64(missing) | isTooLong == 0 else { return false }
            return !isIndoors || attributes.context.isOutdoors == false
        }
    }
}

extension InventoryItem {
    /// A mask of the pleasures that it gives, one bit each.
    var pleasureMask: UInt16 {
        affordances.reduce(0) { mask, affordance in
            guard case .pleasures(let dimensions) = affordance else { return mask }
            return dimensions.reduce(mask) { $0 | 1 << $1.rawValue }
        }
    }

    /// The pleasures that it gives, in storage order.
    public var pleasures: [Pleasure.Dimension] {
        let mask = pleasureMask
        return Pleasure.Dimension.allCases.filter { mask & 1 << $0.rawValue != 0 }
    }
}
