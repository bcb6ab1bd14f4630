/// A person's position at an instant.
public struct TimedPosition: Sendable, Hashable {
    /// The instant of the position.
    public let instant: Timestamp
    /// The coordinates at the instant.
    public let location: GeographicCoordinates

    /// Creates a position from its parts.
    public init(instant: Timestamp, location: GeographicCoordinates) {
        self.instant = instant
        self.location = location
    }
}

/// Geofences around all items, entered and left by a stream of positions.
///
/// An item is entered within ``enterKilometers`` of it and left beyond ``exitKilometers``, so positions that scatter
/// around one border do not cause a stream of events. A tracker is a value of a few ids: store ``inside`` between
/// streams.
public struct GeofenceTracker: Sendable, Hashable {
    /// The largest distance for entering an item, in kilometres.
    public let enterKilometers: Double
    /// The distance beyond which an item is left, in kilometres; at least ``enterKilometers``.
    public let exitKilometers: Double
    /// The ids of the items whose geofences contain the last position, ascending.
    public private(set) var inside: [String]

    /// Creates a tracker with its two distances and the items that have been entered before.
    ///
    /// - Parameters:
    ///   - enterKilometers: The largest distance for entering an item, 0 or more.
    ///   - exitKilometers: The distance beyond which an item is left; nil for 1.2 times `enterKilometers`.
    ///   - inside: The ids of the items that have been entered already.
    /// - Throws: `.invalidArgument` for a distance that is negative or not finite, or an exit nearer than the entry.
    public init(enterKilometers: Double, exitKilometers: Double? = nil, inside: [String] = []) throws(KinError) {
        let exit = exitKilometers ?? 1.2 * enterKilometers
        guard enterKilometers >= 0, exit.isFinite, exit >= enterKilometers else {
            throw KinError(
                .invalidArgument,
                "a geofence is entered within 0 km or more and left no nearer than that, not \(enterKilometers) and \(exit) km"
            )
        }
        self.enterKilometers = enterKilometers
        self.exitKilometers = exit
        self.inside = Set(inside).sorted()
    }

    /// One crossing of a geofence.
    public struct Event: Sendable, Hashable {
        /// Whether the item was entered; otherwise it was left.
        public let isEntry: Bool
        /// The id of the item.
        public let item: String
        /// The name of the item; nil if it is no longer stored.
        public let name: String?
        /// The instant of the position that caused the event.
        public let instant: Timestamp
        /// The distance of that position in kilometres; nil if the item no longer exists or has no location.
        public let distanceKilometers: Double?
    }

    /// Updates the tracker with the next position.
    ///
    /// - Parameters:
    ///   - position: The position, later than those before.
    ///   - index: The items.
    ///   - query: Conditions on the items to enter; its location and radius are ignored. An item that no longer meets
    ///     them is left.
    /// - Returns: The items that were left, then those that were entered, each by ascending id.
    /// - Throws: `.invalidArgument` for negative minutes.
    /// - Complexity: O(items within the exit distance).
    public mutating func move(
        to position: TimedPosition, among index: InventoryIndex, where query: InventoryQuery = InventoryQuery()
    ) throws(KinError) -> [Event] {
        var query = query
        (query.location, query.radiusKilometers) = (position.location, exitKilometers)
        let near = try index.search(query, k: max(index.count, 1))
        var distances: [String: Double] = [:]
        for match in near { distances[match.item.id] = match.distanceKilometers }
        let before = Set(inside)
        let gone = inside.filter { distances[$0] == nil }
        let entered = distances.filter { $0.value <= enterKilometers && !before.contains($0.key) }.keys.sorted()
        inside = (inside.filter { distances[$0] != nil } + entered).sorted()
        func event(_ item: String, isEntry: Bool) -> Event {
            let stored = index[item]
            return Event(
                isEntry: isEntry, item: item, name: stored?.name, instant: position.instant,
                distanceKilometers: stored?.location.map { $0.distance(to: position.location) })
        }
        return gone.map { event($0, isEntry: false) } + entered.map { event($0, isEntry: true) }
    }
}
