/// The published intervals by age, the starting point of forecasts.
///
/// Each is a curve: linear between the middles of published ranges, each at the middle of its ages, and constant beyond
/// the first and the last. Published ranges are rounded, and sources differ by a quarter; how much babies differ from
/// the curves is in the models' `PriorSpread`.
public enum AgeTable {
    /// The middles of the published wake windows, in minutes, at ages in days.
    ///
    /// - D. Rimmon and J. Ellsworth, "Wake windows and sleep schedules by age", summerhealth.com. In minutes: up to one
    ///   month 30 to 60, two months 60 to 90, three 75 to 120, four 90 to 120. In hours: five and six months 2 to 3,
    ///   seven to ten 2½ to 3½, eleven and twelve 3 to 4.
    /// - M. Treeby, "Baby wake windows by age", pampers.com. Older babies: 4 to 6 hours.
    private static let wakeWindows: [(days: Double, minutes: Double)] = [
        (15, 45), (45, 75), (75, 97.5), (105, 105), (150, 150), (255, 180), (350, 210), (450, 300),
    ]
    /// The middles of the published times between feeds, in minutes, at ages in days.
    ///
    /// - "Feeding your infant: when and how much", texashealth.org, after the American Academy of Pediatrics: newborns
    ///   every 2 to 3 hours, at two months every 3 to 4, at six months every 4 to 5.
    /// - "Breastfeeding: how much and how often", first5parents.org, after the Centers for Disease Control: in the
    ///   first months every 2 to 4 hours.
    /// - "Infant feeding guide", coloradowic.gov: at four and five months every 3 to 4 hours.
    private static let feedIntervals: [(days: Double, minutes: Double)] = [
        (15, 150), (60, 195), (135, 210), (210, 270),
    ]
    /// The middles of the published lengths of naps, in minutes, at ages in days.
    ///
    /// - "Baby sleep schedule", calculator-ai.in: naps of newborns last from half an hour to two hours.
    /// - "What to expect", gentlesleepsecrets.com: at three to six months, 4 to 5 hours in 3 to 5 naps.
    private static let naps: [(days: Double, minutes: Double)] = [(15, 75), (135, 67.5)]
    /// The middles of the published lengths of sleeps at night, in minutes, at ages in days.
    ///
    /// - "How much sleep does a baby need?", babyexpert.com: newborns sleep for 2 to 4 hours at a time, and for six at
    ///   night by the end of the third month.
    /// - "What to expect", gentlesleepsecrets.com: nights of 9½ to 10½ hours.
    private static let nights: [(days: Double, minutes: Double)] = [(15, 180), (90, 360), (180, 600)]
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

    /// The published length of a nap, in minutes, at an age in days.
    static func nap(ageInDays days: Double?) -> Double { interval(in: naps, ageInDays: days) }

    /// The published length of a sleep at night, in minutes, at an age in days.
    static func nightSleep(ageInDays days: Double?) -> Double { interval(in: nights, ageInDays: days) }

    private static func interval(in table: [(days: Double, minutes: Double)], ageInDays days: Double?) -> Double {
        let days = days ?? unknownAge
        let next = table.partition { $0.days < days }
        guard next > 0, next < table.count else { return table[min(next, table.count - 1)].minutes }
        let (before, after) = (table[next - 1], table[next])
        return before.minutes
            + (after.minutes - before.minutes) * (days - before.days) / (after.days - before.days)
    }
}
