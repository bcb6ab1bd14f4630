/// A day of the calendar as people somewhere count it, without the place: 2026-11-21.
public struct LocalDay: Sendable, Hashable {
    /// Days since 1970-01-01.
    public let number: Int

    /// The day so many days after 1970-01-01.
    ///
    /// - Throws: `.invalidArgument` outside the years 0 to 9999.
    public init(number: Int) throws(KinError) {
        guard Self.range.contains(number) else {
            throw KinError(.invalidArgument, "day \(number) since 1970 lies outside the years 0 to 9999")
        }
        self.number = number
    }

    /// Reads `2026-11-21`.
    ///
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        guard text.utf8.count == 10, let instant = try? Timestamp(parsing: text) else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a day; write 2026-11-21")
        }
        number = Int(instant.microseconds / CivilDate.microsecondsPerDay)
    }

    /// The day of a number, or the calendar's first or last where it has no such day: east of Greenwich the year 10000 begins hours before
    /// the last instant of 9999.
    package init(clamping number: Int) {
        self.number = min(max(number, Self.range.lowerBound), Self.range.upperBound)
    }

    /// 0000-01-01 to 9999-12-31.
    package static let range = -719_528...2_932_896

    /// The day so many days later, at most the calendar's last.
    public func advanced(by days: Int) -> LocalDay {
        let (sum, isBeyond) = number.addingReportingOverflow(days)
        return LocalDay(clamping: isBeyond ? (days < 0 ? .min : .max) : sum)
    }

    /// The day of the week.
    public var weekday: Weekday { Weekday.allCases[((number + 3) % 7 + 7) % 7] }

    /// Microseconds from the beginning of 1970 to the day's beginning where the clock is UTC.
    package var microseconds: Int64 { Int64(number) * CivilDate.microsecondsPerDay }
}

extension LocalDay: Comparable {
    public static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }
}

extension LocalDay: CustomStringConvertible {
    /// `2026-11-21`.
    public var description: String { String(Timestamp(unchecked: microseconds).description.prefix(10)) }
}

/// A day of the week.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
    /// The first by ISO 8601.
    case monday
    /// The second.
    case tuesday
    /// The third.
    case wednesday
    /// The fourth.
    case thursday
    /// The fifth, and the last before the weekend.
    case friday
    /// The first day of the weekend.
    case saturday
    /// The last day of the week.
    case sunday

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self == .saturday || self == .sunday }

    /// The name in files and JSON.
    public var name: String { Self.names[rawValue] }

    /// All names, Monday first.
    public static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
