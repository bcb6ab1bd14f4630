/// What is published for an age: where forecasts begin, before a log says anything.
public enum AgeTable {
    /// The middle of the published wake window, in minutes: Cleveland Clinic, "Wake windows by age" (Health Essentials).
    private static let wakeWindows: [(days: Double, minutes: Double)] = [
        (30, 45), (91, 90), (152, 112), (213, 180), (304, 210), (426, 255), (.infinity, 300),
    ]
    /// The middle of the published time between feeds, in minutes: American Academy of Pediatrics, "How often and how much should
    /// your baby eat?" (HealthyChildren.org).
    private static let feedIntervals: [(days: Double, minutes: Double)] = [
        (30, 150), (91, 180), (182, 210), (.infinity, 240),
    ]
    /// Where the age is not known: a baby of three months.
    private static let unknownAge = 90.0

    /// The published interval before the next nap or feed, in minutes, at an age in days.
    public static func interval(of kind: RhythmKind, ageInDays days: Double?) -> Double {
        let table = kind == .nap ? wakeWindows : feedIntervals
        return (table.first { (days ?? unknownAge) < $0.days } ?? table[table.count - 1]).minutes
    }
}
