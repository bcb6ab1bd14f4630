/// The published intervals by age, the starting point of forecasts.
///
/// Published ranges are rounded, and sources differ by a quarter; the table contains their middles.
public enum AgeTable {
    /// The middle of the published wake window, in minutes, up to an age in days.
    ///
    /// - D. Rimmon and J. Ellsworth, "Wake windows and sleep schedules by age", summerhealth.com. In minutes: up to one
    ///   month 30 to 60, two months 60 to 90, three 75 to 120, four 90 to 120. In hours: five and six months 2 to 3,
    ///   seven to ten 2½ to 3½, eleven and twelve 3 to 4.
    /// - M. Treeby, "Baby wake windows by age", pampers.com. Older babies: 4 to 6 hours.
    private static let wakeWindows: [(days: Double, minutes: Double)] = [
        (45, 45), (75, 75), (105, 97.5), (135, 105), (200, 150), (320, 180), (400, 210), (.infinity, 300),
    ]
    /// The middle of the published time between feeds, in minutes, up to an age in days.
    ///
    /// "Feeding your infant: when and how much", texashealth.org, after the American Academy of Pediatrics: newborns
    /// every 2 to 3 hours, at two months every 3 to 4, at six months every 4 to 5.
    private static let feedIntervals: [(days: Double, minutes: Double)] = [
        (45, 150), (150, 210), (.infinity, 270),
    ]
    /// The age in days of a baby without a day of birth: three months.
    private static let unknownAge = 90.0

    /// The published interval before the next nap or feed, in minutes, at an age in days; nil for other kinds, which
    /// have no published interval.
    public static func interval(of kind: RhythmKind, ageInDays days: Double?) -> Double? {
        switch kind {
        case .nap: interval(in: wakeWindows, ageInDays: days)
        case .feed: interval(in: feedIntervals, ageInDays: days)
        case .wakeUp, .bedtime, .nightWaking: nil
        }
    }

    /// The published time awake before a sleep, in minutes, at an age in days.
    static func wakeWindow(ageInDays days: Double?) -> Double { interval(in: wakeWindows, ageInDays: days) }

    /// The published time between feeds, in minutes, at an age in days.
    static func feedInterval(ageInDays days: Double?) -> Double { interval(in: feedIntervals, ageInDays: days) }

    private static func interval(in table: [(days: Double, minutes: Double)], ageInDays days: Double?) -> Double {
        (table.first { (days ?? unknownAge) < $0.days } ?? table[table.count - 1]).minutes
    }
}
