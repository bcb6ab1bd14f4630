/// The accuracy of the shown forecasts of one kind, measured against the events of the log.
public struct ForecastScore: Sendable, Hashable {
    /// The kind of event.
    public let kind: RhythmKind
    /// The number of forecasts whose event is not in the log yet.
    public internal(set) var pending = 0
    /// The number of forecasts in a gap of the log, which are not scored: no sleep or feed for longer than a backtest
    /// allows (``RhythmBacktest``), or the sleep that ran at the moment was removed.
    public internal(set) var gaps = 0
    /// The number of scored forecasts.
    public internal(set) var count = 0
    /// The accuracy of the scored forecasts; nil if there are none.
    public internal(set) var accuracy: Accuracy?
    /// The number of large misses: events outside the interval, and an hour or more from the forecast.
    public internal(set) var missCount = 0
    /// The largest misses by descending size, at most ten and one for each event.
    public internal(set) var misses: [Miss] = []

    /// The measures of scored forecasts.
    public struct Accuracy: Sendable, Hashable {
        /// The mean absolute error, in minutes.
        public let meanAbsoluteError: Double
        /// The mean error in minutes; positive if forecasts were too late.
        public let meanError: Double
        /// The share of forecasts within 30 minutes of the event.
        public let within30: Double
        /// The share of events inside the interval.
        public let coverage: Double
        /// The mean nominal coverage of the intervals.
        public let nominalCoverage: Double
        /// The expected calibration error of the confidence, as in ``RhythmBacktest/Report``.
        public let calibrationError: Double
        /// The reliability by tenths of the confidence, without empty ones.
        public let calibration: [RhythmBacktest.CalibrationTenth]
    }

    /// A forecast far from its event.
    public struct Miss: Sendable, Hashable {
        /// The moment of the forecast.
        public let now: LoggedTime
        /// The forecast time of the event.
        public let point: LoggedTime
        /// The time of the event.
        public let event: LoggedTime
        /// The likely reasons; empty if none is known.
        public let reasons: [Reason]

        /// The error in minutes; positive if the forecast was too late.
        public var error: Double { point.minutes(since: event) }
    }

    /// The likely reasons for a large miss.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The log of the moment lacked an event, or had a wrong one: the event had already happened, or a forecast
        /// from the present log would have half the error or less.
        case enteredLate = "entered_late"
        /// The last sleep before the moment began by day and lasted less than 30 minutes.
        case shortNap = "short_nap"
        /// Events from a day before the moment to the event were logged in different time zones.
        case otherZone = "other_zone"
    }
}

extension ForecastScore: DeclaredObject {
    package static let schema = ObjectSchema<ForecastScore>(
        .field("kind", \.kind.rawValue),
        .field("count", \.count, "the scored forecasts; without any, the measures are null"),
        .field("pending", \.pending, "the forecasts whose event is not in the log yet"),
        .field("gaps", \.gaps, "the forecasts in a gap of the log, which are not scored"),
        .field("mean_absolute_error", \.accuracy?.meanAbsoluteError, "minutes"),
        .field("mean_error", \.accuracy?.meanError, "minutes; positive if forecasts were too late"),
        .field("within30", \.accuracy?.within30, "the share of forecasts within 30 minutes of the event"),
        .field("coverage", \.accuracy?.coverage, "the share of events inside the interval"),
        .field("nominal_coverage", \.accuracy?.nominalCoverage),
        .field("calibration_error", \.accuracy?.calibrationError),
        .field("calibration", { $0.accuracy?.calibration ?? [] }, "by tenths of the confidence, without empty ones"),
        .field("miss_count", \.missCount, "the events outside the interval and an hour or more from the forecast"),
        .field("misses", \.misses, "the ten largest, one for each event"))
}

extension RhythmBacktest.CalibrationTenth: DeclaredObject {
    package static let schema = ObjectSchema<RhythmBacktest.CalibrationTenth>(
        .field("confidence", \.confidence, "the mean confidence"),
        .field("hits", \.hits, "the share of events within 30 minutes of the forecast"),
        .field("count", \.count))
}

extension ForecastScore.Miss: DeclaredObject {
    package static let schema = ObjectSchema<ForecastScore.Miss>(
        .field("now", \.now, "the moment of the forecast"),
        .field("point", \.point),
        .field("event", \.event, "the time of the event"),
        .field("error", \.error, "minutes; positive if the forecast was too late"),
        .field(
            "reasons", { $0.reasons.map(\.rawValue) },
            """
            `entered_late` (the log lacked an event at the moment, or had a wrong one), `short_nap` (the last sleep was a nap of less than 30 \
            minutes), `other_zone` (a journey); empty if none is known
            """))
}
