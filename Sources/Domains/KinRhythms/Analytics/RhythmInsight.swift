import KinCore
public import KinJSON

/// A finding for parents, with its statistics.
public struct RhythmInsight: Sendable, Hashable {
    /// The kind of finding.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A regularity of the log.
        case pattern
        /// An action to consider.
        case recommendation
        /// A milestone that was reached.
        case achievement
    }

    /// A named statistic with its unit in the name: `median_minutes`.
    public struct Number: Sendable, Hashable {
        /// The name of the statistic.
        public let name: String
        /// The value in the unit of its name.
        public let value: Double
    }

    /// The kind of finding.
    public let kind: Kind
    /// The title, a few words.
    public let title: String
    /// A sentence made from a fixed template and the numbers.
    public let text: String
    /// The confidence, 0…1: the share of days for a pattern, 1 − p for a change or relation, 1 for a count.
    public let confidence: Double
    /// The statistics behind the finding.
    public let numbers: [Number]
    /// The end of the observed period.
    public let created: LoggedTime
    /// The time when the finding becomes stale.
    public let expires: LoggedTime

    init(
        _ kind: Kind, _ title: String, _ text: String, confidence: Double, numbers: KeyValuePairs<String, Double>,
        created: LoggedTime, days: Double
    ) {
        self.kind = kind
        self.title = title
        self.text = text
        self.confidence = confidence
        self.numbers = numbers.map { Number(name: $0.key, value: $0.value) }
        self.created = created
        expires = created.later(by: days * 1440)
    }
}

/// Formats minutes and ordinals for the text of insights.
enum InsightText {
    /// The duration as text: `35 min`, `1 h 05`.
    static func duration(_ minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        let rest = whole % 60
        return whole < 60 ? "\(whole) min" : "\(whole / 60) h \(rest < 10 ? "0" : "")\(rest)"
    }

    static func ordinal(_ number: Int) -> String {
        switch number {
        case 1: "first"
        case 2: "second"
        case 3: "third"
        case 4: "fourth"
        case 5: "fifth"
        default: "\(number)th"
        }
    }
}

extension RhythmInsight: DeclaredObject {
    /// The insight as JSON: `kind`, `title`, `text`, `confidence`, `numbers` by name, `created` and `expires` by the
    /// local clock.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RhythmInsight>(
        .field("kind", \.kind.rawValue),
        .field("title", \.title),
        .field("text", \.text),
        .field("confidence", { ($0.confidence * 1e6).rounded() / 1e6 }),
        .members("numbers", { $0.numbers.map { ($0.name, $0.value) } }, by: "name"),
        .field("created", \.created),
        .field("expires", \.expires))
}
