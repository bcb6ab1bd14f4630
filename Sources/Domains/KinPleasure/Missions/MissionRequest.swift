import KinCore

/// The situation that a mission is wanted for.
public struct MissionRequest: Sendable, Hashable {
    /// What the person is after, as ``PleasureProfile/target(at:)`` gives it.
    public var target: Pleasure
    /// The state the person is in.
    public var state: SessionState
    /// The weather, if it is known.
    public var weather: Weather?
    /// The time of day.
    public var slot: TimeSlot
    /// The season, if it matters.
    public var season: TemporalTags.Season?
    /// How many minutes there are, the ways included.
    public var minutes: Double
    /// Where the person is.
    public var location: GeographicCoordinates
    /// How far away the tool and the space may be, and how far from each other, in kilometres.
    public var radiusKilometers: Double

    /// A situation.
    public init(
        target: Pleasure, state: SessionState, weather: Weather? = nil, slot: TimeSlot,
        season: TemporalTags.Season? = nil,
        minutes: Double,
        location: GeographicCoordinates, radiusKilometers: Double = 3
    ) {
        self.target = target
        self.state = state
        self.weather = weather
        self.slot = slot
        self.season = season
        self.minutes = minutes
        self.location = location
        self.radiusKilometers = radiusKilometers
    }

    /// How fast the ways are made, in kilometres an hour: a walk.
    public static let walkingSpeed = 4.8
}

/// One tool and one space that fit together, and why.
public struct Mission: Sendable, Hashable {
    /// What to use.
    public let tool: InventoryItem
    /// Where to be.
    public let space: InventoryItem
    /// Minutes for the ways: to the tool, if it is somewhere, and from there to the space.
    public let travelMinutes: Double
    /// Minutes that are left to spend there.
    public let minutesThere: Double
    /// What the score is made of, in a fixed order.
    public let parts: [Part]

    /// The sum of the parts' contributions, 0…1.
    public var score: Double { parts.reduce(0) { $0 + $1.contribution } }

    /// One reason.
    public struct Part: Sendable, Hashable {
        /// What is judged.
        public let name: Name
        /// How good it is, 0…1.
        public let value: Double

        /// What it adds to the score.
        public var contribution: Double { value * name.weight }
    }

    /// What is judged.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// How well the pleasures of both together match the target: their cosine.
        case target = "wish"
        /// How well both match the state, on average.
        case state
        /// How many of their pleasures the two share: both ∕ either.
        case shared
        /// How little of the radius the ways take.
        case near
        /// How much of the time is left after the ways.
        case time
        /// How pleasant the weather is for it.
        case weather

        /// What the part counts; all together 1.
        public var weight: Double {
            switch self {
            case .target: 0.4
            case .state: 0.2
            case .shared: 0.15
            case .near, .time: 0.1
            case .weather: 0.05
            }
        }
    }
}

extension MissionRequest {
    /// The weather, as far as it decides whether one wants to be outdoors.
    public enum Weather: String, Sendable, Hashable, CaseIterable {
        /// Sun or stars.
        case clear
        /// No rain, no sun.
        case cloudy
        /// Wind that one notices.
        case wind
        /// Rain.
        case rain
        /// Snow.
        case snow
        /// A storm.
        case storm
        /// So hot that one looks for shade.
        case heat
        /// So cold that one looks for warmth.
        case cold

        /// How pleasant it is to be outdoors, 0…1.
        ///
        /// A table by judgement, not by measurement: clear weather is the measure, a storm forbids.
        public var outdoors: Double {
            switch self {
            case .clear: 1
            case .cloudy: 0.9
            case .wind: 0.7
            case .snow: 0.5
            case .heat, .cold: 0.4
            case .rain: 0.25
            case .storm: 0
            }
        }
    }
}
