public import KinCore

/// When a person may be notified; what these rules forbid never happens.
public struct NotificationRules: Sendable, Hashable {
    /// The part of the day in which notifications may come.
    public let window: DailyWindow
    /// Parts in which they do not, even so.
    public let quietHours: [DailyWindow]
    /// How many may come on one day.
    public let dailyBudget: Int

    /// Rules.
    public init(window: DailyWindow, quietHours: [DailyWindow] = [], dailyBudget: Int = 1) {
        self.window = window
        self.quietHours = quietHours
        self.dailyBudget = dailyBudget
    }

    /// The rules that a person's preferences set: nothing is allowed to who wants no notifications.
    public init(_ preferences: ChallengePreferences) {
        self.init(
            window: preferences.window, quietHours: preferences.quietHours,
            dailyBudget: preferences.wantsNotifications ? preferences.dailyBudget : 0)
    }

    /// Whether a notification may come when the clock shows this minute.
    public func allows(_ time: TimeOfDay) -> Bool {
        window.contains(time) && !quietHours.contains { $0.contains(time) }
    }

    /// Whether a notification may come at an instant, given when those before it came: to be asked again when one is sent, since the person
    /// may have travelled since it was planned.
    public func allows(_ instant: Timestamp, in zone: LocalZone, sent: some Sequence<Timestamp>) -> Bool {
        guard dailyBudget > 0, allows(zone.timeOfDay(at: instant)) else { return false }
        let today = zone.day(at: instant)
        return sent.count { zone.day(at: $0) == today } < dailyBudget
    }

    /// The instants of a day at which a notification may come, one for each allowed minute that the day has, ascending.
    ///
    /// A minute that the clock skips is left out; of one that comes twice the first is taken.
    func instants(of day: LocalDay, in zone: LocalZone) -> [(time: TimeOfDay, instant: Timestamp)] {
        let (start, end) = (zone.start(of: day), zone.start(of: day.advanced(by: 1)))
        let length = TimeOfDay.minutesPerDay * 60_000_000
        let isPlain = zone.isSteady(from: start, to: end) && end.microseconds - start.microseconds == length
        var instants: [(time: TimeOfDay, instant: Timestamp)] = []
        for number in 0..<TimeOfDay.minutesPerDay {
            let time = TimeOfDay(minute: number)
            guard allows(time) else { continue }
            if isPlain {
                instants.append((time, Timestamp(unchecked: start.microseconds + Int64(number) * 60_000_000)))
            } else {
                let instant = zone.instant(on: day, at: time)
                guard zone.timeOfDay(at: instant) == time, zone.day(at: instant) == day else { continue }
                instants.append((time, instant))
            }
        }
        return isPlain ? instants : instants.sorted { $0.instant < $1.instant }
    }
}
