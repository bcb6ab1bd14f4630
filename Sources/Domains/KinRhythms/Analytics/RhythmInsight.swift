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

    /// The subject and direction of the finding, such as `later_sleep_2`: the same on each day on which it holds.
    public let id: String
    /// The kind of finding.
    public let kind: Kind
    /// The title, a few words.
    public let title: String
    /// A sentence made from a fixed template and the numbers.
    public let text: String
    /// The confidence, 0…1: the share of days for a pattern, 1 − p for a change or relation, 1 for a count.
    public let confidence: Double
    /// The confidence to six decimals, as in JSON.
    package var roundedConfidence: Double { (confidence * 1e6).rounded() / 1e6 }
    /// The statistics behind the finding.
    public let numbers: [Number]
    /// The end of the observed period.
    public let created: LoggedTime
    /// The time when the finding becomes stale.
    public let expires: LoggedTime

    /// Whether the insight was in the last report (``InsightReport``); nil outside reports.
    public internal(set) var status: Status?

    /// The comparison of an insight with the last report.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// The last report did not have the insight, or its substance has changed.
        case new
        /// The last report had the insight.
        case unchanged
    }

    /// The substance that a dismissal refers to: a finding of the same id with a different substance is new.
    let substance: Substance

    /// A number that characterises a finding, and the largest difference that leaves the finding the same.
    struct Substance: Hashable {
        let value: Double
        let margin: Double
    }

    package init(
        _ id: String, _ kind: Kind, _ title: String, _ text: String,
        substance: (value: Double, margin: Double) = (0, 0),
        confidence: Double, numbers: KeyValuePairs<String, Double>, created: LoggedTime, days: Double
    ) {
        self.id = id
        self.substance = Substance(value: substance.value, margin: substance.margin)
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

    /// Minutes after midnight as a time of day: `19:30`.
    static func clock(_ minutes: Double) -> String {
        let whole = Int(DayCycle.minuteOfDay(minutes.rounded()))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
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

extension RhythmAnalysis.Leap.Quantity {
    /// The id and the title of an insight into a larger or smaller level.
    func name(isMore: Bool) -> (id: String, title: String) {
        switch self {
        case .sleep, .naps, .wakings:
            (isMore ? "more_\(self)" : "fewer_\(self)", "\(isMore ? "More" : "Fewer") \(rawValue)")
        case .stretch:
            isMore ? ("longer_stretch", "Longer sleeps at night") : ("shorter_stretch", "Shorter sleeps at night")
        case .bedtime: isMore ? ("later_bedtime", "A later bedtime") : ("earlier_bedtime", "An earlier bedtime")
        }
    }
}

extension RhythmInsight: DeclaredObject {
    /// The insight as JSON: `id`, `kind`, `title`, `text`, `confidence`, `numbers` by name, `created` and `expires` by the
    /// local clock.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RhythmInsight>(
        .field("id", \.id, "the same on each day on which the finding holds"),
        .optional("status", \.status?.rawValue, "in a report: `new` or `unchanged`"),
        .field("kind", \.kind.rawValue),
        .field("title", \.title),
        .field("text", \.text),
        .field("confidence", \.roundedConfidence),
        .members("numbers", { $0.numbers.map { ($0.name, $0.value) } }, by: "name"),
        .field("created", \.created),
        .field("expires", \.expires))
}
