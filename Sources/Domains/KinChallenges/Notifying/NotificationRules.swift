/// The hard rules of notifications: the window, the quiet hours and the daily budget.
public struct NotificationRules: Sendable, Hashable {
    /// The daily window for notifications.
    public let window: DailyWindow
    /// The daily windows without notifications, even within the window.
    public let quietHours: [DailyWindow]
    /// The largest number of notifications on a day; 0 or less allows none.
    public let dailyBudget: Int

    /// Creates rules from their parts.
    public init(window: DailyWindow, quietHours: [DailyWindow] = [], dailyBudget: Int = 1) {
        self.window = window
        self.quietHours = quietHours
        self.dailyBudget = dailyBudget
    }

    /// Creates the rules from a person's preferences; the budget is 0 if the person wants no notifications.
    public init(_ preferences: ChallengePreferences) {
        self.init(
            window: preferences.window, quietHours: preferences.quietHours,
            dailyBudget: preferences.wantsNotifications ? preferences.dailyBudget : 0)
    }

    /// Whether notifications are allowed at a time of day.
    public func allows(_ time: TimeOfDay) -> Bool {
        window.contains(time) && !quietHours.contains { $0.contains(time) }
    }

    /// The allowed minutes of a day, with their instants, ascending.
    ///
    /// Minutes that the clock skips are left out; for minutes that occur twice, the first instant counts.
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
