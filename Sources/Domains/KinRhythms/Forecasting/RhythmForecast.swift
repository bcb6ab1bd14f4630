/// A forecast of the next event of one kind, made at one instant.
public struct RhythmForecast: Sendable, Hashable {
    /// The kind of the forecast event.
    public internal(set) var kind: RhythmKind
    /// The instant of the forecast.
    public let now: LoggedTime
    /// The median of the predicted time.
    public let point: LoggedTime
    /// The lower end of the interval.
    public let lower: LoggedTime
    /// The upper end of the interval.
    public let upper: LoggedTime
    /// The nominal coverage of the interval, 0…1.
    public let coverage: Double
    /// The probability that the event occurs within 30 minutes of the point, calibrated on the log's past.
    public let confidence: Double
    /// The kind of the next sleep; nil for kinds other than naps.
    public let sleep: Sleep?
    /// The expected duration of that sleep or feed in minutes.
    ///
    /// For a sleep it is the forecast of its end from ``point``, for a feed the median of the last ones. For a running
    /// sleep it is the time from its beginning to ``point``. Nil for bedtimes, and for feeds until one was logged with
    /// its end.
    public let durationMinutes: Double?
    /// The interval of the duration in minutes, with the nominal ``coverage``; nil if ``durationMinutes`` is.
    public let durationRange: ClosedRange<Double>?
    /// The observations behind the forecast.
    public let basis: Basis
    /// The distribution of the minutes from the anchor (the waking, the feed, the beginning of a running sleep) to the
    /// next event. For the next nap of a sleeping baby, it contains the uncertainty of the waking.
    public let distribution: TimeDistribution
    /// The anchor of the distribution, its minute 0.
    public let anchor: LoggedTime
    /// The doubt about the log; nil for none. A row is probably missing: the running sleep is longer than nearly all
    /// sleeps from its time of day, or the last sleep or feed is longer ago than nearly all such times.
    public let doubt: String?
    /// A remark on the clock of the log; nil if its zone is known.
    package internal(set) var remark: String?

    /// The doubts about the forecast: a running sleep that is too long, a log that has stopped, and times in UTC without a
    /// zone; nil for none.
    public var note: String? { Self.note([doubt, remark]) }

    /// Joins doubts; nil for none.
    static func note(_ doubts: [String?]) -> String? {
        let doubts = doubts.compactMap(\.self)
        return doubts.isEmpty ? nil : doubts.joined(separator: "; ")
    }

    /// The remark on a running sleep that is too long.
    package static let overlong =
        "the running sleep is longer than nearly all others, so its end is probably not logged; log it, or remove the sleep"

    /// The remark on a log that has probably stopped.
    static func stopped(_ kind: RhythmKind) -> String {
        let event = kind == .feed ? "feed" : "sleep"
        return
            "no \(event) is logged for longer than nearly all times between two, so the log has probably stopped; "
            + "log each \(event) since then"
    }

    /// The kinds of sleep.
    public enum Sleep: String, Sendable, Hashable, CaseIterable {
        /// A sleep by day; any sleep until the log has two days, the minimum for finding the night.
        case nap
        /// The first sleep of the night.
        case bedtime
        /// A further sleep of a night that has begun.
        case night
    }

    /// The observations that explain a forecast.
    public struct Basis: Sendable, Hashable {
        /// Whether the baby is asleep according to the log, so that a waking comes first.
        public let isAsleep: Bool
        /// The number of the log's intervals used; 0 means the age table alone.
        public let intervals: Int
        /// The length of the last sleep, in minutes.
        public let lastSleep: Double?
        /// The number of sleeps since 04:00.
        public let sleepsToday: Int
        /// The minutes asleep in the last 24 hours, a running sleep included.
        public let asleepLastDay: Double
    }

    /// The probability that the event comes within `minutes` of `now`, given that it has not come yet.
    public func probability(within minutes: Double) -> Double {
        let elapsed = now.minutes(since: anchor)
        return distribution.hazard(at: max(0, elapsed), within: max(0, minutes + min(0, elapsed)))
    }
}

extension RhythmForecast {
    /// The forecast as JSON, with the members in this order: `now`, `point`, `lower`, `upper` by the local clock,
    /// `confidence` to four decimals, `duration_minutes` to one, `kind`, and `note` if there is a ``note``. `kind` is
    /// `nap`, `bedtime` or `night`, or the name of a kind other than naps.
    public var json: String { RhythmOutlook.forecast(self).json }
}
