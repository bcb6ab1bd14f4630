/// A backtest: forecasts at past moments of a log, each from the rows known by then, compared with the actual event and
/// simple baselines.
///
/// The moments are the following, once the seven days before have 14 intervals:
///
/// - `nap`: the wakings from 06:00 to 18:59, with intervals of 15 to 1,200 minutes, 5 of the 14 by day;
/// - `feed`: the meals, with intervals of up to 1,200 minutes;
/// - `wake_up`: the beginnings of sleeps from 06:00 to 18:59, with lengths of 10 to 960 minutes, 5 of the 14 by day;
/// - `night_waking`: the beginnings of all other sleeps, with the same lengths, 5 of the 14 by night;
/// - `bedtime`: the wakings from 06:00 to 18:59, with intervals of 15 to 1,080 minutes to the night's first sleep, 5
///   bedtimes among the 14.
public struct RhythmBacktest: Sendable {
    /// The baselines for comparison with a forecast.
    public enum Baseline: String, Sendable, Hashable, CaseIterable {
        /// The mean of the last seven intervals; for naps, of all times awake, with the wakings of the night; for
        /// sleeps, only of those by day or only of those by night; for bedtimes, of the clock times.
        case meanOfSeven = "mean_of_seven"
        /// The median of the last seven days' intervals by day; for `night_waking`, of those by night; for bedtimes, of
        /// the clock times.
        case sevenDayMedian = "seven_day_median"
        /// The median of the intervals within an hour of the same clock hour, of at least three; else the seven-day
        /// median.
        case sameHourMedian = "same_hour_median"
        /// The published interval for the age; only for naps and feeds.
        case ageTable = "age_table"
    }

    /// One forecast with the actual event.
    public struct Trial: Sendable {
        /// The forecast at that moment.
        public let forecast: RhythmForecast
        /// The instant of the event.
        public let actual: LoggedTime
        /// The forecasts of the baselines, in minutes after the moment.
        public let baselines: [Baseline: Double]

        /// The error in minutes; positive if the forecast was too late.
        public var error: Double { forecast.point.minutes(since: actual) }
        /// The minutes from the moment to the event.
        public var interval: Double { actual.minutes(since: forecast.now) }
        /// Whether the forecast interval contains the event.
        public var isCovered: Bool { forecast.lower <= actual && actual <= forecast.upper }
    }

    /// The kind of event that was forecast.
    public let kind: RhythmKind
    /// The trials by ascending time.
    public let trials: [Trial]
    /// The day of birth, else the beginning of the log, in minutes since 1970.
    let beginning: Double
    /// Whether ages count from the day of birth, not from the beginning of the log.
    public let countsFromBirth: Bool

    /// The whole months (of 30.44 days) of age, or since the beginning of the log, at a trial.
    public func month(of trial: Trial) -> Int {
        Int((trial.forecast.now.localMinutes - beginning) / DayCycle.minutesPerDay / 30.44)
    }

    /// Runs the backtest of a log.
    public init(_ log: RhythmLog, kind: RhythmKind) throws(KinError) {
        self.kind = kind
        let moments = Self.moments(of: log, kind: kind)
        let forecasts = try log.forecasts(kind, at: moments.map(\.time))
        trials = zip(moments, forecasts).compactMap { moment, forecast in
            forecast.map {
                Trial(
                    forecast: $0,
                    actual: log.clock.at($0.now, among: log.records).asked(moment.time.later(by: moment.interval)),
                    baselines: moment.baselines)
            }
        }
        countsFromBirth = log.countedBaby.born != nil
        beginning = log.countedBaby.born?.localMinutes ?? log.counted.first?.start.localMinutes ?? 0
    }
}
