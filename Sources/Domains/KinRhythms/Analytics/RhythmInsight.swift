public import KinCore
public import KinJSON

/// Something worth telling about a log, with the numbers that it rests on.
public struct RhythmInsight: Sendable, Hashable {
    /// What it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// How things are.
        case pattern
        /// What to do about it.
        case recommendation
        /// What has been reached.
        case achievement
    }

    /// A number that it rests on, with its name and unit: `median_minutes`.
    public struct Number: Sendable, Hashable {
        /// What it is.
        public let name: String
        /// How much.
        public let value: Double
    }

    /// What it is.
    public let kind: Kind
    /// A few words.
    public let title: String
    /// A sentence, made from a fixed template and the numbers.
    public let text: String
    /// From 0 to 1: of a pattern the share of days that it held, of a change or a relation one minus its p, of something counted 1.
    public let confidence: Double
    /// What it rests on.
    public let numbers: [Number]
    /// The last instant that it looks back from.
    public let created: Timestamp
    /// When it is to be asked for anew.
    public let expires: Timestamp

    init(
        _ kind: Kind, _ title: String, _ text: String, confidence: Double, numbers: KeyValuePairs<String, Double>,
        created: Timestamp, days: Double
    ) {
        self.kind = kind
        self.title = title
        self.text = text
        self.confidence = confidence
        self.numbers = numbers.map { Number(name: $0.key, value: $0.value) }
        self.created = created
        expires = Timestamp(localMinutes: created.localMinutes + days * 1440)
    }
}

/// Minutes and changes as insights say them.
enum InsightText {
    /// `35 min`, `1 h 05`.
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

extension RhythmInsight: JSONWritable {
    /// The insight as JSON: `kind`, `title`, `text`, `confidence`, `numbers` by name, `created` and `expires` by the local clock.
    public var json: String { jsonText }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind") { $0.string(kind.rawValue) }
            writer.member("title") { $0.string(title) }
            writer.member("text") { $0.string(text) }
            writer.member("confidence") { $0.number((confidence * 1e6).rounded() / 1e6) }
            writer.member("numbers") { writer in
                writer.object { writer in
                    for number in numbers { writer.member(number.name) { $0.number(number.value) } }
                }
            }
            writer.member("created") { $0.string(LocalClock.text(created)) }
            writer.member("expires") { $0.string(LocalClock.text(expires)) }
        }
    }
}
