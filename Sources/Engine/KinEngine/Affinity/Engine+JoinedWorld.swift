extension Engine {
    /// Adds contributions of other people to a person's world: the zones and stories in their inbox that are delivered,
    /// discovered or accepted.
    ///
    /// A portal joins each zone to the nearest zone of its realm, and each story is attached to the zone that starts it
    /// (`RealmWorld.joined(by:stories:)`). If contributions were added before, the present inbox replaces them:
    /// contributions declined since then are removed.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - world: The person's world.
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public func joinWorld(_ world: RealmWorld, for user: String) throws(KinError) -> RealmWorld {
        let items = try store.inbox(of: user, [.delivered, .discovered, .accepted])
        var zones: [RealmWorld.ContributedZone] = []
        var stories: [RealmWorld.ContributedStory] = []
        // The oldest first, so that earlier contributions retain their places.
        for item in items.sorted(by: { ($0.arrived, $0.id) < ($1.arrived, $1.id) }) {
            switch item.contribution {
            case .zone(let zone): zones.append(RealmWorld.ContributedZone(zone, of: item))
            case .story(let story): stories.append(RealmWorld.ContributedStory(story, of: item))
            }
        }
        return world.joined(by: zones, stories: stories)
    }
}

extension RealmWorld.ContributedZone {
    /// Creates the zone of an inbox item.
    fileprivate init(_ zone: ZoneContribution, of item: InboxItem) {
        var values = GoalValues()
        // If several words name the same goal, the largest value counts.
        for trait in zone.therapeuticValue.list {
            if let goal = TherapeuticGoal(trait.name) { values[goal] = max(values[goal], Float(trait.amount)) }
        }
        self.init(
            id: item.id, name: zone.name, realm: zone.suggestedRealm, attribution: item.attribution,
            isDiscovered: item.state == .discovered, values: values, scenes: zone.scenes, sceneCount: zone.sceneCount,
            overlays: zone.overlayEffects)
    }
}

extension RealmWorld.ContributedStory {
    /// Creates the story of an inbox item.
    fileprivate init(_ story: StoryContribution, of item: InboxItem) {
        self.init(
            id: item.id, title: story.title, text: story.content, narrativeType: story.narrativeType,
            trigger: story.triggerZone, attribution: item.attribution, isDiscovered: item.state == .discovered)
    }
}
