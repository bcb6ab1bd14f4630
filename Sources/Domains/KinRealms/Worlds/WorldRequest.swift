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
