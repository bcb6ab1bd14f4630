extension RealmWorld {
    /// A zone that a person contributed to a world: one or more scenes without images of the collection.
    public struct ContributedZone: Sendable, Hashable {
        /// The id of the zone in the world: "c." and the contribution's id.
        public let id: String
        /// The name given by its author.
        public let name: String
        /// The realm type that the zone was made for.
        public let realm: String
        /// The origin in words, without the author's name.
        public let attribution: String
        /// Whether the zone appears as discovered; if not, it is a part of the world.
        public let isDiscovered: Bool
        /// The value for each goal.
        public let values: GoalValues
        /// The names of its scenes; empty if only ``sceneCount`` is known.
        public let scenes: [String]
        /// The number of its scenes.
        public let sceneCount: Int
        /// The names of the visual effects over its scenes.
        public let overlays: [String]

        /// Creates a zone from a contribution.
        ///
        /// - Parameters:
        ///   - id: The contribution's id.
        ///   - name: The name given by its author.
        ///   - realm: The realm type that the zone was made for.
        ///   - attribution: The origin in words.
        ///   - isDiscovered: Whether the zone appears as discovered.
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

    /// A story that a person contributed, attached to the zone of a world that starts it.
    public struct ContributedStory: Sendable, Hashable {
        /// The id of the story in the world: "c." and the contribution's id.
        public let id: String
        /// The title of the story.
        public let title: String
        /// The text of the story.
        public let text: String
        /// The type of narrative in the app's words; may be empty.
        public let narrativeType: String
        /// The name of the zone that starts the story, as written by its author; may be empty.
        public let trigger: String
        /// The origin in words, without the author's name.
        public let attribution: String
        /// Whether the story appears as discovered; if not, it is a part of the world.
        public let isDiscovered: Bool
        /// The id of the zone that starts the story; nil if the world has no zone of that name.
        public internal(set) var zone: String?

        /// Creates a story from a contribution, not yet attached to a zone.
        ///
        /// - Parameters:
        ///   - id: The contribution's id.
        ///   - title: The title of the story.
        ///   - text: The text of the story.
        ///   - narrativeType: The type of narrative.
        ///   - trigger: The name of the zone that starts the story.
        ///   - attribution: The origin in words.
        ///   - isDiscovered: Whether the story appears as discovered.
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

    /// Returns the world with zones and stories contributed by other people, which replace those of an earlier call.
    ///
    /// A portal joins each contributed zone to the nearest zone in the world's realms of the same type, or in all
    /// realms if no realm has that type. The nearest zone has the least squared Euclidean distance between its mean
    /// values for the goals and the contributed zone's values; the first of several equal zones is the realm's centre.
    /// So the graph stays connected.
    ///
    /// A story is attached to the zone whose name or id equals its trigger, in any spelling: a contributed zone, else one
    /// of the world's own zones. If several zones share the name, the first is used.
    ///
    /// - Parameters:
    ///   - zones: The zones, with distinct ids.
    ///   - stories: The stories, with distinct ids.
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
            story.zone = places[Spelling.plain(story.trigger)]
            return story
        }
        return world
    }

    /// The id of the zone for joining a contributed zone.
    private func nearestZone(to zone: ContributedZone) -> String? {
        let own = realms.filter { Spelling.plain($0.type) == Spelling.plain(zone.realm) }
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

    /// The zone for each name or id in its plain form.
    private var zonesByWord: [String: String] {
        var places: [String: String] = [:]
        func name(_ text: String, _ id: String) {
            let word = Spelling.plain(text)
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
}
