public import KinCore
import KinForecasting
import KinLibC

extension RhythmState {
    /// Forecasts the next nap or feed from all observations; nil where ``outlook(_:at:coverage:)`` has a reason.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func forecast(
        _ kind: RhythmKind, at now: LocalDateTime, coverage: Double = 0.8
    ) throws(KinError) -> RhythmForecast? {
        try outlook(kind, at: now, coverage: coverage).forecast
    }

    /// Forecasts the next nap or feed from all observations, or gives the reason before the first sleep or feed and
    /// after ``RhythmOutlook/Reason/longestPause`` without one.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - now: The instant of the forecast, not before the latest observation; elapsed minutes without the event
    ///     narrow the forecast.
    ///   - coverage: The nominal coverage of the interval, above 0 and below 1.
    /// - Throws: `.invalidArgument` for another coverage.
    /// - Complexity: Constant, below 50 µs.
    public func outlook(
        _ kind: RhythmKind, at now: LocalDateTime, coverage: Double = 0.8
    ) throws(KinError) -> RhythmOutlook {
        guard coverage > 0, coverage < 1 else {
            throw KinError(.invalidArgument, "a coverage of \(coverage) is not between 0 and 1; 0.8 is usual")
        }
        let minute = now.localMinutes
        let model = RhythmModels.model(of: kind)
        let recurrence = kind == .nap ? nap : feed
        guard var anchor = recurrence.anchor else { return .unavailable(.nothingLogged, at: now) }
        let last = lastLogged(of: kind)
        guard minute - last <= 60 * RhythmOutlook.Reason.longestPause else {
            return .unavailable(.ended(kind, last: LocalDateTime(localMinutes: last)), at: now)
        }
        let isAsleep = asleepSince.map { $0 <= minute && minute - $0 < 960 } ?? false
        if kind == .nap, isAsleep, let since = asleepSince {
            anchor = expectedWaking(since: since, now: minute)
        }
        let elapsed = max(0, minute - anchor.minute)
        let forecast = recurrence.forecast(from: anchor, elapsed: elapsed, coverage: coverage, model: model)
        let point = anchor.minute + forecast.point
        let sleep =
            kind == .nap
            ? nextSleep(
                at: point, after: isAsleep ? asleepSince.map { Block(start: $0, end: anchor.minute) } : blocks.last)
            : nil
        let length = kind == .nap ? sleep?.length : feedLength
        return .forecast(
            RhythmForecast(
                kind: kind, now: now, point: LocalDateTime(localMinutes: anchor.minute + forecast.point),
                lower: LocalDateTime(localMinutes: anchor.minute + forecast.lower),
                upper: LocalDateTime(localMinutes: anchor.minute + forecast.upper), coverage: coverage,
                confidence: forecast.confidence,
                sleep: sleep?.kind, durationMinutes: length?.median, durationRange: length?.range(of: coverage),
                basis: RhythmForecast.Basis(
                    isAsleep: isAsleep, intervals: recurrence.count, lastSleep: blocks.last.map { $0.end - $0.start },
                    sleepsToday: Int(napAnchor(at: minute).features[1]), asleepLastDay: asleep(in: 1440, before: minute)
                ),
                distribution: forecast.distribution, anchor: LocalDateTime(localMinutes: anchor.minute)))
    }

    /// The last instant of a logged sleep or feed, in minutes.
    private func lastLogged(of kind: RhythmKind) -> Double {
        switch kind {
        case .nap: max(blocks.last?.end ?? -.infinity, asleepSince ?? -.infinity)
        case .feed: lastFeed ?? meals.last ?? -.infinity
        }
    }

    /// The kind and expected length of the sleep that begins at an instant after another one.
    ///
    /// It is night sleep when most sleeps that began about this time of day are in the ``NightWindow`` of the last
    /// days. The expected length is the median of those of the same kind if they are two thirds or more, else of all.
    private func nextSleep(at point: Double, after last: Block?) -> (kind: RhythmForecast.Sleep, length: Lengths?) {
        let near = nap.sleeps(atMinute: point)
        func lengths(_ sleeps: [(value: Block, weight: Double)]) -> Lengths? {
            Lengths(sleeps.map { ($0.value.end - $0.value.start, $0.weight) })
        }
        // A window below three hours is a regular nap: a log of naps alone has no bedtime.
        guard let night = NightWindow(blocks[...]), night.length >= 180, !near.isEmpty else {
            return (.nap, lengths(near))
        }
        let weight = near.reduce(0) { $0 + $1.weight }
        let share = near.reduce(0) { $0 + (night.contains($1.value) ? $1.weight : 0) } / weight
        let isNight = share > 0.5
        let isClear = max(share, 1 - share) >= 2.0 / 3
        let length = lengths(isClear ? near.filter { night.contains($0.value) == isNight } : near)
        guard isNight else { return (.nap, length) }
        // The night has begun when the last sleep was part of it and its end is still to come.
        let goesOn = last.map { last in
            night.contains(last) && DayCycle.minuteOfDay(last.end - night.start) < night.length
                && point < last.end + DayCycle.minuteOfDay(night.end - last.end)
        }
        return (goesOn == true ? .night : .bedtime, length)
    }

    /// The expected waking of a sleeping baby, which the next nap counts from.
    private func expectedWaking(since: Double, now: Double) -> Anchor {
        let slept = now - since
        let length = nap.conditionLength(atMinute: since, longerThan: slept) ?? max(45, slept + 15)
        var later = self
        later.blocks.append(Block(start: since, end: since + length))
        return later.napAnchor(at: since + length)
    }

    /// The lengths of the last feeds.
    private var feedLength: Lengths? {
        guard var lengths = Lengths(feedLengths.map { (Double($0), 1) }) else { return nil }
        lengths.median = Double(feedLengths.sorted()[feedLengths.count / 2])
        return lengths
    }

    /// The weighted lengths of past sleeps or feeds, in minutes.
    private struct Lengths {
        /// The weighted median to tenths.
        var median: Double
        private let sample: [(value: Double, weight: Double)]

        /// Creates the lengths of a sample; nil without any.
        init?(_ sample: [(value: Double, weight: Double)]) {
            guard let median = Recurrence.median(of: sample) else { return nil }
            self.median = Self.tenths(median)
            self.sample = sample
        }

        /// The central interval that has a share of the weight, to tenths, around the median.
        func range(of coverage: Double) -> ClosedRange<Double> {
            let lower = Recurrence.quantile((1 - coverage) / 2, of: sample) ?? median
            let upper = Recurrence.quantile((1 + coverage) / 2, of: sample) ?? median
            return min(Self.tenths(lower), median)...max(Self.tenths(upper), median)
        }

        private static func tenths(_ minutes: Double) -> Double { (minutes * 10).rounded() / 10 }
    }
}

extension Recurrence {
    /// The sleeps that began about a time of day, weighted by closeness in clock time and recency.
    fileprivate func sleeps(atMinute minute: Double) -> [(value: RhythmState.Block, weight: Double)] {
        weighted(atMinute: minute, recency: 14, clockWidth: 1.2, model: RhythmModels.nap) { waking, features in
            let length = exp(features[0]) - 5
            return length > 0 ? (waking - length, RhythmState.Block(start: waking - length, end: waking)) : nil
        }
    }

    /// The median length of sleeps that begin about this time of day and last longer than `least` minutes; nil when
    /// there are none.
    fileprivate func conditionLength(atMinute minute: Double, longerThan least: Double) -> Double? {
        let lengths = sleeps(atMinute: minute).map { ($0.value.end - $0.value.start, $0.weight) }
        return Self.median(of: lengths.filter { $0.0 > least }).map { ($0 * 10).rounded() / 10 }
    }
}
