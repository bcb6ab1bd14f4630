/// The sleep of a baby at an instant, as known to its forecast.
package struct SleepState: Sendable, DeclaredObject {
    package let outlook: RhythmOutlook

    private var basis: RhythmForecast.Basis? { outlook.forecast?.basis }

    package static let schema = ObjectSchema<SleepState>(
        .field("now", \.outlook.now),
        .optional("reason", \.outlook.unavailability, "instead of the other fields: why no nap is forecast"),
        .optional("is_asleep", \.basis?.isAsleep),
        .optional("last_sleep_minutes", { $0.basis.map { $0.lastSleep } }),
        .optional("sleeps_today", \.basis?.sleepsToday, "ended, and begun since 04:00 by the log's clock"),
        .optional("asleep_last_day_minutes", \.basis?.asleepLastDay))
}
