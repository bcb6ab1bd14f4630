/// The situation that a mission is for.
public struct MissionRequest: Sendable, Hashable {
    /// The target profile, such as ``PleasureProfile/target(at:)``.
    public var target: Pleasure
    /// The moods that shaped the target; nil for none. Missions report their effect.
    public var mood: MoodInfluence?
    /// The state of the person's session.
    public var state: SessionState
    /// The weather; nil if unknown.
    public var weather: Weather?
    /// The time of day.
    public var slot: DayPart
    /// The season; nil for any.
    public var season: TemporalTags.Season?
    /// The available minutes, including the way there and back.
    public var minutes: Double
    /// The means of travel.
    public var travel = Travel.walk
    /// The location of the person.
    public var location: GeographicCoordinates
    /// The largest distance in kilometres from the person to the tool and the space, and between the two.
    public var radiusKilometers: Double
    /// The ids of the tools and spaces that no mission uses.
    public var excluded: Set<String> = []
    /// The weight δ of differing from the missions selected before, 0..<1: a mission's value is its score less
    /// δ ∕ (1 − δ) times its similarity to them. Nil for ⅓, which subtracts half of the similarity.
    public var diversity: Double?

    /// Creates a request from its parts.
    public init(
        target: Pleasure, mood: MoodInfluence? = nil, state: SessionState, weather: Weather? = nil, slot: DayPart,
        season: TemporalTags.Season? = nil,
        minutes: Double, location: GeographicCoordinates, radiusKilometers: Double = 3
    ) {
        self.target = target
        self.mood = mood
        self.state = state
        self.weather = weather
        self.slot = slot
        self.season = season
        self.minutes = minutes
        self.location = location
        self.radiusKilometers = radiusKilometers
    }

    /// The minutes of travel along a route.
    func minutes(forKilometers route: Double) -> Double { route / travel.kilometersPerHour * 60 }

    /// The conditions on a tool or a space by itself. In a storm, a space is indoors.
    ///
    /// - Throws: `.invalidArgument` for a negative or non-finite radius or time.
    func query(for kind: InventoryItem.Kind) throws(KinError) -> InventoryQuery {
        var query = InventoryQuery(
            location: location, radiusKilometers: radiusKilometers, kinds: [kind], statuses: [.available], slot: slot,
            minutes: minutes, season: season)
        query.isIndoors = kind == .space && weather == .storm
        try query.check()
        return query
    }

    /// A means of travel.
    public enum Travel: String, Sendable, Hashable, CaseIterable {
        /// On foot, at a usual pace.
        case walk
        /// By bicycle, on roads and paths.
        case bicycle
        /// By bus, tram or train.
        case transit
        /// By car, with parking.
        case car

        /// The speed in kilometres an hour, by the straight line.
        ///
        /// Values by judgement for a city, with waiting, changes and parking; not measured.
        public var kilometersPerHour: Double {
            switch self {
            case .walk: 4.8
            case .bicycle: 12
            case .transit: 14
            case .car: 20
            }
        }
    }
}

/// One tool and one space for a situation, with the score and its parts.
public struct Mission: Sendable, Hashable {
    /// The tool to use.
    public let tool: InventoryItem
    /// The space to go to.
    public let space: InventoryItem
    /// The minutes of travel to the tool, if it has a location, on to the space and back.
    public let travelMinutes: Double
    /// The minutes at the space: the remaining time, but no longer than the useful durations of tool and space.
    public let minutesThere: Double
    /// The parts of the score, in the order of ``Name``.
    public let parts: [Part]
    /// The effect of the moods on the score; nil without a mood.
    public let mood: MoodChange?

    /// The sum of the parts' contributions, 0…1.
    public var score: Double { parts.reduce(0) { $0 + $1.contribution } }

    /// One part of the score.
    public struct Part: Sendable, Hashable {
        /// The criterion of the part.
        public let name: Name
        /// The value of the criterion, 0…1.
        public let value: Double

        /// The value times the weight of the criterion.
        public var contribution: Double { value * name.weight }
    }

    /// The effect of moods on the score of one mission.
    public struct MoodChange: Sendable, Hashable {
        /// The moods of the request, in the order of `Mood.allCases`.
        public let moods: [Mood]
        /// The score minus the score without the moods, −0.4…0.4; a part of ``Name/target``.
        public let change: Double
    }

    /// The criteria of a score.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// The cosine between the pleasures of both and the target profile.
        case target = "wish"
        /// The mean fit of both with the state.
        case state
        /// The share of common pleasures: intersection over union.
        case shared
        /// The share of the radius that the travel leaves.
        case near
        /// The share of the available time that remains after the travel.
        case time
        /// The suitability of the weather.
        case weather

        /// The weight in the score; the sum of all is 1.
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
    /// The weather, by its effect on being outdoors.
    public enum Weather: String, Sendable, Hashable, CaseIterable {
        /// A clear sky, by day or night.
        case clear
        /// A clouded sky without rain.
        case cloudy
        /// A noticeable wind, without rain.
        case wind
        /// Rain of any strength.
        case rain
        /// Snow on the ground or falling.
        case snow
        /// A storm or thunderstorm.
        case storm
        /// Heat that calls for shade.
        case heat
        /// Cold that calls for warmth.
        case cold

        /// Synonyms of the weather words, as used in forecasts.
        package static let synonyms: [String: Weather] = [
            "sunny": .clear, "fair": .clear, "overcast": .cloudy, "foggy": .cloudy, "windy": .wind, "breezy": .wind,
            "rainy": .rain, "drizzle": .rain, "showers": .rain, "heavyrain": .rain, "lightrain": .rain,
            "rainshowers": .rain, "snowy": .snow, "snowshowers": .snow, "heavysnow": .snow, "lightsnow": .snow,
            "sleet": .snow, "blizzard": .storm, "stormy": .storm, "thunderstorm": .storm, "thunderstorms": .storm,
            "hot": .heat, "freezing": .cold, "mostlyclear": .clear, "mostlysunny": .clear, "partlycloudy": .cloudy,
            "partlysunny": .cloudy, "mostlycloudy": .cloudy, "haze": .cloudy, "hazy": .cloudy, "fog": .cloudy,
            "mist": .cloudy,
        ]

        /// The suitability of being outdoors, 0…1.
        ///
        /// A table by judgement, not by measurement.
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
