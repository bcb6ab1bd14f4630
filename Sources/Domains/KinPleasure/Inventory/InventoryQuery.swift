import KinCore

/// What an item has to be to be found; what is left out is not asked for.
public struct InventoryQuery: Sendable, Hashable {
    /// Where the person is; distances are measured from here.
    public var location: GeographicCoordinates?
    /// How far away an item may be, in kilometres; items without a place are left out when it is given.
    public var radiusKilometers: Double?
    /// One of these types.
    public var kinds: Set<InventoryItem.Kind>?
    /// One of these access modes.
    public var accesses: Set<InventoryItem.Access>?
    /// One of these.
    public var statuses: Set<InventoryItem.Status>?
    /// For each of them an affordance that fulfils it.
    public var senses: [SenseCondition]
    /// All of these pleasures.
    public var pleasures: [Pleasure.Dimension]
    /// Best at this time of day, or at any.
    public var slot: TimeSlot?
    /// Worth the time there is: the shortest time to spend with it is not longer.
    public var minutes: Double?
    /// Good in this season.
    public var season: TemporalTags.Season?

    /// A query that asks for what is given.
    public init(
        location: GeographicCoordinates? = nil, radiusKilometers: Double? = nil, kinds: Set<InventoryItem.Kind>? = nil,
        accesses: Set<InventoryItem.Access>? = nil, statuses: Set<InventoryItem.Status>? = nil,
        senses: [SenseCondition] = [], pleasures: [Pleasure.Dimension] = [], slot: TimeSlot? = nil,
        minutes: Double? = nil,
        season: TemporalTags.Season? = nil
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

    /// What an affordance to a sense has to be.
    public struct SenseCondition: Sendable, Hashable {
        /// The sense; any when nil.
        public var sense: String?
        /// The weakest intensity that is enough.
        public var intensity: Affordance.Intensity
        /// The situation; any when nil.
        public var context: String?

        /// An affordance to a sense, at least so intense, in a situation.
        public init(sense: String? = nil, atLeast intensity: Affordance.Intensity = .low, context: String? = nil) {
            self.sense = sense
            self.intensity = intensity
            self.context = context
        }
    }

    func check() throws(KinError) {
        if let radius = radiusKilometers {
            guard radius.isFinite, radius >= 0 else {
                throw KinError(.invalidArgument, "a radius is 0 kilometres or more, not \(radius)")
            }
            guard location != nil else {
                throw KinError(.invalidArgument, "a radius needs a place to measure from; give one")
            }
        }
        if let minutes {
            guard minutes.isFinite, minutes >= 0 else {
                throw KinError(.invalidArgument, "the time there is must be 0 minutes or more, not \(minutes)")
            }
        }
    }
}

/// An item that a search found.
public struct InventoryMatch: Sendable, Hashable {
    /// The item.
    public let item: InventoryItem
    /// How well the pleasures it gives match what the person is after: the cosine between the two, 0…1.
    public let match: Double
    /// How far away it is; nil when the item or the person is nowhere in particular.
    public let distanceKilometers: Double?
}
