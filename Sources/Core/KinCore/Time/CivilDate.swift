/// A day of the Gregorian calendar, extended to the years before its introduction.
///
/// The conversions are Howard Hinnant's ("chrono-Compatible Low-Level Date Algorithms", 2013): years begin in March, so
/// that the leap day is the last day of its year, and repeat every 400 years, which are 146,097 days.
package struct CivilDate {
    /// The astronomical year: 0 is 1 BC.
    package let year: Int64
    /// The month of the year, 1 to 12.
    package let month: Int64
    /// The day of the month, 1 or more.
    package let day: Int64

    /// The length of a day without clock changes, in microseconds.
    package static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Creates a day of the years 0 to 9999; nil if the calendar has no such day.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let lengths: [Int64] = [31, Self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether a year has a February 29.
    static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Creates the first day of a month, 1 to 12, of any year; the year is not checked.
    init(firstOfYear year: Int64, month: Int64) {
        self.year = year
        self.month = month
        day = 1
    }

    /// Creates the day that is a number of days after 1970-01-01.
    package init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days from 1970-01-01 to this day.
    package var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
