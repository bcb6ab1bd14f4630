extension RhythmBacktest {
    /// The errors of forecasts before and after an elapsed time without the event.
    public struct ElapsedError: Sendable, Hashable {
        /// The elapsed minutes since the moment of the trial.
        public let elapsed: Double
        /// The number of events that came later.
        public let count: Int
        /// The mean absolute error, in minutes, of the forecasts at the moment of the trial.
        public let firstError: Double
        /// The mean absolute error, in minutes, of the forecasts after the elapsed time.
        public let updatedError: Double
    }

    /// The errors in the first days of a log.
    public struct FirstDays: Sendable, Hashable {
        /// The number of forecasts.
        public let count: Int
        /// The mean absolute error of the forecast, in minutes.
        public let forecastError: Double
        /// The mean absolute error of the published interval for the age, in minutes.
        public let ageTableError: Double
        /// The mean absolute error of the log's own mean of up to seven intervals, in minutes.
        public let ownMeanError: Double
    }

    private static let elapsedMinutes = [15.0, 30, 45, 60, 90, 120, 180, 240]

    /// The errors of forecasts repeated after 15, 30 … minutes without the event; times with fewer than ten later
    /// events are left out.
    public func elapsedErrors(_ log: RhythmLog) throws(KinError) -> [ElapsedError] {
        let late = Self.elapsedMinutes.map { elapsed in trials.filter { $0.interval > elapsed } }
        let forecasts = try log.forecasts(
            kind,
            at: zip(Self.elapsedMinutes, late).flatMap { elapsed, trials in
                trials.map { $0.forecast.now.later(by: elapsed) }
            })
        var next = 0
        return zip(Self.elapsedMinutes, late).compactMap { elapsed, trials in
            var (first, updated) = (0.0, 0.0)
            var count = 0
            for trial in trials {
                defer { next += 1 }
                // The anchor differs while a sleep that is too short to count is running.
                guard let forecast = forecasts[next], forecast.anchor == trial.forecast.anchor else { continue }
                first += abs(trial.error)
                updated += abs(forecast.point.minutes(since: trial.actual))
                count += 1
            }
            let n = Double(count)
            return count < 10
                ? nil : ElapsedError(elapsed: elapsed, count: count, firstError: first / n, updatedError: updated / n)
        }
    }

    /// The errors in the first three days of a log, from the second event on; nil if these days have no further event,
    /// and for kinds without a published interval.
    public static func firstDays(_ log: RhythmLog, kind: RhythmKind) throws(KinError) -> FirstDays? {
        let intervals = Self.intervals(of: log, kind: kind)
        guard let first = intervals.first else { return nil }
        let early = intervals.enumerated().dropFirst().filter {
            $0.element.now.minutes(since: first.now) < 3 * DayCycle.minutesPerDay
        }
        guard !early.isEmpty else { return nil }
        let forecasts = try log.forecasts(kind, at: early.map { $0.element.now })
        var (errors, table, own) = (0.0, 0.0, 0.0)
        for ((position, moment), forecast) in zip(early, forecasts) {
            let age = log.countedBaby.ageInDays(at: moment.now)
            guard let published = AgeTable.interval(of: kind, ageInDays: age) else { return nil }
            let past = intervals[..<position].suffix(7)
            let point = forecast?.point.minutes(since: moment.now) ?? published
            errors += abs(point - moment.length)
            table += abs(published - moment.length)
            own += abs(past.reduce(0) { $0 + $1.length } / Double(past.count) - moment.length)
        }
        let n = Double(early.count)
        return FirstDays(
            count: early.count, forecastError: errors / n, ageTableError: table / n, ownMeanError: own / n)
    }
}
