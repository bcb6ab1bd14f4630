/// A world: realms of zones of scenes, joined by paths.
public struct RealmWorld: Sendable, Hashable {
    /// The request that generated the world, with the number of its realms.
    public let request: WorldRequest
    /// The realms by descending match.
    public let realms: [Realm]
    /// The paths between zones; the graph is connected.
    public internal(set) var paths: [Path]
    /// Whether a realm type, category or mood contains a word of the theme; true without a theme. An unknown theme has
    /// no effect.
    public let isThemeKnown: Bool
    /// The zones contributed by other people, each joined to one of the world's zones by a portal
    /// (``joined(by:stories:)``).
    public internal(set) var contributedZones: [ContributedZone] = []
    /// The stories contributed by other people, attached to the zones that start them.
    public internal(set) var contributedStories: [ContributedStory] = []

    /// A realm of a world, with images of one realm type.
    public struct Realm: Sendable, Hashable {
        /// The id of the realm: "r1".
        public let id: String
        /// The type of the realm.
        public let type: String
        /// The match with the request, 0…1.
        public let match: Double
        /// The mean value of the realm type's images for the goals, 0…1; see ``RealmIndex/value(of:for:)``.
        public let goalValue: Double
        /// The three to five zones, the first in the centre.
        public let zones: [Zone]
    }

    /// The position of a zone in its realm.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// The centre of the realm.
        case centre
        /// The upper side of a map.
        case north
        /// The right side of a map.
        case east
        /// The lower side of a map.
        case south
        /// The left side of a map.
        case west
    }

    /// A zone of scenes from one cluster.
    public struct Zone: Sendable, Hashable {
        /// The id of the zone: "r1.z2".
        public let id: String
        /// The name of the cluster.
        public let name: String
        /// The position in the realm.
        public let direction: Direction
        /// The cluster of most of its images.
        public let cluster: Int
        /// Whether visitors gather here.
        public let isGatheringPlace: Bool
        /// The two to four scenes.
        public let scenes: [Scene]
    }

    /// A scene: one image for a stay.
    public struct Scene: Sendable, Hashable {
        /// The id of the scene: "r1.z2.s3".
        public let id: String
        /// The id of the image.
        public let image: String
        /// The mood of the image; nil if unknown.
        public let mood: String?
        /// The duration of the stay, in minutes.
        public let minutes: Double
        /// The visual effects over the image.
        public let overlays: [ImageMood.Overlay]
        /// The value of the image for each goal.
        public let values: GoalValues
        /// The objects in the image.
        public let objects: [Object]
    }

    /// An object in a scene.
    public struct Object: Sendable, Hashable {
        /// The id of the object, prefixed by the scene's: "r1.z2.s3.o4".
        public let id: String
        /// The name of the object.
        public let name: String
        /// The category of the object.
        public let category: String
        /// The position in the image's analysis, from 0.
        public let number: Int
        /// The box for drawing an overlay, the confidence and the scores; nil in a world from a file of version 1.
        public let detail: ObjectDetail?
    }

    /// An undirected path between two zones.
    public struct Path: Sendable, Hashable {
        /// The id of one zone.
        public let from: String
        /// The id of the other zone.
        public let to: String
        /// Whether the path joins two realms, or leads to a contributed zone.
        public let isPortal: Bool
    }

    /// All zones, realm by realm.
    public var zones: [Zone] { realms.flatMap(\.zones) }

    /// All scenes, zone by zone.
    public var scenes: [Scene] { zones.flatMap(\.scenes) }

    /// The number of objects in all scenes.
    public var objectCount: Int { scenes.reduce(0) { $0 + $1.objects.count } }
}

/// The parameters of a world to generate.
public struct WorldRequest: Sendable, Hashable {
    /// The name of the world, not empty.
    public var name: String
    /// The theme: words to match with realm types, categories and moods.
    public var theme: String
    /// The creator of the world.
    public var creator: String
    /// The goals for choosing realms and scenes, each once.
    public var goals: [TherapeuticGoal]
    /// The duration of a visit in minutes, 1 to 1,440.
    public var minutes: Int
    /// Whether several people visit together; then each realm has a gathering place.
    public var isCollaborative: Bool
    /// The number of realms; nil for one per seven minutes, rounded, at most five and at most the number of realms
    /// with enough images.
    public var realms: Int?
    /// The seed of the random numbers; equal seeds generate equal worlds.
    public var seed: UInt64

    /// Creates a request, which ``RealmLibrary/world(_:)`` checks.
    public init(
        name: String, theme: String = "", creator: String = "", goals: [TherapeuticGoal] = [], minutes: Int = 20,
        isCollaborative: Bool = false, realms: Int? = nil, seed: UInt64 = 0
    ) {
        self.name = name
        self.theme = theme
        self.creator = creator
        self.goals = goals.unique
        self.minutes = minutes
        self.isCollaborative = isCollaborative
        self.realms = realms
        self.seed = seed
    }
}
