/// Conditions on inventory items, joined by "and"; nil or empty for no condition.
public struct InventoryQuery: Sendable, Hashable {
    /// The location that distances are measured from.
    public var location: GeographicCoordinates?
    /// The largest distance in kilometres; excludes items without a location.
    public var radiusKilometers: Double?
    /// The allowed kinds of item.
    public var kinds: Set<InventoryItem.Kind>?
    /// The allowed access modes.
    public var accesses: Set<InventoryItem.Access>?
    /// The allowed availabilities of an item.
    public var statuses: Set<InventoryItem.Status>?
    /// Conditions on the senses, each met by one affordance.
    public var senses: [SenseCondition]
    /// The pleasures that an item must give, all of them.
    public var pleasures: [Pleasure.Dimension]
    /// The time of day; allows items that are best then or at any time.
    public var slot: DayPart?
    /// The available minutes; excludes items with a longer shortest duration.
    public var minutes: Double?
    /// The season; allows items that suit it.
    public var season: TemporalTags.Season?
    /// Whether an item must be indoors by its contexts, as in a storm.
    public var isIndoors = false
    /// The weight w of the distance in a ranking, 0…1: items are ranked by (1 − w) match + w (1 − distance ∕ radius).
    public var distanceWeight = 0.0

    /// Creates a query from its conditions.
    public init(
        location: GeographicCoordinates? = nil, radiusKilometers: Double? = nil, kinds: Set<InventoryItem.Kind>? = nil,
        accesses: Set<InventoryItem.Access>? = nil, statuses: Set<InventoryItem.Status>? = nil,
        senses: [SenseCondition] = [], pleasures: [Pleasure.Dimension] = [], slot: DayPart? = nil,
        minutes: Double? = nil, season: TemporalTags.Season? = nil
    ) {
        self.location = location
        self.radiusKilometers = radiusKilometers
        self.kinds = kinds
        self.accesses = accesses
        self.statuses = statuses
        self.senses = senses
        self.pleasures = pleasures
        self.slot = slot
        self.minutes = minutes
        self.season = season
    }

    /// A condition on an affordance to a sense.
    public struct SenseCondition: Sendable, Hashable {
        /// The required sense; nil for any.
        public var sense: String?
        /// The least intensity that is allowed.
        public var intensity: Affordance.Intensity
        /// The required situation; nil for any.
        public var context: String?

        /// Creates a condition on an affordance to a sense.
        public init(sense: String? = nil, atLeast intensity: Affordance.Intensity = .low, context: String? = nil) {
            self.sense = sense
            self.intensity = intensity
            self.context = context
        }
    }

    func check() throws(KinError) {
        guard distanceWeight >= 0, distanceWeight <= 1 else {
            throw KinError(.invalidArgument, "the weight of the distance is 0 to 1, not \(distanceWeight)")
        }
        guard distanceWeight == 0 || radiusKilometers ?? 0 > 0 else {
            throw KinError(.invalidArgument, "distance_weight needs a radius (within_km) above 0")
        }
        if let radius = radiusKilometers {
            guard radius.isFinite, radius >= 0 else {
                throw KinError(.invalidArgument, "a radius is 0 kilometres or more, not \(radius)")
            }
            guard location != nil else {
                throw KinError(.invalidArgument, "a radius (within_km) needs a place to measure from (near)")
            }
        }
        if let minutes {
            guard minutes.isFinite, minutes >= 0 else {
                throw KinError(.invalidArgument, "the available time must be 0 minutes or more, not \(minutes)")
            }
        }
    }
}

/// An item found by a search.
public struct InventoryMatch: Sendable, Hashable {
    /// The item that was found.
    public let item: InventoryItem
    /// The cosine between the item's pleasures (0 or 1 each) and the point of the search, 0…1.
    public let match: Double
    /// The number that ranks the item, 0…1: the match or, with a weight w of the distance, (1 − w) match + w
    /// (1 − distance ∕ radius).
    public let score: Double
    /// The distance to the location of the query; nil if either has no location.
    public let distanceKilometers: Double?
}
