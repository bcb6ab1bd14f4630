public import KinCore

/// Something that can be offered: a tool, a space or an expert.
public struct InventoryItem: Sendable, Hashable {
    /// What an item is.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A thing to use.
        case tool
        /// A place to be in.
        case space
        /// A person who knows.
        case expert
    }

    /// How one comes by it.
    public enum Access: Int, Sendable, Hashable, CaseIterable {
        /// It is one's own.
        case owned
        /// From another person.
        case peer
        /// For money.
        case rental
        /// From a public library of things.
        case publicLibrary
    }

    /// Whether it can be had.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        /// Now.
        case available
        /// Another has it.
        case booked
        /// It is being mended.
        case maintenance
    }

    /// Which item it is.
    public let id: String
    /// What it is called.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// How one comes by it.
    public var access: Access
    /// Where it is; nil for what is nowhere in particular.
    public var location: GeographicCoordinates?
    /// Whether it can be had.
    public var status: Status
    /// What it is good for.
    public var affordances: [Affordance]
    /// When it is good.
    public var times: TemporalTags

    /// An item.
    ///
    /// - Throws: `.invalidArgument` for an id that is none (`RecordID`).
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

/// Something that an item is good for.
public enum Affordance: Sendable, Hashable {
    /// It speaks to a sense, so strongly, in a situation.
    case sense(String, intensity: Intensity, context: String?)
    /// It gives these pleasures.
    case pleasures([Pleasure.Dimension])

    /// How strongly.
    public enum Intensity: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Hardly.
        case low
        /// Clearly.
        case medium
        /// Much.
        case high

        public static func < (a: Intensity, b: Intensity) -> Bool { a.rawValue < b.rawValue }
    }
}

/// When an item is good, and for how long.
public struct TemporalTags: Sendable, Hashable {
    /// The times of day it is best at; every time when there are none.
    public let bestTimes: [TimeSlot]
    /// How many minutes one can spend with it; any when nil.
    public let durationRange: ClosedRange<Double>?
    /// The seasons it is good in.
    public let seasons: [TemporalTags.Season]

    /// At any time, for any time, all the year.
    public init() {
        bestTimes = []
        durationRange = nil
        seasons = TemporalTags.Season.allCases
    }

    /// Times.
    ///
    /// - Parameters:
    ///   - bestTimes: The times of day it is best at; none for every time.
    ///   - durationRange: Minutes, finite and from 0 on.
    ///   - seasons: The seasons it is good in.
    /// - Throws: `.notFinite` or `.invalidArgument`, naming the field.
    public init(
        bestTimes: [TimeSlot] = [], durationRange: ClosedRange<Double>? = nil,
        seasons: [TemporalTags.Season] = TemporalTags.Season.allCases
    ) throws(KinError) {
        if let range = durationRange {
            guard range.upperBound.isFinite, range.lowerBound.isFinite else {
                throw KinError(.notFinite, "minutes must be finite").within("field", "duration_range")
            }
            guard range.lowerBound >= 0 else {
                throw KinError(.invalidArgument, "minutes must not be negative").within("field", "duration_range")
            }
        }
        self.bestTimes = bestTimes
        self.durationRange = durationRange
        self.seasons = seasons
    }
}

extension InventoryItem.Kind {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["tool", "space", "expert"]
}

extension InventoryItem.Access {
    /// The name in files and JSON: `public_library`.
    public var name: String { Self.names[rawValue] }
    static let names = ["owned", "peer", "rental", "public_library"]
}

extension InventoryItem.Status {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["available", "booked", "maintenance"]
}

extension Affordance.Intensity {
    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }
    static let names = ["low", "medium", "high"]
}

extension TemporalTags {
    /// A season of the year.
    public enum Season: Int, Sendable, Hashable, CaseIterable {
        /// March to May in the north.
        case spring
        /// June to August in the north.
        case summer
        /// September to November in the north.
        case autumn
        /// December to February in the north.
        case winter

        /// The name in files and JSON.
        public var name: String { Self.names[rawValue] }

        /// All names, in the order of the year.
        public static let names = ["spring", "summer", "autumn", "winter"]

        /// The season with this name, or nil when there is none.
        public init?(name: String) {
            guard let place = Self.names.firstIndex(of: name) else { return nil }
            self = Self.allCases[place]
        }
    }
}
