/// A time of day by a local clock: 00:00 to before 24:00, without a date and a zone.
public struct TimeOfDay: Sendable, Hashable {
    /// Minutes after midnight, 0 ..< 1440, with fractions.
    public let minutes: Double

    /// The number of minutes in a day, 1,440.
    public static let minutesPerDay = 1440

    /// Creates a time of day from minutes after midnight.
    ///
    /// - Parameter minutes: 0 ..< 1440; may have fractions.
    /// - Throws: `.notFinite`, or `.invalidArgument` outside that range.
    public init(minutes: Double) throws(KinError) {
        guard minutes.isFinite else { throw KinError(.notFinite, "\(minutes) minutes are not a time of day") }
        guard (0..<1440).contains(minutes) else {
            throw KinError(.invalidArgument, "a time of day is 0 to below 1440 minutes after midnight, not \(minutes)")
        }
        self.minutes = minutes
    }

    /// Creates a time of day from an hour and a minute.
    ///
    /// - Parameters:
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    /// - Throws: `.invalidArgument` outside these ranges.
    public init(hour: Int, minute: Int = 0) throws(KinError) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else {
            throw KinError(.invalidArgument, "there is no time of day \(hour):\(minute)")
        }
        minutes = Double(hour * 60 + minute)
    }

    /// Reads `06:30` or `6:30`: one or two digits, a colon, two digits.
    ///
    /// - Parameter text: The text of the time and nothing else.
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        let bytes = Array((text.utf8.count == 4 ? "0\(text)" : text).utf8)
        let digits = [0, 1, 3, 4].map { $0 < bytes.count ? Int(bytes[$0]) - 0x30 : -1 }
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), digits.allSatisfy({ (0...9).contains($0) }),
            case let (hour, minute) = (10 * digits[0] + digits[1], 10 * digits[2] + digits[3]), hour < 24, minute < 60
        else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a time of day; write 06:30")
        }
        minutes = Double(60 * hour + minute)
    }

    /// Creates a time of day from whole minutes after midnight.
    ///
    /// - Parameter minute: 0 to 1439; not checked.
    package init(minute: Int) { minutes = Double(minute) }

    /// The whole minutes after midnight, 0 to 1439.
    public var minute: Int { Int(minutes) }
}

extension TimeOfDay: Comparable {
    public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { a.minutes < b.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The hour and the minute, `06:30`; fractions of the minute are dropped.
    public var description: String { "\(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10)" }
}

/// A part of the day by a local clock: 05:00, 07:00, 12:00, 17:00 and 21:00 are the boundaries.
public enum DayPart: Int, Sendable, Hashable, NamedCase {
    /// 05:00 to before 07:00.
    case dawn
    /// 07:00 to before 12:00.
    case morning
    /// 12:00 to before 17:00.
    case afternoon
    /// 17:00 to before 21:00.
    case evening
    /// 21:00 to before 05:00 of the next day.
    case night

    /// The names of all parts, in the order of the day.
    public static let names = ["dawn", "morning", "afternoon", "evening", "night"]

    /// The beginnings of the parts, in minutes after midnight; night, the last part, lasts until the first.
    package static let beginnings: [Double] = [5 * 60, 7 * 60, 12 * 60, 17 * 60, 21 * 60]

    /// The part that contains a time of day.
    public init(at time: TimeOfDay) {
        let last = Self.beginnings.lastIndex { $0 <= time.minutes }
        self = last.map { Self.allCases[$0] } ?? .night
    }
}

extension DayPart: CustomStringConvertible {
    public var description: String { name }
}

extension TimeOfDay {
    /// The middle of a part of the day; 01:00 for the night.
    public init(middleOf part: DayPart) {
        let begin = DayPart.beginnings[part.rawValue]
        let end = part == .night ? DayPart.beginnings[0] + 1440 : DayPart.beginnings[part.rawValue + 1]
        minutes = ((begin + end) / 2).truncatingRemainder(dividingBy: 1440)
    }
}

/// A daily window by a local clock: from one time of day to before a second one, over midnight if the end is earlier
/// than the start.
///
/// If the start equals the end, the window is the whole day.
public struct DailyWindow: Sendable, Hashable {
    /// The first time of day in the window.
    public let start: TimeOfDay
    /// The first time of day after the window.
    public let end: TimeOfDay

    /// Creates the window from `start` to before `end`.
    public init(from start: TimeOfDay, to end: TimeOfDay) {
        self.start = start
        self.end = end
    }

    /// Reads a window such as `08:00-21:30`.
    ///
    /// - Parameter text: Two times of day with a hyphen between them.
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = try? TimeOfDay(parsing: String(parts[0])),
            let end = try? TimeOfDay(parsing: String(parts[1]))
        else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a part of the day; write 08:00-21:30")
        }
        self.init(from: start, to: end)
    }

    /// Whether the window contains a time of day.
    public func contains(_ time: TimeOfDay) -> Bool {
        start < end ? start <= time && time < end : start <= time || time < end
    }
}

extension DailyWindow: CustomStringConvertible {
    /// The text that ``init(parsing:)`` reads: `08:00-21:30`.
    public var description: String { "\(start)-\(end)" }
}
