/// The bedtimes of a log, each learned from all wakings of its day.
///
/// A day lasts from 03:00 to 03:00, so a bedtime after midnight belongs to the evening before.
struct BedtimeState: Sendable, Hashable {
    /// The largest number of a day's wakings that its bedtime is learned from; earlier ones are dropped.
    static let mostWakings = 12
    /// The clock time when a day begins, in minutes after midnight: 03:00.
    static let dayStart = 180.0

    var recurrence = Recurrence(model: RhythmModels.bedtime)
    /// The wakings by day of the latest day with any.
    var wakings: [Anchor] = []
    /// The number of the latest day with a bedtime; nil before the first.
    var latestDay: Double?

    /// The number of an instant's day, which lasts from 03:00 to 03:00.
    static func day(of minute: Double) -> Double { ((minute - dayStart) / DayCycle.minutesPerDay).rounded(.down) }

    /// Whether the bedtime of an instant's day has come.
    func isOver(at minute: Double) -> Bool { latestDay.map { Self.day(of: minute) <= $0 } ?? false }

    /// Records the waking from a sleep, and the bedtime if that sleep is the first of a night.
    mutating func woke(from sleep: RhythmState.Block, at anchor: Anchor) {
        if RhythmModels.isBedtime(sleep), !isOver(at: sleep.localStart) {
            let day = Self.day(of: sleep.localStart)
            latestDay = day
            recurrence.observe(
                sleep.start, after: wakings.filter { Self.day(of: $0.minute) == day && $0.instant < sleep.start },
                model: RhythmModels.bedtime)
        }
        guard RhythmModels.isByDay(anchor.minute) else { return }
        let day = Self.day(of: anchor.minute)
        // Remove wakings of other days, and from an earlier part of this sleep.
        wakings.removeAll { Self.day(of: $0.minute) != day || $0.instant >= sleep.start }
        if wakings.count == Self.mostWakings { wakings.removeFirst() }
        wakings.append(anchor)
    }
}
