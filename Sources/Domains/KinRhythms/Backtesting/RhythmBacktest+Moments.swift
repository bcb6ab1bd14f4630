extension RhythmBacktest {
    /// A moment for a forecast, with the actual event and the forecasts of the baselines.
    struct Moment {
        var time: LoggedTime
        /// The minutes from the instant to the event.
        var interval: Double
        /// The forecasts of the baselines, in minutes after the instant.
        var baselines: [Baseline: Double] = [:]

        /// The instant in minutes, as ``LoggedTime/minute``.
        var now: Double { time.minute }
        var hour: Int { Int(DayCycle.minuteOfDay(time.localMinutes) / 60) }
        /// The instant of the event.
        var event: Double { now + interval }
    }

    /// The moments of a log after a week with enough intervals, in order.
    static func moments(of log: RhythmLog, kind: RhythmKind) -> [Moment] {
        let all = intervals(of: log, kind: kind).map { Moment(time: $0.now, interval: $0.length) }
        var moments: [Moment] = []
        var first = 0
        for (position, moment) in all.enumerated() where counts(moment, for: kind) {
            while all[first].now < moment.now - 7 * DayCycle.minutesPerDay { first += 1 }
            let week = all[first..<position].filter { $0.event <= moment.now }
            let own = week.filter { counts($0, for: kind) }
            guard week.count >= 14, own.count >= 5 else { continue }
            var moment = moment
            if kind == .bedtime {
                guard let baselines = bedtimeBaselines(own, at: moment) else { continue }
                moment.baselines = baselines
            } else {
                // The mean of seven for naps includes intervals at night.
                let last = (kind == .nap ? week : own).suffix(7)
                moment.baselines[.meanOfSeven] = last.reduce(0) { $0 + $1.interval } / Double(last.count)
                moment.baselines[.sevenDayMedian] = median(own.map(\.interval))
            }
            let near = own.filter { abs(($0.hour - moment.hour + 36) % 24 - 12) <= 1 }
            moment.baselines[.sameHourMedian] =
                near.count >= 3 ? median(near.map(\.interval)) : moment.baselines[.sevenDayMedian]
            moment.baselines[.ageTable] = AgeTable.interval(
                of: kind, ageInDays: log.countedBaby.ageInDays(at: moment.time))
            moments.append(moment)
        }
        return moments
    }

    /// Whether forecasts of a kind are judged at a moment.
    private static func counts(_ moment: Moment, for kind: RhythmKind) -> Bool {
        switch kind {
        case .feed: true
        case .nap, .wakeUp, .bedtime: RhythmModels.isByDay(moment.time.localMinutes)
        case .nightWaking: !RhythmModels.isByDay(moment.time.localMinutes)
        }
    }

    /// The baselines of a bedtime: the mean of the last seven clock times and the median of the week's; nil for fewer
    /// than five bedtimes.
    private static func bedtimeBaselines(_ week: [Moment], at moment: Moment) -> [Baseline: Double]? {
        var bedtimes: [Double] = []
        for event in week.map({ $0.time.localMinutes + $0.interval }) where event != bedtimes.last {
            bedtimes.append(event)
        }
        guard bedtimes.count >= 5 else { return nil }
        // The clock times count from 18:00, so that midnight does not divide them.
        let evening = RhythmModels.earliestBedtime - DayCycle.minuteOfDay(moment.time.localMinutes)
        let clocks = bedtimes.map { evening + DayCycle.minuteOfDay($0 - RhythmModels.earliestBedtime) }
        let last = clocks.suffix(7)
        return [.meanOfSeven: last.reduce(0, +) / Double(last.count), .sevenDayMedian: median(clocks)]
    }

    /// The intervals to forecast, in order: from each waking to the next sleep or to bedtime, from each meal to the
    /// next, and from the beginning of each sleep to its end.
    static func intervals(of log: RhythmLog, kind: RhythmKind) -> [(now: LoggedTime, length: Double)] {
        let sleeps = log.sleeps
        switch kind {
        case .nap:
            return zip(sleeps, sleeps.dropFirst()).compactMap { a, b in
                (15...RhythmModels.longestWait).contains(b.start - a.end)
                    ? (log.time(a.end, a.endShift), b.start - a.end) : nil
            }
        case .feed:
            let meals = log.meals
            return zip(meals, meals.dropFirst()).compactMap { a, b in
                b.minutes(since: a) <= RhythmModels.longestWait ? (a, b.minutes(since: a)) : nil
            }
        case .wakeUp, .nightWaking:
            return sleeps.compactMap { sleep in
                (10...RhythmModels.longestSleep).contains(sleep.end - sleep.start)
                    ? (log.time(sleep.start, sleep.startShift), sleep.end - sleep.start) : nil
            }
        case .bedtime:
            let bedtimes = bedtimes(of: sleeps)
            return sleeps.compactMap { sleep in
                bedtimes[BedtimeState.day(of: sleep.localEnd)].flatMap { bedtime in
                    RhythmModels.isByDay(sleep.localEnd) && (15...1080).contains(bedtime - sleep.end)
                        ? (log.time(sleep.end, sleep.endShift), bedtime - sleep.end) : nil
                }
            }
        }
    }

    /// The first bedtime of each day.
    static func bedtimes(of sleeps: [RhythmState.Block]) -> [Double: Double] {
        var bedtimes: [Double: Double] = [:]
        for sleep in sleeps.reversed() where RhythmModels.isBedtime(sleep) {
            bedtimes[BedtimeState.day(of: sleep.localStart)] = sleep.start
        }
        return bedtimes
    }

    /// The median of at least one value.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
