public import KinCore

/// Something small to do that an app offers: what it is, and what it takes.
public struct Challenge: Sendable, Hashable {
    /// Differs from those of the other challenges.
    public let id: String
    /// One line.
    public let title: String
    /// What to do.
    public let text: String
    /// What it is about, in the app's words.
    public let category: String
    /// How long it takes.
    public let time: TimeInvestment
    /// How many others it needs.
    public let social: SocialRequirement
    /// What it costs.
    public let cost: CostLevel
    /// How hard it is.
    public let difficulty: DifficultyLevel
    /// Words for what it has; those that name a dimension of a person's profile say that it speaks to that.
    public let tags: [String]
    /// Whether it is offered. What is not active stays for the history.
    public var isActive: Bool
    /// When it was written.
    public let created: Timestamp?
    /// When it was last changed.
    public let updated: Timestamp?

    /// A challenge.
    ///
    /// - Throws: `.invalidArgument` naming the field: for an id that is none (`RecordID`), an empty title or category, an empty or repeated tag, minutes that are not above 0 and
    ///   at most a day, an update before the creation; `.notFinite` for minutes that are no number.
    public init(
        id: String, title: String, text: String = "", category: String, time: TimeInvestment,
        social: SocialRequirement = .solo, cost: CostLevel = .free, difficulty: DifficultyLevel = .beginner,
        tags: [String] = [],
        isActive: Bool = true, created: Timestamp? = nil, updated: Timestamp? = nil
    ) throws(KinError) {
        guard !title.isEmpty else { throw .field("title", "it is empty") }
        guard !category.isEmpty else { throw .field("category", "it is empty") }
        let minutes = time.longestMinutes
        guard minutes.isFinite else { throw .field("time_investment", "it is \(minutes)", .notFinite) }
        guard minutes > 0, minutes <= 1440 else {
            throw .field("time_investment", "it is \(minutes) minutes, and must be above 0 and at most 1440")
        }
        guard !tags.contains("") else { throw .field("tags", "a tag is empty") }
        guard Set(tags).count == tags.count else { throw .field("tags", "a tag is there twice") }
        if let created, let updated, updated < created {
            throw .field("updated_at", "it is \(updated), before created_at")
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
    }

    /// 16 digits that tell whether two challenges have the same content, whatever their ids and dates: FNV-1a of title, text, category,
    /// time, social requirement, cost, difficulty and tags.
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

/// FNV-1a with 64 bits (Fowler, Noll, Vo; RFC 9923): enough to notice a change, and no protection against a forger.
struct ContentHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in a text and its end, so that "ab" + "c" differs from "a" + "bc".
    mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// In hexadecimal, 16 digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
