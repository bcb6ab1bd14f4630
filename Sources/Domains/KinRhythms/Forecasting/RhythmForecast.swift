public import KinCore
public import KinForecasting
import KinJSON

/// When the next nap or feed is, as told at one instant.
public struct RhythmForecast: Sendable, Hashable {
    /// What is forecast.
    public let kind: RhythmKind
    /// When it was told.
    public let now: Timestamp
    /// The event is as likely before it as after.
    public let point: Timestamp
    /// The lower end of the interval.
    public let lower: Timestamp
    /// The upper end of the interval.
    public let upper: Timestamp
    /// How much of the probability the interval is meant to hold.
    public let coverage: Double
    /// The probability that the event falls within 30 minutes of the point, calibrated on this log's past.
    public let confidence: Double
    /// Which sleep comes next; nil for feeds.
    public let sleep: Sleep?
    /// How long that sleep or feed will take, in minutes, by those of its kind about this time of day; nil when the log does not tell yet.
    public let durationMinutes: Double?
    /// What the forecast rests on.
    public let basis: Basis
    /// Minutes from the event that it counts from (the waking, the feed) to the next one.
    public let distribution: TimeDistribution
    /// The event that the distribution counts from.
    public let anchor: Timestamp

    /// What the next sleep is.
    public enum Sleep: String, Sendable, Hashable, CaseIterable {
        /// A sleep by day; every sleep, until the log has two days to tell the night from.
        case nap
        /// The first sleep of the night.
        case bedtime
        /// One more sleep of a night that has begun.
        case night
    }

    /// Facts for the sentence that explains a forecast.
    public struct Basis: Sendable, Hashable {
        /// Whether the baby is asleep, by the log, so that waking comes first.
        public let isAsleep: Bool
        /// Intervals of this log that it rests on; 0 means the age table alone.
        public let intervals: Int
        /// Minutes of the last sleep.
        public let lastSleep: Double?
        /// Sleeps since four in the morning.
        public let sleepsToday: Int
        /// Minutes asleep in the last 24 hours.
        public let asleepLastDay: Double
    }

    /// P(the event comes within `minutes` from `now` on), given that it has not come yet.
    public func probability(within minutes: Double) -> Double {
        let elapsed = now.localMinutes - anchor.localMinutes
        return distribution.hazard(at: max(0, elapsed), within: minutes + max(0, -elapsed))
    }
}

extension RhythmForecast {
    /// The forecast as JSON: `now`, `point`, `lower`, `upper` by the local clock, `confidence` to four decimals,
    /// `duration_minutes` to one, and `kind`: `nap`, `bedtime`, `night` or `feed`; in this order.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, instant) in [("now", now), ("point", point), ("lower", lower), ("upper", upper)] {
                writer.member(name) { $0.string(LocalClock.text(instant)) }
            }
            writer.member("confidence") { $0.number((confidence * 1e4).rounded() / 1e4) }
            writer.member("duration_minutes") { writer in
                if let minutes = durationMinutes {
                    writer.number((minutes * 10).rounded() / 10)
                } else {
                    writer.null()
                }
            }
            writer.member("kind") { $0.string(sleep?.rawValue ?? kind.rawValue) }
        }
        return writer.text
    }
}

/// What is forecast.
public enum RhythmKind: String, Sendable, Hashable, CaseIterable {
    /// The next time the baby falls asleep.
    case nap
    /// The next meal.
    case feed
}
