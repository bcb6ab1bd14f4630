public import KinCore

/// Something that a person made and that may find its people.
public enum Contribution: Sendable, Hashable {
    /// A place to be.
    case zone(ZoneContribution)
    /// Something to be told.
    case story(StoryContribution)

    /// What it is called.
    public var title: String {
        switch self {
        case .zone(let zone): zone.name
        case .story(let story): story.title
        }
    }

    /// All texts that a reader of it sees.
    package var texts: [String] {
        switch self {
        case .zone(let zone):
            [zone.name, zone.suggestedRealm] + zone.therapeuticValue.list.map(\.name) + zone.scenes
                + zone.overlayEffects
        case .story(let story): [story.title, story.content, story.triggerZone, story.narrativeType]
        }
    }

    /// Whether a text of it has this word: letters and digits that stand between anything else.
    package func mentions(_ word: String) -> Bool {
        texts.contains { text in
            text.ranges(of: word).contains { range in
                let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
                let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
                return !(before.isLetter || before.isNumber) && !(after.isLetter || after.isNumber)
            }
        }
    }
}

/// A zone: a place that somebody made.
public struct ZoneContribution: Sendable, Hashable {
    /// What it is called.
    public let name: String
    /// The kind of realm it suits.
    public let suggestedRealm: String
    /// How much it does for each goal, up to 1.
    public let therapeuticValue: SoulTraits
    /// The names of the zone's scenes; empty where only ``sceneCount`` is known.
    public let scenes: [String]
    /// The number of scenes of the zone, 0 to ``mostScenes``.
    public let sceneCount: Int
    /// What lies over it.
    public let overlayEffects: [String]

    /// The most scenes of a zone.
    public static let mostScenes = 10_000

    /// A zone.
    ///
    /// - Parameters:
    ///   - name: Its name, not empty.
    ///   - suggestedRealm: The kind of realm that it suits.
    ///   - therapeuticValue: The value for each goal, 0 to 1.
    ///   - scenes: The names of its scenes.
    ///   - sceneCount: The number of its scenes, 0 to ``mostScenes``; as many as are named when nil.
    ///   - overlayEffects: The effects drawn over its scenes.
    /// - Throws: `.invalidArgument` for an empty name, a value above 1, or a number of scenes that is not that of the named ones, naming
    ///   the field.
    public init(
        name: String, suggestedRealm: String, therapeuticValue: SoulTraits = SoulTraits(), scenes: [String] = [],
        sceneCount: Int? = nil, overlayEffects: [String] = []
    ) throws(KinError) {
        guard !name.isEmpty else { throw KinError(.invalidArgument, "it is empty").within("field", "name") }
        for trait in therapeuticValue.list where trait.amount > 1 {
            throw KinError(.invalidArgument, "it is \(trait.amount), and must be from 0 to 1")
                .within("field", "therapeuticValue.\(trait.name)")
        }
        let sceneCount = sceneCount ?? scenes.count
        guard (0...Self.mostScenes).contains(sceneCount), scenes.isEmpty || scenes.count == sceneCount else {
            throw KinError(
                .invalidArgument,
                scenes.isEmpty || scenes.count > Self.mostScenes
                    ? "there are \(sceneCount), and must be 0 to \(Self.mostScenes)"
                    : "there are \(sceneCount), but \(scenes.count) are named"
            ).within("field", "scenes")
        }
        self.name = name
        self.sceneCount = sceneCount
        self.suggestedRealm = suggestedRealm
        self.therapeuticValue = therapeuticValue
        self.scenes = scenes
        self.overlayEffects = overlayEffects
    }
}

/// A story that somebody tells.
public struct StoryContribution: Sendable, Hashable {
    /// What it is called.
    public let title: String
    /// The story.
    public let content: String
    /// Where it begins.
    public let triggerZone: String
    /// What kind of story it is.
    public let narrativeType: String

    /// A story.
    ///
    /// - Throws: `.invalidArgument` for an empty title or content, naming the field.
    public init(title: String, content: String, triggerZone: String = "", narrativeType: String = "") throws(KinError) {
        guard !title.isEmpty else { throw KinError(.invalidArgument, "it is empty").within("field", "title") }
        guard !content.isEmpty else { throw KinError(.invalidArgument, "it is empty").within("field", "content") }
        self.title = title
        self.content = content
        self.triggerZone = triggerZone
        self.narrativeType = narrativeType
    }
}
