extension RealmWorld {
    /// A zone that somebody made, in a world: one scene or more without images of the collection.
    public struct ContributedZone: Sendable, Hashable {
        /// The id of the zone in the world: "c." and the contribution's.
        public let id: String
        /// The name that its maker gave it.
        public let name: String
        /// The realm type that it was made for.
        public let realm: String
        /// The origin in words, which names nobody.
        public let attribution: String
        /// Whether it appears as discovered; else it is a part of the world.
        public let isDiscovered: Bool
        /// The value for each goal.
        public let values: GoalValues
        /// The names of its scenes; empty where only ``sceneCount`` is known.
        public let scenes: [String]
        /// The number of its scenes.
        public let sceneCount: Int
        /// The names of the visual effects over its scenes.
        public let overlays: [String]

        /// Creates a zone from a contribution.
        ///
        /// - Parameters:
        ///   - id: The contribution's id.
        ///   - name: The name that its maker gave it.
        ///   - realm: The realm type that it was made for.
        ///   - attribution: The origin in words.
        ///   - isDiscovered: Whether it appears as discovered.
        ///   - values: The value for each goal.
        ///   - scenes: The names of its scenes.
        ///   - sceneCount: The number of its scenes.
        ///   - overlays: The names of the visual effects over its scenes.
        public init(
            id: String, name: String, realm: String, attribution: String, isDiscovered: Bool, values: GoalValues,
            scenes: [String], sceneCount: Int, overlays: [String]
        ) {
            self.id = "c." + id
            self.name = name
            self.realm = realm
            self.attribution = attribution
            self.isDiscovered = isDiscovered
            self.values = values
            self.scenes = scenes
            self.sceneCount = sceneCount
            self.overlays = overlays
        }
    }

    /// A story that somebody made, attached to the zone of a world that starts it.
    public struct ContributedStory: Sendable, Hashable {
        /// The id of the story in the world: "c." and the contribution's.
        public let id: String
        /// The title of the story.
        public let title: String
        /// The text of the story.
        public let text: String
        /// The type of narrative in the app's words; may be empty.
        public let narrativeType: String
        /// The name of the zone that starts it, as its maker wrote it; may be empty.
        public let trigger: String
        /// The origin in words, which names nobody.
        public let attribution: String
        /// Whether it appears as discovered; else it is a part of the world.
        public let isDiscovered: Bool
        /// The id of the zone that starts it; nil where the world has none of that name.
        public internal(set) var zone: String?

        /// Creates a story from a contribution, attached to no zone.
        ///
        /// - Parameters:
        ///   - id: The contribution's id.
        ///   - title: The title of the story.
        ///   - text: The text of the story.
        ///   - narrativeType: The type of narrative.
        ///   - trigger: The name of the zone that starts it.
        ///   - attribution: The origin in words.
        ///   - isDiscovered: Whether it appears as discovered.
        public init(
            id: String, title: String, text: String, narrativeType: String, trigger: String, attribution: String,
            isDiscovered: Bool
        ) {
            self.id = "c." + id
            self.title = title
            self.text = text
            self.narrativeType = narrativeType
            self.trigger = trigger
            self.attribution = attribution
            self.isDiscovered = isDiscovered
        }
    }

    /// Returns the world with zones and stories that others made, in place of those of an earlier call.
    ///
    /// A zone is joined by a portal to the nearest zone of its realm: the one of the world's realm of that type, or of all realms where
    /// there is none, whose mean values for the goals are nearest to its own (squared Euclidean distance; the first of equals, which is the
    /// realm's centre). So the graph stays connected. A story is attached to the zone whose name or id is that of its trigger, whatever
    /// its case: one of the zones that others made, else one of the world's; a name that several zones share is that of the first.
    ///
    /// - Parameters:
    ///   - zones: The zones, each with an id of its own.
    ///   - stories: The stories, each with an id of its own.
    /// - Complexity: O(zones · the world's zones).
    public func joined(by zones: [ContributedZone], stories: [ContributedStory] = []) -> RealmWorld {
        var world = self
        let before = Set(contributedZones.map(\.id))
        world.paths.removeAll { before.contains($0.from) || before.contains($0.to) }
        world.contributedZones = zones
        for zone in zones {
            guard let nearest = nearestZone(to: zone) else { continue }
            world.paths.append(Path(from: nearest, to: zone.id, isPortal: true))
        }
        let places = world.zonesByWord
        world.contributedStories = stories.map { story in
            var story = story
            story.zone = places[Self.word(story.trigger)]
            return story
        }
        return world
    }

    /// The id of the zone to which a contributed one is joined.
    private func nearestZone(to zone: ContributedZone) -> String? {
        let own = realms.filter { Self.word($0.type) == Self.word(zone.realm) }
        var best: (distance: Double, id: String)?
        for candidate in (own.isEmpty ? realms : own).flatMap(\.zones) {
            let distance = TherapeuticGoal.allCases.reduce(0.0) { sum, goal in
                let mean = candidate.scenes.reduce(0.0) { $0 + Double($1.values[goal]) }
                let difference = mean / Double(max(1, candidate.scenes.count)) - Double(zone.values[goal])
                return sum + difference * difference
            }
            if distance < best?.distance ?? .infinity { best = (distance, candidate.id) }
        }
        return best?.id
    }

    /// The zone that each name or id in lower case stands for.
    private var zonesByWord: [String: String] {
        var places: [String: String] = [:]
        func name(_ text: String, _ id: String) {
            let word = Self.word(text)
            if !word.isEmpty, places[word] == nil { places[word] = id }
        }
        for zone in contributedZones { name(zone.name, zone.id) }
        for realm in realms {
            let called = realm.zoneNames
            for zone in realm.zones {
                name(zone.id, zone.id)
                name(called[zone.id] ?? zone.name, zone.id)
                name(zone.name, zone.id)
            }
        }
        return places
    }

    /// A name in lower case, with spaces for hyphens and underscores and none at its ends.
    private static func word(_ text: String) -> String {
        let words = text.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" || $0.isWhitespace }
        return words.joined(separator: " ")
    }
}
