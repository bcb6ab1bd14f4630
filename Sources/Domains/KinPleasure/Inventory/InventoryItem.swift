/// A tool, a space or an expert that a mission can use.
///
///     var kayak = try InventoryItem(
///         id: "t7", name: "Kayak", kind: .tool, access: .peer,
///         location: GeographicCoordinates(latitude: 52.52, longitude: 13.40),
///         affordances: [.pleasures([.mobility, .horizon])],
///         times: TemporalTags(bestTimes: [.morning], durationRange: 60...240, seasons: [.spring, .summer]))
///     kayak.status = .booked
public struct InventoryItem: Sendable, Hashable {
    /// The kind of an item.
    public enum Kind: Int, Sendable, Hashable, NamedCase {
        /// An object to use.
        case tool
        /// A location to be at.
        case space
        /// A person with knowledge.
        case expert
    }

    /// A person's kind of access to an item.
    public enum Access: Int, Sendable, Hashable, NamedCase {
        /// The item belongs to the person.
        case owned
        /// Another person lends the item.
        case peer
        /// The item is rented for money.
        case rental
        /// The item is lent by a public library of things.
        case publicLibrary
    }

    /// The availability of an item.
    public enum Status: Int, Sendable, Hashable, NamedCase {
        /// The item can be used now.
        case available
        /// Another person has reserved the item.
        case booked
        /// The item is under repair.
        case maintenance
    }

    /// The id of the item.
    public let id: String
    /// The name for display.
    public var name: String
    /// The kind of item.
    public var kind: Kind
    /// The way to get access to it.
    public var access: Access
    /// The location of the item; nil for one without a fixed location.
    public var location: GeographicCoordinates?
    /// The availability of the item.
    public var status: Status
    /// The senses and pleasures that the item serves.
    public var affordances: [Affordance]
    /// The times and seasons that suit the item.
    public var times: TemporalTags

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates an item from its parts.
    ///
    /// - Throws: `.invalidArgument` for an invalid id (`RecordID`).
    public init(
        id: String, name: String, kind: Kind, access: Access, location: GeographicCoordinates?,
        status: Status = .available,
        affordances: [Affordance] = [], times: TemporalTags = TemporalTags()
    ) throws(KinError) {
        self.id = try RecordID.checked(id, field: "id")
        self.name = name
        self.kind = kind
        self.access = access
        self.location = location
        self.status = status
        self.affordances = affordances
        self.times = times
    }
}

/// A sense or a set of pleasures that an item serves.
public enum Affordance: Sendable, Hashable {
    /// Stimulation of a sense, with its intensity and situation; nil for any situation.
    case sense(String, intensity: Intensity, context: String?)
    /// A set of pleasures that the item gives.
    case pleasures([Pleasure.Dimension])

    /// The strength of a stimulation.
    public enum Intensity: Int, Sendable, Hashable, NamedCase, Comparable {
        /// A weak stimulation of the sense.
        case low
        /// A clear stimulation of the sense.
        case medium
        /// A strong stimulation of the sense.
        case high

        public static func < (a: Intensity, b: Intensity) -> Bool { a.rawValue < b.rawValue }
    }
}

/// The times of day, durations and seasons that suit an item.
public struct TemporalTags: Sendable, Hashable {
    /// The best times of day; empty for every time.
    public let bestTimes: [DayPart]
    /// The useful durations in minutes, from 0; nil for any.
    public let durationRange: ClosedRange<Double>?
    /// The suitable seasons of the year.
    public let seasons: [TemporalTags.Season]

    /// Creates tags without restriction.
    public init() {
        bestTimes = []
        durationRange = nil
        seasons = TemporalTags.Season.allCases
    }

    /// Creates tags from their parts.
    ///
    /// - Parameters:
    ///   - bestTimes: The best times of day; empty for every time.
    ///   - durationRange: The useful durations in minutes, finite, from 0; nil for any.
    ///   - seasons: The suitable seasons.
    /// - Throws: `.notFinite` or `.invalidArgument`, naming the field.
    public init(
        bestTimes: [DayPart] = [], durationRange: ClosedRange<Double>? = nil,
        seasons: [TemporalTags.Season] = TemporalTags.Season.allCases
    ) throws(KinError) {
        if let range = durationRange {
            guard range.upperBound.isFinite, range.lowerBound.isFinite else {
                throw .field("duration_range", "minutes must be finite", .notFinite)
            }
            guard range.lowerBound >= 0 else {
                throw .field("duration_range", "minutes must not be negative")
            }
        }
        self.bestTimes = bestTimes
        self.durationRange = durationRange
        self.seasons = seasons
    }
}

extension InventoryItem.Kind {
    /// The names in files and JSON.
    public static let names = ["tool", "space", "expert"]
}

extension InventoryItem.Access {
    /// The names in files and JSON.
    public static let names = ["owned", "peer", "rental", "public_library"]
}

extension InventoryItem.Status {
    /// The names in files and JSON.
    public static let names = ["available", "booked", "maintenance"]
}

extension Affordance.Intensity {
    /// The names in files and JSON.
    public static let names = ["low", "medium", "high"]
}

extension TemporalTags {
    /// A season of the year, by the months of the northern hemisphere.
    public enum Season: Int, Sendable, Hashable, NamedCase {
        /// March to May, in the north.
        case spring
        /// June to August, in the north.
        case summer
        /// September to November, in the north.
        case autumn
        /// December to February, in the north.
        case winter

        /// The names of all seasons, in the order of the year.
        public static let names = ["spring", "summer", "autumn", "winter"]
        /// Synonyms of the names.
        package static let synonyms: [(alias: String, name: String)] = [("fall", "autumn")]
    }
}
