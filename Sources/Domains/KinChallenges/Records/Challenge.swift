/// A challenge that an app offers, with its requirements.
///
///     let walk = try Challenge(
///         id: "walk", title: "Take a walk", category: "movement", time: .minutes(20), difficulty: .beginner,
///         tags: ["mobility"])
///     let sun = try Challenge(id: "sun", title: "Sit in the sun", category: "calm", time: .rough(.short))
///     let catalog = try ChallengeCatalog([walk, sun])
public struct Challenge: Sendable, Hashable {
    /// The id of the challenge, unique in a catalogue.
    public let id: String
    /// The title, one line, not empty.
    public let title: String
    /// The description; may be empty.
    public let text: String
    /// The category in the app's words, not empty.
    public let category: String
    /// The time that the challenge takes.
    public let time: TimeInvestment
    /// The number of other people that the challenge needs.
    public let social: SocialRequirement
    /// The cost level of the challenge.
    public let cost: CostLevel
    /// The difficulty level of the challenge.
    public let difficulty: DifficultyLevel
    /// The tags; tags that name a dimension of the pleasure space count towards the fit to a profile.
    public let tags: [String]
    /// Whether the challenge is offered; inactive challenges stay for the history.
    public var isActive: Bool
    /// The instant of its creation.
    public let created: Timestamp?
    /// The instant of its last change.
    public let updated: Timestamp?
    /// The first version of the app that can show the challenge; nil for every version.
    public internal(set) var minimumAppVersion: AppVersion?

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a challenge, and checks it.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - title: The title, not empty.
    ///   - text: The description.
    ///   - category: The category, not empty.
    ///   - time: The time, above 0 and at most a day.
    ///   - social: The number of other people that the challenge needs.
    ///   - cost: The cost level.
    ///   - difficulty: The difficulty level.
    ///   - tags: The tags, none empty or twice.
    ///   - isActive: Whether the challenge is offered.
    ///   - created: The instant of its creation.
    ///   - updated: The instant of its last change, not before its creation.
    ///   - minimumAppVersion: The first version of the app that can show the challenge; nil for every version.
    /// - Throws: `.invalidArgument` or `.notFinite`, naming the field.
    public init(
        id: String, title: String, text: String = "", category: String, time: TimeInvestment,
        social: SocialRequirement = .solo, cost: CostLevel = .free, difficulty: DifficultyLevel = .beginner,
        tags: [String] = [],
        isActive: Bool = true, created: Timestamp? = nil, updated: Timestamp? = nil,
        minimumAppVersion: AppVersion? = nil
    ) throws(KinError) {
        guard !title.isEmpty else { throw .field("title", "must not be empty") }
        guard !category.isEmpty else { throw .field("category", "must not be empty") }
        try KinError.check(time.longestMinutes, "time_investment", "above 0 and at most 1440 minutes") {
            $0 > 0 && $0 <= 1440
        }
        guard !tags.contains("") else { throw .field("tags", "a tag is empty") }
        guard Set(tags).count == tags.count else { throw .field("tags", "a tag appears twice") }
        if let created, let updated, updated < created {
            throw .field("updated_at", "must not be before created_at, as \(updated) is")
        }
        self.id = try RecordID.checked(id, field: "id")
        self.title = title
        self.text = text
        self.category = category
        self.time = time
        self.social = social
        self.cost = cost
        self.difficulty = difficulty
        self.tags = tags
        self.isActive = isActive
        self.created = created
        self.updated = updated
        self.minimumAppVersion = minimumAppVersion
    }

    /// The hash of the content, 16 hexadecimal digits: FNV-1a of title, text, category, time, social requirement, cost,
    /// difficulty and tags.
    public var contentHash: String {
        var hash = ContentHash()
        for part in [
            title, text, category, "\(time.longestMinutes)", social.rawValue, cost.rawValue, difficulty.rawValue,
        ] + tags {
            hash.mix(part)
        }
        return hash.text
    }
}
