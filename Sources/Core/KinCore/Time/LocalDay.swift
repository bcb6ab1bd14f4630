/// A day of the Gregorian calendar without a zone, such as 2026-11-21, in the years 0 to 9999.
public struct LocalDay: Sendable, Hashable {
    /// The number of days since 1970-01-01.
    public let number: Int

    /// Creates a day from the number of days since 1970-01-01.
    ///
    /// - Parameter number: −719,528 to 2,932,896.
    /// - Throws: `.invalidArgument` outside the years 0 to 9999.
    public init(number: Int) throws(KinError) {
        guard Self.range.contains(number) else {
            throw KinError(.invalidArgument, "day \(number) since 1970 is outside the years 0 to 9999")
        }
        self.number = number
    }

    /// Reads a day in ISO 8601, `2026-11-21`.
    ///
    /// - Parameter text: Ten characters: four digits, a hyphen, two digits, a hyphen, two digits.
    /// - Throws: `.malformedInput`.
    public init(parsing text: String) throws(KinError) {
        guard text.utf8.count == 10, let instant = try? Timestamp(parsing: text) else {
            throw KinError(.malformedInput, "\"\(text.prefix(40))\" is not a day; write 2026-11-21")
        }
        number = Int(instant.microseconds / CivilDate.microsecondsPerDay)
    }

    /// The day of a number, clamped to the calendar: east of Greenwich the year 10000 begins hours before the last
    /// instant of 9999.
    package init(clamping number: Int) {
        self.number = min(max(number, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The numbers of 0000-01-01 to 9999-12-31.
    package static let range = -719_528...2_932_896

    /// The day that is a number of days later or, for negative numbers, earlier; clamped to the calendar.
    public func advanced(by days: Int) -> LocalDay {
        let (sum, isBeyond) = number.addingReportingOverflow(days)
        return LocalDay(clamping: isBeyond ? (days < 0 ? .min : .max) : sum)
    }

    /// The day of the week of this day.
    public var weekday: Weekday { Weekday.allCases[(number + 3).dividingRoundingDown(by: 7).remainder] }

    /// Microseconds since 1970 at the day's midnight in UTC.
    package var microseconds: Int64 { Int64(number) * CivilDate.microsecondsPerDay }
}

extension LocalDay: Comparable {
    public static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }
}

extension LocalDay: CustomStringConvertible {
    /// The day in ISO 8601, `2026-11-21`.
    public var description: String { String(Timestamp(unchecked: microseconds).description.prefix(10)) }
}

/// A day of the week; Monday is the first (ISO 8601).
public enum Weekday: Int, Sendable, Hashable, NamedCase, CustomStringConvertible {
    /// The first day of the week.
    case monday
    /// The second day of the week.
    case tuesday
    /// The third day of the week.
    case wednesday
    /// The fourth day of the week.
    case thursday
    /// The fifth day, the last before the weekend.
    case friday
    /// The first day of the weekend.
    case saturday
    /// The last day of the week.
    case sunday

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self == .saturday || self == .sunday }

    /// The name of the day.
    public var description: String { name }

    /// The names of all days, Monday first.
    public static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
