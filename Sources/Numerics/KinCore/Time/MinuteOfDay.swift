/// A minute of the clock on the wall: 00:00 to 23:59.
public struct MinuteOfDay: Sendable, Hashable {
    /// Minutes after 00:00: 0 to 1439.
    public let minutes: Int

    /// How many a day has by the clock.
    public static let count = 1440

    /// A minute by its number.
    ///
    /// - Throws: `.invalidArgument` outside 0 to 1439.
    public init(_ minutes: Int) throws(KinError) {
        guard (0..<Self.count).contains(minutes) else {
            throw KinError(.invalidArgument, "a minute of the day is 0 to 1439, not \(minutes)")
        }
        self.minutes = minutes
    }

    /// Reads `06:30`.
    ///
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        let bytes = Array(text.utf8)
        let digits = [0, 1, 3, 4].map { $0 < bytes.count ? Int(bytes[$0]) - 0x30 : -1 }
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), digits.allSatisfy({ (0...9).contains($0) }),
            case let (hour, minute) = (10 * digits[0] + digits[1], 10 * digits[2] + digits[3]), hour < 24, minute < 60
        else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a time of day; write 06:30")
        }
        minutes = 60 * hour + minute
    }

    package init(unchecked minutes: Int) { self.minutes = minutes }
}

extension MinuteOfDay: Comparable {
    public static func < (a: MinuteOfDay, b: MinuteOfDay) -> Bool { a.minutes < b.minutes }
}

extension MinuteOfDay: CustomStringConvertible {
    /// `06:30`.
    public var description: String { "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)" }
}

/// A part of the day by the clock, from a minute to before another, past midnight when the end comes first. From a minute to itself is
/// the whole day.
public struct ClockSpan: Sendable, Hashable {
    /// The first minute.
    public let start: MinuteOfDay
    /// The first minute after it.
    public let end: MinuteOfDay

    /// The span from one minute to before another.
    public init(from start: MinuteOfDay, to end: MinuteOfDay) {
        self.start = start
        self.end = end
    }

    /// Reads `08:00-21:30`.
    ///
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = try? MinuteOfDay(parsing: String(parts[0])),
            let end = try? MinuteOfDay(parsing: String(parts[1]))
        else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a part of the day; write 08:00-21:30")
        }
        self.init(from: start, to: end)
    }

    /// Whether a minute lies in it.
    public func contains(_ minute: MinuteOfDay) -> Bool {
        start < end ? start <= minute && minute < end : start <= minute || minute < end
    }
}

extension ClockSpan: CustomStringConvertible {
    /// `08:00-21:30`.
    public var description: String { "\(start)-\(end)" }
}
