/// A forecast, or the reason why it is missing.
public indirect enum RhythmOutlook: Sendable, Hashable {
    /// A forecast of the event.
    case forecast(RhythmForecast)
    /// No forecast of this kind of event, with the reason and the instant.
    case unavailable(RhythmKind, Reason, at: LoggedTime)

    /// The forecast; nil if it is missing.
    public var forecast: RhythmForecast? {
        if case .forecast(let forecast) = self { forecast } else { nil }
    }

    /// The forecast as JSON (``RhythmForecast/json``), or an object of `now`, `kind` and `reason`.
    public var json: String { jsonText }
}

extension RhythmOutlook: DeclaredObject {
    package static let schema = ObjectSchema<RhythmOutlook>(
        .field("now", \.now),
        .optional("point", \.forecast?.point),
        .optional("lower", \.forecast?.lower),
        .optional("upper", \.forecast?.upper),
        .optional("confidence", \.confidence, "the probability that the event is within 30 minutes of the point"),
        .optional("duration_minutes", { $0.forecast.map { $0.durationMinutes.map { ($0 * 10).rounded() / 10 } } }),
        .field("kind", \.kindName, "for `nap` also `bedtime` (the night's first sleep) or `night` (a later one)"),
        .optional("note", \.forecast?.note, noteDescription),
        .optional("reason", \.unavailability, "instead of the forecast: the reason"))

    static let noteDescription =
        "doubts: an overlong running sleep, a log that has stopped, or times in UTC without a zone"

    /// The outlook with a remark on the clock of the log.
    func noted(_ remark: String?) -> RhythmOutlook {
        guard case .forecast(var forecast) = self else { return self }
        forecast.remark = remark
        return .forecast(forecast)
    }

    /// The forecasts in the form that ``RhythmPredictions`` writes.
    static let predictionSchema = ObjectSchema<RhythmOutlook>(
        .optional("now", { $0.forecast == nil ? $0.now : nil }, "without a forecast"),
        .field("kind", \.kindName),
        .optional("point", \.forecast?.point),
        .optional("lower", \.forecast?.lower),
        .optional("upper", \.forecast?.upper),
        .optional("confidence", \.confidence, "the probability that the event is within 30 minutes of the point"),
        .optional("duration_minutes", { $0.forecast.map { $0.durationMinutes } }),
        .optional("duration_lower", { $0.forecast.map { $0.durationRange?.lowerBound } }, "minutes"),
        .optional("duration_upper", { $0.forecast.map { $0.durationRange?.upperBound } }, "minutes"),
        .optional("probability_within", { $0.forecast.map(probabilities) }, "by minutes from `now`"),
        .optional("reason", \.unavailability, "instead of the forecast: the reason"))

    /// The instant of the forecast, or of its absence.
    package var now: LoggedTime {
        switch self {
        case .forecast(let forecast): forecast.now
        case .unavailable(_, _, let now): now
        }
    }

    /// The reason for a missing forecast as text; nil for a forecast.
    package var unavailability: String? {
        if case .unavailable(let kind, let reason, let now) = self { reason.reason(at: now, of: kind) } else { nil }
    }

    private var kindName: String {
        switch self {
        case .forecast(let forecast): forecast.sleep?.rawValue ?? forecast.kind.rawValue
        case .unavailable(let kind, _, _): kind.rawValue
        }
    }

    /// The forecast's confidence as answers have it, to four decimals; nil without a forecast.
    package var confidence: Double? { forecast.map { Self.rounded($0.confidence) } }

    private static func probabilities(of forecast: RhythmForecast) -> NamedValues<Double> {
        NamedValues(
            RhythmPredictions.horizons.map { ("\($0)", rounded(forecast.probability(within: Double($0)))) })
    }

    /// A number in JSON, to four decimals.
    static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
}

extension RhythmOutlook {
    /// The reasons for a missing forecast.
    public enum Reason: Sendable, Hashable {
        /// No sleep, or no feed, has been logged yet.
        case nothingLogged
        /// The last sleep or feed was logged longer ago than ``longestPause``.
        case ended(RhythmKind, last: LoggedTime)
        /// No sleep is running, so no end can be forecast.
        case awake
        /// The running sleep began by day, from 06:00 to 18:59.
        case noNightSleep
        /// No bedtime has been logged yet.
        case noBedtime
        /// The night has begun, so the day has no rest to plan.
        case nightBegun

        /// The longest pause without a sleep (for naps) or a feed before forecasts stop: 36 hours.
        ///
        /// In eight logs of 1,700 days recorded by parents, the longest time between two rows of sleeps and feeds is
        /// 21.9 hours, and 13.4 hours in seven of them. A longer pause is a gap in the log
        /// (``RhythmRepair/Problem/gap``).
        public static let longestPause = 36.0

        /// The reason as text, at an instant.
        ///
        /// - Parameters:
        ///   - now: The instant of the missing forecast.
        ///   - forecast: The kind of the missing forecast.
        public func reason(at now: LoggedTime, of forecast: RhythmKind = .nap) -> String {
            switch self {
            case .nothingLogged: return "no \(forecast == .feed ? "feed" : "sleep") has been logged yet"
            case .ended(let kind, let last):
                let hours = now.minutes(since: last) / 60
                let ago = hours < 72 ? "\(Int(hours)) hours" : "\(Int(hours / 24)) days"
                let what = kind == .feed ? "feed" : "sleep"
                return
                    "the last \(what) of the log ended \(ago) before, at \(last.description); "
                    + "a forecast needs one within \(Int(Self.longestPause)) hours"
            case .awake: return "no sleep is running"
            case .noNightSleep: return "the running sleep did not begin at night"
            case .noBedtime: return "no bedtime has been logged yet"
            case .nightBegun: return "the night has begun; the next day can be planned from 03:00"
            }
        }
    }
}
