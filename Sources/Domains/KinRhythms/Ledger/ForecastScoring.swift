/// The events of a log, by which shown forecasts are scored. Times are minutes, as ``LoggedTime/minute``.
struct ForecastScoring {
    private let log: RhythmLog
    private let sleeps: [RhythmState.Block]
    private let meals: [Double]
    private let bedtimes: [Double: Double]

    /// The event of a forecast.
    enum Outcome: Equatable {
        case event(Double)
        /// The event is not in the log yet.
        case pending
        /// The log has a gap where the event should be.
        case gap
    }

    /// A forecast with its event.
    struct Trial {
        let moment: ShownForecasts
        let span: ShownForecasts.Span
        let event: Double
        /// The minutes from the moment to the event.
        var wait: Double { event - Double(moment.minute) }
        var error: Double { Double(span.point) - wait }
        var isCovered: Bool { Double(span.lower) <= wait && wait <= Double(span.upper) }
        var isLargeMiss: Bool { !isCovered && abs(error) >= 60 }
    }

    init(_ log: RhythmLog) {
        self.log = log
        sleeps = log.sleeps
        meals = log.meals.map(\.minute)
        bedtimes = RhythmBacktest.bedtimes(of: sleeps)
    }

    /// The moment by the present clock of the log, which may have learned its zone since.
    func moment(_ shown: ShownForecasts) -> ShownForecasts {
        guard (shown.offset != nil) != log.clock.hasInstants else { return shown }
        return shown.moved(to: log.clock.at(shown.time, among: log.records).asked(shown.time))
    }

    /// The event of a forecast.
    ///
    /// It is the first event after the forecast's anchor, not after its moment: an event that was entered late came
    /// before the moment. Anchors may have been corrected by some minutes since, always less than half the least time
    /// between two events.
    func outcome(of kind: RhythmKind, at moment: ShownForecasts, from anchor: Double) -> Outcome {
        switch kind {
        case .feed:
            let next = meals.partition { $0 < anchor + RhythmModels.feedGap / 2 }
            guard next < meals.count else { return .pending }
            return next > 0 && meals[next] - meals[next - 1] > RhythmModels.feed.longest
                ? .gap : .event(meals[next])
        case .nap:
            if !moment.isAsleep { return sleep(sleeps.partition { $0.start < anchor + RhythmModels.sleepGap / 2 }) }
            return running(at: moment, from: anchor).map { sleep($0 + 1) } ?? missing(after: anchor)
        case .wakeUp, .nightWaking:
            guard let place = running(at: moment, from: anchor) else { return missing(after: anchor) }
            let isUsable = sleeps[place].end - sleeps[place].start <= RhythmModels.longestSleep
            return isUsable ? .event(sleeps[place].end) : .gap
        case .bedtime:
            let (now, known) = (moment.time.localMinutes, anchor + moment.time.shift)
            var day = BedtimeState.day(of: now)
            let isOver =
                moment.isAsleep
                ? RhythmModels.isEvening(known) && BedtimeState.day(of: known) == day
                : bedtimes[day].map { $0 < anchor - RhythmModels.sleepGap / 2 } ?? false
            if isOver { day += 1 }
            if let bedtime = bedtimes[day] { return .event(bedtime) }
            return log.latest.map { BedtimeState.day(of: $0.localMinutes) > day } ?? false ? .gap : .pending
        }
    }

    /// The position of the sleep that ran at a moment from a beginning, which may have been corrected since; nil if it
    /// has no end yet or is not in the log.
    private func running(at moment: ShownForecasts, from start: Double) -> Int? {
        let next = sleeps.partition { $0.start < start + RhythmModels.sleepGap / 2 }
        if next > 0, start < sleeps[next - 1].end { return next - 1 }
        return next < sleeps.count && sleeps[next].start <= Double(moment.minute) ? next : nil
    }

    /// The outcome for a sleep that is not in the log.
    private func missing(after start: Double) -> Outcome {
        sleeps.last.map { $0.start > start } ?? false ? .gap : .pending
    }

    /// The beginning of the sleep at a position.
    private func sleep(_ place: Int) -> Outcome {
        guard place < sleeps.count else { return .pending }
        return place > 0 && sleeps[place].start - sleeps[place - 1].end > RhythmModels.nap.longest
            ? .gap : .event(sleeps[place].start)
    }

    /// The last sleep that ended by a moment.
    func lastSleep(before moment: ShownForecasts) -> RhythmState.Block? {
        sleeps[..<sleeps.partition { $0.end <= Double(moment.minute) }].last
    }
}

extension RhythmForecaster {
    /// Scores shown forecasts of each kind by the events of the log.
    ///
    /// - Complexity: O(shown · log(events) + events · log(events)).
    package func scores(of shown: [ShownForecasts]) -> [ForecastScore] {
        let scoring = ForecastScoring(log)
        var scores = RhythmKind.allCases.map { ForecastScore(kind: $0) }
        var trials = scores.map { _ in [ForecastScoring.Trial]() }
        for moment in shown.lazy.map(scoring.moment) {
            for (kind, span) in zip(ShownForecasts.kinds, moment.spans) {
                guard let span else { continue }
                let kind = kind == .wakeUp && !moment.isByDay(span.anchor) ? .nightWaking : kind
                guard let place = RhythmKind.allCases.firstIndex(of: kind) else { continue }
                switch scoring.outcome(of: kind, at: moment, from: Double(moment.minute + span.anchor)) {
                case .event(let event):
                    trials[place].append(ForecastScoring.Trial(moment: moment, span: span, event: event))
                case .pending: scores[place].pending += 1
                case .gap: scores[place].gaps += 1
                }
            }
        }
        for place in scores.indices {
            let misses = trials[place].filter(\.isLargeMiss)
            scores[place].count = trials[place].count
            scores[place].accuracy = ForecastScore.Accuracy(trials[place])
            scores[place].missCount = misses.count
            var events: Set<Double> = []
            scores[place].misses = misses.sorted {
                (-abs($0.error), $0.moment.minute) < (-abs($1.error), $1.moment.minute)
            }
            .filter { events.insert($0.event).inserted }.prefix(10)
            .map { miss(of: scores[place].kind, $0, scoring) }
        }
        return scores
    }

    private func miss(
        of kind: RhythmKind, _ trial: ForecastScoring.Trial, _ scoring: ForecastScoring
    ) -> ForecastScore.Miss {
        let moment = trial.moment
        var reasons: [ForecastScore.Reason] = []
        // A coverage from 0.001 to 0.999 is never refused.
        let hindsight = try? outlook(kind, at: moment.time, coverage: Double(moment.coverage) / 1000).forecast
        let hindsightError = hindsight.map { abs($0.point.minute - trial.event) }
        if trial.wait <= 0 || 2 * (hindsightError ?? .infinity) <= abs(trial.error) {
            reasons.append(.enteredLate)
        }
        if let sleep = scoring.lastSleep(before: moment), RhythmModels.isByDay(sleep.localStart),
            sleep.end - sleep.start < 30, [.nap, .bedtime].contains(kind)
        {
            reasons.append(.shortNap)
        }
        let first = records.partition { $0.start.minute < Double(moment.minute) - 1440 }
        let rows = records[first...].prefix { $0.start.minute <= trial.event }
        if rows.contains(where: \.hasOwnClock), Set(rows.map { $0.start.offset }).count > 1 {
            reasons.append(.otherZone)
        }
        return ForecastScore.Miss(
            now: moment.time, point: moment.time.later(by: Double(trial.span.point)),
            event: moment.time.later(by: trial.wait), reasons: reasons)
    }
}

extension ForecastScore.Accuracy {
    /// Measures trials; nil if there are none.
    fileprivate init?(_ trials: [ForecastScoring.Trial]) {
        guard !trials.isEmpty else { return nil }
        let n = Double(trials.count)
        func mean(_ value: (ForecastScoring.Trial) -> Double) -> Double { trials.reduce(0) { $0 + value($1) } / n }
        meanAbsoluteError = mean { abs($0.error) }
        meanError = mean(\.error)
        within30 = mean { abs($0.error) <= 30 ? 1 : 0 }
        coverage = mean { $0.isCovered ? 1 : 0 }
        nominalCoverage = Double(trials.reduce(0) { $0 + $1.moment.coverage }) / (1000 * n)
        calibration = RhythmBacktest.calibration(
            of: trials.map { (Double($0.span.confidence) / 100, abs($0.error) <= 30) })
        calibrationError = calibration.reduce(0) { $0 + Double($1.count) / n * abs($1.hits - $1.confidence) }
    }
}
