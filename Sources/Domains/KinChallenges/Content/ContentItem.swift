/// A domain of life, the subject of daily content.
public enum ContentDomain: String, Sendable, Hashable, CaseIterable {
    /// Attention, thoughts and meaning.
    case consciousness
    /// Body, sleep, food and movement.
    case health
    /// Money, possessions and contracts.
    case wealth
    /// Partners, family, friends and community.
    case relationships
}

/// A day of the content: a quote and an action.
public struct ContentItem: Sendable, Hashable {
    /// The day of the year, 1 to 364.
    public let id: Int
    /// The quote of the day, 15 to 50 words.
    public let quote: String
    /// The author or the origin of the quote.
    public let source: String
    /// The action to take, in words.
    public let action: String
    /// The duration of the action, in minutes, above 0 and at most 1,440.
    public let minutes: Double
    /// The domain of the content.
    public let domain: ContentDomain
    /// The difficulty of the action.
    public let difficulty: DifficultyLevel
    /// The first version of the app that can show the day; nil for every version.
    public internal(set) var minimumAppVersion: AppVersion?

    /// The allowed number of words of a quote.
    public static let quoteWords = 15...50

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a day of content, and checks it.
    ///
    /// - Parameters:
    ///   - id: The day of the year, 1 to 364.
    ///   - quote: The quote, 15 to 50 words.
    ///   - source: The author or the origin of the quote, not empty.
    ///   - action: The action, not empty.
    ///   - minutes: The duration of the action, above 0 and at most 1,440.
    ///   - domain: The domain of the content.
    ///   - difficulty: The difficulty of the action.
    ///   - minimumAppVersion: The first version of the app that can show the day; nil for every version.
    /// - Throws: `.invalidArgument` or `.notFinite`, naming the field, for an id outside 1 to 364, a quote outside 15
    ///   to 50 words, an empty source or action, or a duration that is not above 0 and at most a day.
    public init(
        id: Int, quote: String, source: String, action: String, minutes: Double, domain: ContentDomain,
        difficulty: DifficultyLevel, minimumAppVersion: AppVersion? = nil
    ) throws(KinError) {
        guard (1...ContentLibrary.dayCount).contains(id) else {
            throw .field("id", "must be a day from 1 to \(ContentLibrary.dayCount), not \(id)")
        }
        // A dash alone is not a word.
        let words = quote.split(whereSeparator: \.isWhitespace).count { $0.contains { $0.isLetter || $0.isNumber } }
        guard Self.quoteWords.contains(words) else {
            throw .field("quote", "it has \(words) words, and must have 15 to 50")
        }
        guard source.contains(where: { !$0.isWhitespace }) else { throw .field("source", "must not be empty") }
        guard action.contains(where: { !$0.isWhitespace }) else { throw .field("action", "must not be empty") }
        try KinError.check(minutes, "duration", "above 0 and at most 1440 minutes") { $0 > 0 && $0 <= 1440 }
        self.id = id
        self.quote = quote
        self.source = source
        self.action = action
        self.minutes = minutes
        self.domain = domain
        self.difficulty = difficulty
        self.minimumAppVersion = minimumAppVersion
    }

    /// Reads a day from its JSON object.
    ///
    /// The duration is a number of minutes or a text such as `15 min`; `quote_source` and `quoteSource` are accepted
    /// for `source`. Words may be in upper or lower case.
    ///
    /// - Parameter json: One object with all fields.
    /// - Throws: `.malformedInput` and the errors of the other initializer, naming day and field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The day as a JSON object, on one line.
    public var json: String { jsonText }
}

extension ContentItem: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<ContentItem>(
        "day", id: "id",
        aliases: [("quote_source", "source"), ("min_app_version", "minimum_app_version")], extra: .stored,
        .required("id", \.id, number),
        .required("quote", \.quote, .text),
        .required("source", \.source, .text),
        .required("action", \.action, .text),
        .required("duration", \.minutes, .minutes),
        .required("domain", \.domain, .word("domain")),
        .required("difficulty", \.difficulty, .word("difficulty")),
        .optional("minimum_app_version", \.minimumAppVersion, .appVersion),
        make: ContentItem.init(id:quote:source:action:minutes:domain:difficulty:minimumAppVersion:))

    private static let number = JSONForm<Int>(
        "integer, 1 to \(ContentLibrary.dayCount)",
        read: { reader throws(KinError) in Int(clamping: try reader.integer()) }, write: { $1.integer($0) })
}
