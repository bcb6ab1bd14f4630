public import KinCore
import KinForecasting

/// A backtest: forecasts at past moments of a log, each from the rows known by then, with the actual event and simple
/// baselines.
///
/// The moments are the wakings from 06:00 to 18:59 (nap), or the meals, once the seven days before have 14 intervals,
/// for naps 5 of them by day. Intervals of 15 to 600 minutes count for naps, of up to 720 for feeds.
public struct RhythmBacktest: Sendable {
    /// The baselines that a forecast is compared with.
    public enum Baseline: String, Sendable, Hashable, CaseIterable {
        /// The mean of the last seven intervals.
        case meanOfSeven = "mean_of_seven"
        /// The median of the last seven days' daytime intervals.
        case sevenDayMedian = "seven_day_median"
        /// The median of the intervals within an hour of the same clock hour, of at least three; else the seven-day
        /// median.
        case sameHourMedian = "same_hour_median"
        /// The published interval for the age.
        case ageTable = "age_table"
    }

    /// One forecast with the actual event.
    public struct Trial: Sendable {
        /// The forecast at that moment.
        public let forecast: RhythmForecast
        /// The instant of the event.
        public let actual: LocalDateTime
        /// The forecasts of the baselines, in minutes after the moment.
        public let baselines: [Baseline: Double]

        /// The error in minutes; positive when the forecast was too late.
        public var error: Double { forecast.point.localMinutes - actual.localMinutes }
        /// The minutes from the moment to the event.
        public var interval: Double { actual.localMinutes - forecast.now.localMinutes }
        /// Whether the forecast interval contains the event.
        public var isCovered: Bool { forecast.lower <= actual && actual <= forecast.upper }
    }

    /// The kind of event that was forecast.
    public let kind: RhythmKind
    /// The trials by ascending time.
    public let trials: [Trial]
    /// The day of birth, or else the beginning of the log, in minutes since 1970.
    let beginning: Double
    /// Whether ages count from the day of birth and not from the beginning of the log.
    public let countsFromBirth: Bool

    /// The whole months (of 30.44 days) of age, or since the beginning of the log, at a trial.
    public func month(of trial: Trial) -> Int {
        Int((trial.forecast.now.localMinutes - beginning) / DayCycle.minutesPerDay / 30.44)
    }

    /// Runs the backtest of a log.
    public init(_ log: RhythmLog, kind: RhythmKind) throws(KinError) {
        self.kind = kind
        let moments = Self.moments(of: log, kind: kind)
        let forecasts = try log.forecasts(kind, at: moments.map { LocalDateTime(localMinutes: $0.now) })
        trials = zip(moments, forecasts).compactMap { moment, forecast in
            forecast.map {
                Trial(
                    forecast: $0, actual: LocalDateTime(localMinutes: moment.now + moment.interval),
                    baselines: moment.baselines)
            }
        }
        countsFromBirth = log.countedBaby.born != nil
        beginning = log.countedBaby.born?.localMinutes ?? log.counted.first?.start.localMinutes ?? 0
    }

    private struct Moment {
        var now: Double
        var interval: Double
        var baselines: [Baseline: Double]

        var hour: Int { Int(DayCycle.minuteOfDay(now) / 60) }
    }

    private static func moments(of log: RhythmLog, kind: RhythmKind) -> [Moment] {
        let all = intervals(of: log, kind: kind).map { Moment(now: $0.now, interval: $0.length, baselines: [:]) }
        func isByDay(_ moment: Moment) -> Bool { kind == .feed || (6..<19).contains(moment.hour) }
        var moments: [Moment] = []
        var first = 0
        for (position, moment) in all.enumerated() where isByDay(moment) {
            while all[first].now < moment.now - 7 * DayCycle.minutesPerDay { first += 1 }
            let week = all[first..<position].filter { $0.now + $0.interval <= moment.now }
            let days = week.filter(isByDay)
            guard week.count >= 14, days.count >= 5 else { continue }
            let near = days.filter { abs(($0.hour - moment.hour + 36) % 24 - 12) <= 1 }
            let median = Self.median(days.map(\.interval))
            var moment = moment
            moment.baselines = [
                .meanOfSeven: week.suffix(7).reduce(0) { $0 + $1.interval } / 7, .sevenDayMedian: median,
                .sameHourMedian: near.count >= 3 ? Self.median(near.map(\.interval)) : median,
                .ageTable: AgeTable.interval(
                    of: kind, ageInDays: log.countedBaby.ageInDays(at: LocalDateTime(localMinutes: moment.now))),
            ]
            moments.append(moment)
        }
        return moments
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
