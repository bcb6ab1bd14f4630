/// Data outside a record that a shape's conversions use.
struct ShapeContext: Sendable {
    /// The time zone of the person or, for an event, of the baby.
    var zone: LocalZone = .utc
    /// The instant of the import or export; nil for the dates as stored.
    var now: Timestamp?
    /// Whether unknown members are stored unread; otherwise they are errors.
    var keepsUnknown = false

    /// The instant of a date, or of a date and time without an offset, in the zone; the same text if it is neither.
    fileprivate func instant(of value: JSONTree) -> JSONTree {
        guard case .text(let text) = value, let day = try? LocalDay(parsing: String(text.prefix(10))),
            (try? LocalDateTime.instant(parsing: text)) == nil, let reading = try? LocalDateTime(parsing: text),
            let midnight = try? LocalDateTime(parsing: reading.date),
            let time = try? TimeOfDay(minutes: reading.localMinutes - midnight.localMinutes)
        else { return value }
        return .text(zone.instant(on: day, at: time).description)
    }
}

/// A conversion of a value between an app's format and Kin's.
struct ShapeConversion: Sendable {
    /// The conversion in a few words, for the description of a shape: "ounces to millilitres"; nil for an unchanged
    /// value.
    let description: String?
    /// The value in Kin's form.
    let read: @Sendable (JSONTree, ShapeContext) throws(KinError) -> JSONTree
    /// The value in the app's form.
    let write: @Sendable (JSONTree, ShapeContext) -> JSONTree
    /// Whether the app's value is an instant.
    var isTime = false

    /// A value that is not converted.
    static let same = ShapeConversion(description: nil, read: { value, _ in value }, write: { value, _ in value })

    /// A date or a local time, which the app writes as an instant.
    static let localTime = ShapeConversion(
        description: "the date and time of an instant, in the person's time zone",
        read: { value, context throws(KinError) in
            if case .text(let text) = value, (try? LocalDay(parsing: text)) != nil { return value }
            return .text(LocalDateTime(try AppInstant.instant(value), in: context.zone).dateOrDateTime)
        },
        write: { value, context in context.instant(of: value) }, isTime: true)

    /// An instant: ISO 8601 with an offset, a timestamp of Firestore, or seconds.
    static let instant = ShapeConversion(
        description: "an instant",
        read: { value, _ throws(KinError) in .text(try AppInstant.instant(value).description) },
        write: { value, context in context.instant(of: value) }, isTime: true)

    /// A Boolean, which CloudKit stores as 0 or 1, and forms as a text.
    static let boolean = ShapeConversion(
        description: "true or false, their texts, or 1 or 0",
        read: { value, _ in value.truth.map(JSONTree.boolean) ?? value }, write: { value, _ in value })

    /// The time of day of an instant, in the person's time zone.
    static let timeOfDay = ShapeConversion(
        description: "the time of day of an instant, in the person's time zone",
        read: { value, context throws(KinError) in
            if case .text(let text) = value, (try? TimeOfDay(parsing: text)) != nil { return value }
            return .text(LocalDateTime(try AppInstant.instant(value), in: context.zone).time)
        },
        write: { value, context in
            guard case .text(let text) = value, let time = try? TimeOfDay(parsing: text) else { return value }
            // On 2001-01-01, from which Swift counts a `Date`.
            let day = LocalZone.utc.day(at: Timestamp(unchecked: 978_307_200_000_000))
            return .text(context.zone.instant(on: day, at: time).description)
        }, isTime: true)

    /// A list, or a text of its elements.
    static let list = ShapeConversion(
        description: "a list, or its elements between commas",
        read: { value, _ in
            switch value {
            case .list: value
            case .text(let text): .list(text.split { $0 == "," }.map { .text(String($0.drop { $0 == " " })) })
            default: .list([value])
            }
        }, write: { value, _ in value })

    /// A number in a different unit.
    ///
    /// - Parameters:
    ///   - description: The two units: "ounces to millilitres".
    ///   - factor: The number of Kin's units in one of the app's units.
    static func scaled(_ description: String, by factor: Double) -> ShapeConversion {
        ShapeConversion(
            description: description,
            read: { value, _ throws(KinError) in
                guard let number = value.double else { throw KinError(.malformedInput, "it is not a number") }
                return .number(number * factor)
            }, write: { value, _ in value.double.map { .number($0 / factor) } ?? value })
    }

    /// A level that the app writes as a whole number or as a word.
    ///
    /// - Parameters:
    ///   - words: Kin's words in ascending order.
    ///   - first: The number of the first word.
    ///   - last: The largest number; numbers above that of the last word mean the last word. Default: its number.
    static func level(_ words: [String], from first: Int, to last: Int? = nil) -> ShapeConversion {
        let last = last ?? first + words.count - 1
        let range = "\(first)…\(last)"
        return ShapeConversion(
            description: "\(range) as \(words.joined(separator: ", "))",
            read: { value, _ throws(KinError) in
                guard let number = value.double else { return value }
                guard let level = Int(exactly: number), (first...last).contains(level) else {
                    throw KinError(
                        .invalidArgument,
                        "it must be \(range), or one of \(words.joined(separator: ", ")), not \(value.jsonText.prefix(80))"
                    )
                }
                return .text(words[min(level - first, words.count - 1)])
            },
            write: { value, _ in
                guard case .text(let word) = value, let level = words.firstIndex(of: word) else { return value }
                return .number("\(level + first)")
            })
    }
}

extension JSONTree {
    /// The value of a Boolean, of 0 or 1, and of the texts `true` and `false`; nil for other values.
    var truth: Bool? {
        switch self {
        case .boolean(let value): value
        case .text(let text): ["true": true, "false": false][text]
        default: double.flatMap { [0: false, 1: true][$0] }
        }
    }
}

/// A field of an app's record, and the path of its value in Kin's record.
struct ShapeField: Sendable {
    /// The names of the members in the app's record, from the outermost in.
    let theirs: [String]
    /// The names in Kin's record.
    let ours: [String]
    let conversion: ShapeConversion
    /// The rule for a value that Kin's record does not have.
    let rule: Rule

    /// When a field's value counts, and when its original is returned.
    enum Rule: Sendable {
        /// The value always counts, and the original is returned while it reads as the present value.
        case counts
        /// The value counts if no other field has a value. The original is always returned.
        case fallback
        /// The value counts if no other field has a value. Only its original is written.
        case alias
        /// The value may not count. The original is returned while it reads as the present value, or if Kin's record
        /// has no value.
        case mayNotCount
    }

    /// Declares a field by two paths, such as `feedData.volume` and `event.volume`; an empty path is the whole record.
    init(_ theirs: String, _ ours: String, _ conversion: ShapeConversion = .same, _ rule: Rule = .counts) {
        self.theirs = Self.path(theirs)
        self.ours = Self.path(ours)
        self.conversion = conversion
        self.rule = rule
    }

    static func path(_ text: String) -> [String] { text.split(separator: ".").map(String.init) }
}

/// Instants in the formats of apps.
enum AppInstant {
    /// The members of Firestore's objects; its web interface adds `type`.
    private static let parts: Set = ["seconds", "nanoseconds", "_seconds", "_nanoseconds", "type"]

    /// Whether an app's time has a form other than text.
    static func isForm(_ value: JSONTree) -> Bool { value.double != nil || !value.members.isEmpty }

    /// An instant in the form of a number or an object that ``instant(_:)`` reads; the same value if it is not an instant.
    static func written(_ value: JSONTree, as form: JSONTree) -> JSONTree {
        guard isForm(form), case .text(let text) = value, let instant = try? Timestamp(parsing: text) else {
            return value
        }
        if let number = form.double {
            let seconds = Double(instant.microseconds) / 1e6
            return .number(number < 1e9 ? seconds - 978_307_200 : number < 1e11 ? seconds : seconds * 1000)
                .withWholeNumbers
        }
        let (seconds, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let parts = ["seconds": seconds, "nanoseconds": rest * 1000]
        return .object(
            form.members.map { member in
                let part = parts[member.name] ?? parts[String(member.name.dropFirst())]
                let isKept = ["type", "__datatype__"].contains(member.name)
                let other = isKept ? member.value : written(value, as: member.value)
                return JSONTree.Member(name: member.name, value: part.map { .number("\($0)") } ?? other)
            })
    }

    /// Reads ISO 8601 with an offset; an object of `seconds` and `nanoseconds`, with or without `_` in front, of `__time__`
    /// or of `timestampValue` (Firestore); seconds or milliseconds since 1970; or seconds since 2001, as Swift encodes a
    /// `Date`.
    ///
    /// Numbers below 10⁹ count from 2001, and numbers from 10¹¹ on are milliseconds, so that every result is in 2001 or
    /// later.
    static func instant(_ value: JSONTree) throws(KinError) -> Timestamp {
        switch value {
        case .text(let text):
            if let instant = try LocalDateTime.instant(parsing: text) { return instant }
        case .object(let members) where members.count == 1 && ["__time__", "timestampValue"].contains(members[0].name):
            return try instant(members[0].value)
        case .object where value[path: ["__datatype__"]] != nil:
            return try instant(value[path: ["value"]] ?? .null)
        case .object(let members) where members.allSatisfy { parts.contains($0.name) }:
            let seconds = value[path: ["seconds"]] ?? value[path: ["_seconds"]]
            let parts = value[path: ["nanoseconds"]] ?? value[path: ["_nanoseconds"]]
            guard let seconds = seconds?.double, abs(seconds) < 0x1p40, let whole = Int64(exactly: seconds),
                case let fraction = parts?.double ?? 0, (0..<1e9).contains(fraction)
            else { break }
            return try Timestamp(microseconds: whole * 1_000_000 + Int64((fraction / 1000).rounded()))
        case .number:
            guard let number = value.double else { break }
            if number < 1e9 { return try Timestamp(seconds: number + 978_307_200) }
            return try Timestamp(seconds: number < 1e11 ? number : number / 1000)
        default: break
        }
        throw KinError(
            .malformedInput,
            "it is not an instant; write ISO 8601 with an offset, an object of seconds and nanoseconds, or seconds since 1970"
        )
    }
}
