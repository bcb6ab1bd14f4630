/// Realms of zones of scenes, joined by paths: what a visitor walks through.
public struct RealmWorld: Sendable, Hashable {
    /// What was asked for.
    public let request: WorldRequest
    /// The realms, the best match first.
    public let realms: [Realm]
    /// What joins the zones; from any zone there is a way to any other.
    public let paths: [Path]
    /// Whether the theme has a word that a realm type, a category or a mood has; true without a theme. Where it has none, the theme
    /// decided nothing.
    public let isThemeKnown: Bool

    /// A part of a world with images of one realm type.
    public struct Realm: Sendable, Hashable {
        /// Its id: "r1".
        public let id: String
        /// The realm type.
        public let type: String
        /// How well it matches the request, 0…1.
        public let match: Double
        /// The mean value of the realm type's images for the goals, 0…1.
        public let goalValue: Double
        /// Three to five zones, the first one in the centre.
        public let zones: [Zone]
    }

    /// Where a zone lies in its realm.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// In the middle.
        case centre
        /// Up on a map.
        case north
        /// To the right.
        case east
        /// Down.
        case south
        /// To the left.
        case west
    }

    /// A place with scenes from one cluster.
    public struct Zone: Sendable, Hashable {
        /// Its id: "r1.z2".
        public let id: String
        /// The cluster's name.
        public let name: String
        /// Where it lies.
        public let direction: Direction
        /// The cluster that most of its images are from.
        public let cluster: Int
        /// Whether visitors meet here.
        public let isGatheringPlace: Bool
        /// Two to four scenes.
        public let scenes: [Scene]
    }

    /// One image to be in.
    public struct Scene: Sendable, Hashable {
        /// Its id: "r1.z2.s3".
        public let id: String
        /// The image.
        public let image: String
        /// The image's mood.
        public let mood: String?
        /// How long one stays.
        public let minutes: Double
        /// What is laid over the image.
        public let overlays: [ImageMood.Overlay]
        /// What the image is good for.
        public let values: GoalValues
        /// What is in it.
        public let objects: [Object]
    }

    /// A thing in a scene.
    public struct Object: Sendable, Hashable {
        /// Its id: "r1.z2.s3.o4"; it begins with the scene's.
        public let id: String
        /// What it is called.
        public let name: String
        /// What kind of thing it is.
        public let category: String
        /// Its place in the image's analysis, from 0.
        public let number: Int
    }

    /// A way between two zones, to be walked in both directions.
    public struct Path: Sendable, Hashable {
        /// The zone at one end.
        public let from: String
        /// The zone at the other.
        public let to: String
        /// Whether it leads from one realm into another.
        public let isPortal: Bool
    }

    /// All zones, realm by realm.
    public var zones: [Zone] { realms.flatMap(\.zones) }

    /// All scenes, zone by zone.
    public var scenes: [Scene] { zones.flatMap(\.scenes) }

    /// How many objects the scenes have.
    public var objectCount: Int { scenes.reduce(0) { $0 + $1.objects.count } }

    /// The number of zones that cannot be reached from the first one: 0, or something is wrong.
    public var unreachableZones: Int {
        var neighbours: [String: [String]] = [:]
        for path in paths {
            neighbours[path.from, default: []].append(path.to)
            neighbours[path.to, default: []].append(path.from)
        }
        let all = zones.map(\.id)
        guard let first = all.first else { return 0 }
        var reached: Set<String> = [first]
        var open = [first]
        while let zone = open.popLast() {
            for next in neighbours[zone] ?? [] where reached.insert(next).inserted { open.append(next) }
        }
        return all.count { !reached.contains($0) }
    }
}

/// What a world should be.
public struct WorldRequest: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// What it is about: words that are looked for in realm types, categories and moods.
    public var theme: String
    /// Who makes it.
    public var creator: String
    /// What it should be good for; realms and scenes are chosen by their values for these.
    public var goals: [TherapeuticGoal]
    /// How long a visit takes, 1 to 1,440.
    public var minutes: Int
    /// Whether several people visit it together: then every realm has a place to gather.
    public var isCollaborative: Bool
    /// How many realms; nil for one for each twenty minutes, at most five and at most as many as have the images.
    public var realms: Int?
    /// What zones, scenes and paths are drawn from: the same seed gives the same world.
    public var seed: UInt64

    /// A request; ``RealmLibrary/world(_:)`` checks it.
    public init(
        name: String, theme: String = "", creator: String = "", goals: [TherapeuticGoal] = [], minutes: Int = 60,
        isCollaborative: Bool = false, realms: Int? = nil, seed: UInt64 = 0
    ) {
        self.name = name
        self.theme = theme
        self.creator = creator
        self.goals = goals
        self.minutes = minutes
        self.isCollaborative = isCollaborative
        self.realms = realms
        self.seed = seed
    }
}
