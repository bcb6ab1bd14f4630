/// A zone or a story that a person made for similar people.
public enum Contribution: Sendable, Hashable {
    /// A zone to spend time in.
    case zone(ZoneContribution)
    /// A story to read.
    case story(StoryContribution)

    /// The name of the zone or the title of the story.
    public var title: String {
        switch self {
        case .zone(let zone): zone.name
        case .story(let story): story.title
        }
    }

    /// All texts of the contribution that a reader sees.
    package var texts: [String] {
        switch self {
        case .zone(let zone):
            [zone.name, zone.suggestedRealm] + zone.therapeuticValue.list.map(\.name) + zone.scenes
                + zone.overlayEffects
        case .story(let story): [story.title, story.content, story.triggerZone, story.narrativeType]
        }
    }

    /// Whether a text of the contribution contains a word, in any case, that no letter or digit precedes or follows.
    package func mentions(_ word: String) -> Bool {
        let word = word.caseFolded
        return texts.contains { $0.caseFolded.containsWord(word) }
    }
}

extension String {
    /// The case-folded text, for comparison: "STRASSE" and "straße" are equal, as are all forms of a sigma.
    fileprivate var caseFolded: String {
        // Upper case merges characters with several lower-case forms; lower case merges characters with several
        // upper-case forms.
        lowercased().uppercased().lowercased()
    }
}

/// A contributed zone with its scenes.
public struct ZoneContribution: Sendable, Hashable {
    /// The name of the zone, not empty.
    public let name: String
    /// The realm type that the zone suits.
    public let suggestedRealm: String
    /// The therapeutic value for each goal, above 0 and up to 1.
    public let therapeuticValue: SoulTraits
    /// The names of the zone's scenes; empty if only ``sceneCount`` is known.
    public let scenes: [String]
    /// The number of scenes of the zone, 0 to ``maximumSceneCount``.
    public let sceneCount: Int
    /// The names of the visual effects over the scenes.
    public let overlayEffects: [String]

    /// The largest number of scenes of a zone.
    public static let maximumSceneCount = 10_000

    /// Creates a zone, and checks it.
    ///
    /// - Parameters:
    ///   - name: The name, not empty.
    ///   - suggestedRealm: The realm type that the zone suits.
    ///   - therapeuticValue: The value for each goal, 0 to 1.
    ///   - scenes: The names of its scenes.
    ///   - sceneCount: The number of its scenes, 0 to ``maximumSceneCount``; nil for the number of `scenes`.
    ///   - overlayEffects: The effects drawn over its scenes.
    /// - Throws: `.invalidArgument` for an empty name, a value above 1, or a number of scenes that differs from the
    ///   number of names, naming the field.
    public init(
        name: String, suggestedRealm: String, therapeuticValue: SoulTraits = SoulTraits(), scenes: [String] = [],
        sceneCount: Int? = nil, overlayEffects: [String] = []
    ) throws(KinError) {
        guard !name.isEmpty else { throw .field("name", "must not be empty") }
        for trait in therapeuticValue.list where trait.amount > 1 {
            throw .field("therapeuticValue.\(trait.name)", "must be from 0 to 1, not \(trait.amount)")
        }
        let sceneCount = sceneCount ?? scenes.count
        guard (0...Self.maximumSceneCount).contains(sceneCount), scenes.isEmpty || scenes.count == sceneCount else {
            throw .field(
                "scenes",
                scenes.isEmpty || scenes.count > Self.maximumSceneCount
                    ? "there are \(sceneCount), and must be 0 to \(Self.maximumSceneCount)"
                    : "there are \(sceneCount), but \(scenes.count) are named")
        }
        self.name = name
        self.sceneCount = sceneCount
        self.suggestedRealm = suggestedRealm
        self.therapeuticValue = therapeuticValue
        self.scenes = scenes
        self.overlayEffects = overlayEffects
    }
}

/// A contributed story, with the zone that starts it.
public struct StoryContribution: Sendable, Hashable {
    /// The title of the story, not empty.
    public let title: String
    /// The text of the story, not empty.
    public let content: String
    /// The name of the zone that starts the story; may be empty.
    public let triggerZone: String
    /// The type of narrative in the app's words; may be empty.
    public let narrativeType: String

    /// Creates a story, and checks it.
    ///
    /// - Parameters:
    ///   - title: The title, not empty.
    ///   - content: The text, not empty.
    ///   - triggerZone: The name of the zone that starts the story.
    ///   - narrativeType: The type of narrative.
    /// - Throws: `.invalidArgument` for an empty title or content, naming the field.
    public init(title: String, content: String, triggerZone: String = "", narrativeType: String = "") throws(KinError) {
        guard !title.isEmpty else { throw .field("title", "must not be empty") }
        guard !content.isEmpty else { throw .field("content", "must not be empty") }
        self.title = title
        self.content = content
        self.triggerZone = triggerZone
        self.narrativeType = narrativeType
    }
}

extension String {
    /// Whether the text contains a word, in any normal form of Unicode, that no letter or digit precedes or follows.
    package func containsWord(_ word: String) -> Bool {
        func isPart(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        return indices.contains { place in
            let rest = self[place...]
            return rest.starts(with: word) && !isPart(self[..<place].last) && !isPart(rest.dropFirst(word.count).first)
        }
    }
}
