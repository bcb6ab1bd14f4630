extension RhythmBacktest {
    /// The accuracy measures of a backtest.
    public struct Report: Sendable, Hashable {
        /// The number of forecasts.
        public let count: Int
        /// The mean absolute error in minutes.
        public let meanAbsoluteError: Double
        /// The median absolute error in minutes.
        public let medianAbsoluteError: Double
        /// The share of forecasts within 15 minutes of the event.
        public let within15: Double
        /// The share of forecasts within 30 minutes of the event.
        public let within30: Double
        /// The share of events inside the 80 % interval.
        public let coverage: Double
        /// The mean width of the interval, in minutes.
        public let width: Double
        /// The mean pinball loss at 10, 50 and 90 %, in minutes.
        public let pinballLoss: Double
        /// The expected calibration error: the sum over tenths of the confidence of share · |share of hits − mean
        /// confidence|.
        public let calibrationError: Double
        /// The measures of the kind's baselines.
        public let baselines: [BaselineReport]
    }

    /// The measures of one baseline.
    public struct BaselineReport: Sendable, Hashable {
        /// The baseline that was measured.
        public let baseline: Baseline
        /// The mean absolute error of the baseline, in minutes.
        public let meanAbsoluteError: Double
        /// The forecast's mean absolute error divided by the baseline's.
        public let ratio: Double
        /// The 95 % bootstrap interval of the ratio, from 1,000 resamples of days.
        public let ratioBounds: ClosedRange<Double>
    }

    /// The forecasts with confidences in one tenth.
    public struct CalibrationTenth: Sendable, Hashable {
        /// The number of forecasts.
        public let count: Int
        /// The mean confidence, 0…1.
        public let confidence: Double
        /// The share of events within 30 minutes of the forecast.
        public let hits: Double
    }

    /// Computes the measures, with the seed of the bootstrap.
    ///
    /// - Precondition: There is at least one trial.
    public func report(seed: UInt64) -> Report {
        let errors = trials.map { abs($0.error) }
        let n = Double(trials.count)
        func share(_ test: (Trial) -> Bool) -> Double { Double(trials.count(where: test)) / n }
        return Report(
            count: trials.count, meanAbsoluteError: errors.reduce(0, +) / n, medianAbsoluteError: Self.median(errors),
            within15: share { abs($0.error) <= 15 }, within30: share { abs($0.error) <= 30 },
            coverage: share(\.isCovered),
            width: trials.reduce(0) { $0 + $1.forecast.upper.minutes(since: $1.forecast.lower) } / n,
            pinballLoss: trials.reduce(0) { $0 + Self.pinball($1) } / n,
            calibrationError: calibration.reduce(0) { $0 + Double($1.count) / n * abs($1.hits - $1.confidence) },
            baselines: baselineReports(seed: seed))
    }

    /// The reliability by tenths of the confidence, without empty ones.
    public var calibration: [CalibrationTenth] {
        Self.calibration(of: trials.map { ($0.forecast.confidence, abs($0.error) <= 30) })
    }

    /// The reliability by tenths of the confidence of forecasts that hit or missed.
    static func calibration(of trials: [(confidence: Double, isHit: Bool)]) -> [CalibrationTenth] {
        (0..<10).compactMap { tenth in
            let trials = trials.filter { min(9, Int($0.confidence * 10)) == tenth }
            guard !trials.isEmpty else { return nil }
            let n = Double(trials.count)
            return CalibrationTenth(
                count: trials.count, confidence: trials.reduce(0) { $0 + $1.confidence } / n,
                hits: Double(trials.count(where: \.isHit)) / n)
        }
    }

    private static func pinball(_ trial: Trial) -> Double {
        func loss(_ forecast: LoggedTime, _ level: Double) -> Double {
            let late = trial.actual.minutes(since: forecast)
            return late >= 0 ? level * late : (level - 1) * late
        }
        return (loss(trial.forecast.lower, 0.1) + loss(trial.forecast.point, 0.5) + loss(trial.forecast.upper, 0.9)) / 3
    }

    private func baselineReports(seed: UInt64) -> [BaselineReport] {
        let own = trials.map { abs($0.error) }
        let days = Dictionary(grouping: trials.indices) {
            Int(trials[$0].forecast.now.localMinutes / DayCycle.minutesPerDay)
        }
        let byDay = days.keys.sorted().map { days[$0] ?? [] }
        return Baseline.allCases.compactMap { baseline in
            let theirs = trials.compactMap { trial in trial.baselines[baseline].map { abs($0 - trial.interval) } }
            guard theirs.count == trials.count else { return nil }
            let sums = byDay.map { day in
                (own: day.reduce(0) { $0 + own[$1] }, theirs: day.reduce(0) { $0 + theirs[$1] })
            }
            var generator = SeededGenerator(seed: seed)
            let ratios = (0..<1000).map { _ in
                var a = 0.0
                var b = 0.0
                for _ in sums.indices {
                    let day = sums[generator.below(sums.count)]
                    a += day.own
                    b += day.theirs
                }
                return b > 0 ? a / b : 1
            }.sorted()
            let total = theirs.reduce(0, +)
            return BaselineReport(
                baseline: baseline, meanAbsoluteError: total / Double(trials.count),
                ratio: total > 0 ? own.reduce(0, +) / total : 1, ratioBounds: ratios[24]...ratios[974])
        }
    }
}
