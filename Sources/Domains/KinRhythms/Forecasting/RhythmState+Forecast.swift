import KinLibC

extension RhythmState {
    /// Forecasts the next event of a kind from all observations; nil if ``outlook(_:at:coverage:in:)`` returns a
    /// reason.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func forecast(
        _ kind: RhythmKind, at now: LoggedTime, coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmForecast? {
        try outlook(kind, at: now, coverage: coverage, in: zone).forecast
    }

    /// Forecasts the next event of a kind from all observations, or returns the reason for a missing forecast
    /// (``RhythmOutlook/Reason``).
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - now: The instant of the forecast, not before the latest observation; elapsed minutes without the event
    ///     narrow the forecast.
    ///   - coverage: The nominal coverage of the interval, above 0 and below 1.
    ///   - zone: The zone whose clocks show later instants; nil for the clock of `now`.
    /// - Throws: `.invalidArgument` for a coverage outside this range.
    /// - Complexity: Constant, below 100 µs; about 1 ms for the next nap of a sleeping baby, which mixes the forecasts
    ///   from several wakings.
    public func outlook(
        _ kind: RhythmKind, at now: LoggedTime, coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmOutlook {
        let request = try Request(kind: kind, now: now, coverage: coverage, zone: zone)
        if let state = byClock(of: now) { return try state.outlook(kind, at: now, coverage: coverage, in: zone) }
        if let reason = reasonAgainst(request) { return .unavailable(kind, reason, at: now) }
        switch kind {
        case .nap: return napOutlook(request)
        case .feed: return feedOutlook(request)
        case .wakeUp: return wakeUpOutlook(request)
        case .nightWaking: return wakeUpOutlook(request).ofNight
        case .bedtime: return bedtimeOutlook(request)
        }
    }

    /// The reason for no forecast that the times of the log give: it ended, or has no bedtime yet.
    func reasonAgainst(_ request: Request) -> RhythmOutlook.Reason? {
        let isKnown = request.kind == .feed ? feed.anchor != nil : nap.anchor != nil
        let last = lastLogged(of: request.kind, at: request.minute)
        if isKnown, request.minute - last > 60 * RhythmOutlook.Reason.longestPause {
            return .ended(request.kind, last: request.time(last))
        }
        return request.kind == .bedtime && bedtimes.recurrence.count == 0 ? .noBedtime : nil
    }

    /// The state with its times by the clock of an instant; nil if the state has this clock.
    func byClock(of now: LoggedTime) -> RhythmState? {
        guard let before = offset, let clock = now.offset, clock != before else { return nil }
        var state = self
        state.setClock(to: clock)
        return state
    }

    /// The state after further sleeps, for anchors at later instants.
    func after(_ sleeps: [Block]) -> RhythmState {
        var later = self
        later.blocks += sleeps
        return later
    }

    /// A request for a forecast.
    struct Request {
        let kind: RhythmKind
        let now: LoggedTime
        let coverage: Double
        let zone: LocalZone?

        /// Creates a request for the next event of a kind, as ``RhythmState/outlook(_:at:coverage:in:)`` does.
        ///
        /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
        init(kind: RhythmKind, now: LoggedTime, coverage: Double, zone: LocalZone?) throws(KinError) {
            guard coverage > 0, coverage < 1 else {
                throw KinError(.invalidArgument, "a coverage of \(coverage) is not between 0 and 1; 0.8 is usual")
            }
            (self.kind, self.now, self.coverage, self.zone) = (kind, now, coverage, zone)
        }

        /// The instant in minutes since 1970 by the local clock.
        var minute: Double { now.localMinutes }

        /// Converts minutes since 1970 by the clock of ``now`` to the log's clock at that time.
        func time(_ minute: Double) -> LoggedTime {
            let time = LoggedTime(LocalDateTime(localMinutes: minute), offset: now.offset, written: now.written)
            return now.offset == nil ? time : time.shown(in: zone)
        }

        /// The change of the log's clock, in minutes, from ``now`` until it shows a reading in minutes since 1970.
        func shift(atReading minute: Double) -> Double {
            guard let zone, let offset = now.offset else { return 0 }
            let instant = zone.firstInstant(showing: LocalDateTime(localMinutes: minute))
            return Double(zone.offsetSeconds(at: instant) - Int(offset)) / 60
        }
    }

    private func napOutlook(_ request: Request) -> RhythmOutlook {
        guard let since = runningSleep(at: request.minute) else {
            guard let anchor = nap.anchor else { return .unavailable(request.kind, .nothingLogged, at: request.now) }
            return nextOutlook(request, of: nap, from: anchor, model: RhythmModels.nap) {
                sleep(from: $0.middle, request)
            }
        }
        let anchor = runningAnchor(since: since)
        let elapsed = request.minute - anchor.instant
        let end = wakeUp.forecast(from: anchor, elapsed: elapsed, model: RhythmModels.wakeUp)
        let wakings = CalibratedTimes(end)
        func waking(_ place: Double) -> Double { max(elapsed, wakings.quantile(place / Double(Self.wakings))) }
        let (bin, longest) = (TimeDistribution.binMinutes, RhythmModels.nap.longest)
        var sums = [Double](
            repeating: 0, count: Int((RhythmModels.wakeUp.intervals.upperBound + longest) / bin))
        for part in 0..<Self.wakings {
            // The time awake depends on the time of waking.
            let middle = anchor.instant + waking(Double(part) + 0.5)
            let awake = after([Block(start: since, end: middle)]).napAnchor(at: middle)
            let windows = CalibratedTimes(nap.forecast(from: awake, elapsed: 0, model: RhythmModels.nap))
            for place in [0.125, 0.375, 0.625, 0.875] {
                let waking = waking(Double(part) + place)
                for end in min(sums.count, Int(waking / bin))..<sums.count {
                    sums[end] += windows.probability(by: Double(end) * bin - waking)
                }
            }
        }
        let times = TimeDistribution(cumulative: sums.map { $0 / Double(4 * Self.wakings) } + [1])
        var forecast = EventForecast(times, coverage: request.coverage).within(elapsed...(.infinity))
        forecast.survival = end.survival
        return outlook(request, forecast, of: nap, from: anchor, doubt: doubt(about: end, request)) { point in
            let waking = min(point.middle, anchor.instant + wakings.quantile(0.5))
            return after([Block(start: since, end: waking)]).sleep(from: point.middle, request)
        }
    }

    /// The outlook of the event after the last logged one; by the time of day alone if the log has probably stopped.
    ///
    /// Inlined, because a call would copy the whole state for `length`: a quarter more counts of shared memory.
    @inline(__always)
    private func nextOutlook(
        _ request: Request, of recurrence: Recurrence, from anchor: Anchor, model: RecurrenceModel,
        length: (Span) -> Length
    ) -> RhythmOutlook {
        var forecast = recurrence.forecast(request, from: anchor, model: model)
        let doubt = doubt(about: forecast, request)
        if doubt != nil {
            forecast = recurrence.forecastWithoutAnchor(
                from: anchor, elapsed: request.minute - anchor.instant, coverage: request.coverage)
        }
        return outlook(request, forecast, of: recurrence, from: anchor, doubt: doubt, length: length)
    }

    /// The number of wakings of a running sleep that the forecast of the next one mixes.
    private static let wakings = 6

    /// The kind, and the duration in minutes with its interval.
    private typealias Length = (sleep: RhythmForecast.Sleep?, median: Double?, range: ClosedRange<Double>?)

    /// The kind and the length of the next sleep, which begins at an instant.
    private func sleep(from start: Double, _ request: Request) -> Length {
        let length = wakeUp.forecast(
            from: sleepAnchor(at: start), elapsed: 0, coverage: request.coverage, model: RhythmModels.wakeUp)
        return (
            kindOfSleep(at: start), Lengths.tenths(length.point),
            Lengths.tenths(length.lower)...Lengths.tenths(length.upper)
        )
    }

    private func feedOutlook(_ request: Request) -> RhythmOutlook {
        guard let anchor = feed.anchor else { return .unavailable(request.kind, .nothingLogged, at: request.now) }
        return nextOutlook(request, of: feed, from: anchor, model: RhythmModels.feed) { _ in
            let length = feedLength
            return (nil, length?.median, length?.range(of: request.coverage))
        }
    }

    /// Learns the lengths of sleeps from the sleep before each waking of the naps' history.
    mutating func learnLengths() {
        let sleeps = nap.sleeps(atMinute: 0, recency: .infinity, clockWidth: .infinity).map(\.value)
        for sleep in sleeps.sorted(by: { $0.start < $1.start }) {
            wakeUp.begin(
                at: Anchor(
                    minute: sleep.start, features: SIMD4(repeating: .nan), expected: usualSleep(at: sleep.start)),
                model: RhythmModels.wakeUp)
            wakeUp.observe(interval: sleep.end - sleep.start, model: RhythmModels.wakeUp)
        }
    }

    private func wakeUpOutlook(_ request: Request) -> RhythmOutlook {
        guard let since = runningSleep(at: request.minute) else {
            return .unavailable(request.kind, .awake, at: request.now)
        }
        let anchor = runningAnchor(since: since)
        let forecast = wakeUp.forecast(request, from: anchor, model: RhythmModels.wakeUp)
        return outlook(request, forecast, of: wakeUp, from: anchor, doubt: doubt(about: forecast, request)) { point in
            func length(_ end: Double) -> Double { Lengths.tenths(end - anchor.instant) }
            return (nil, length(point.middle), length(point.lower)...length(point.upper))
        }
    }

    private func bedtimeOutlook(_ request: Request) -> RhythmOutlook {
        let anchor = bedtimeAnchor(request)
        let evening = BedtimeState.day(of: anchor.minute) * DayCycle.minutesPerDay + RhythmModels.earliestBedtime
        func minutes(to reading: Double) -> Double { reading - request.shift(atReading: reading) - anchor.instant }
        let latest = max(request.minute - anchor.instant, minutes(to: evening + RhythmModels.eveningLength - 1))
        let forecast = bedtimes.recurrence.forecast(request, from: anchor, model: RhythmModels.bedtime)
            .within(min(latest, minutes(to: evening))...latest)
        return outlook(request, forecast, of: bedtimes.recurrence, from: anchor) { _ in (nil, nil, nil) }
    }

    /// The waking that the forecast of the next bedtime starts from: the last waking of the day, or an expected one.
    func bedtimeAnchor(_ request: Request) -> Anchor {
        let now = request.minute
        let since = runningSleep(at: now)
        let isDone = bedtimes.isOver(at: now) || since.map { isProbablyBedtime(since: $0, at: now) } ?? false
        let day = BedtimeState.day(of: now) + (isDone ? 1 : 0)
        let last = bedtimes.wakings.last
        if since == nil, let last, BedtimeState.day(of: last.minute) == day { return last }
        guard isDone || !RhythmModels.isByDay(now) else { return bedtimeAnchor(at: now) }
        // By night, the next waking of a day is assumed at the clock time of the last one.
        let clock = DayCycle.minuteOfDay((last?.minute ?? 720) - BedtimeState.dayStart)
        let waking = max(now, day * DayCycle.minutesPerDay + BedtimeState.dayStart + clock)
        var anchor = bedtimeAnchor(at: waking)
        anchor.shift = -request.shift(atReading: waking)
        return anchor
    }

    /// Whether a running sleep is the first of the night by its beginning, and by its length so far or its probable
    /// length.
    private func isProbablyBedtime(since: Double, at now: Double) -> Bool {
        let anchor = runningAnchor(since: since)
        guard RhythmModels.isEvening(anchor.instant), BedtimeState.day(of: anchor.instant) == BedtimeState.day(of: now)
        else { return false }
        let lengths = wakeUp.forecast(from: anchor, elapsed: now - anchor.instant, model: RhythmModels.wakeUp)
        return lengths.distribution.probability(by: RhythmModels.shortestFirstSleep) < 0.5
    }

    /// The beginning of a sleep that is running at an instant; nil if the baby is awake.
    func runningSleep(at minute: Double) -> Double? {
        asleepSince.flatMap { $0 <= minute && minute - $0 < RhythmModels.longestSleep ? $0 : nil }
    }

    /// The anchor of a running sleep: its beginning, or the beginning of the sleep that it continues.
    func runningAnchor(since: Double) -> Anchor {
        guard let anchor = wakeUp.anchor else { return sleepAnchor(at: since) }
        let continues = blocks.last.map { $0.begins(at: anchor) && since - $0.end < RhythmModels.sleepGap } ?? false
        return abs(anchor.instant - since) < 1e-3 || continues ? anchor : sleepAnchor(at: since)
    }

    /// A forecast's lower end, point and upper end, in minutes since 1970.
    private typealias Span = (lower: Double, middle: Double, upper: Double)

    /// The doubt about the log, as for a forgotten timer: nil unless at most 2 % of intervals last three quarters as
    /// long. The confidence of the end of a running sleep is below 0.2 then.
    func doubt(about forecast: EventForecast, _ request: Request) -> String? {
        guard forecast.survival < 0.02 else { return nil }
        let isTimer = request.kind != .feed && asleepSince.map { $0 <= request.minute } ?? false
        return isTimer ? RhythmForecast.overlong : RhythmForecast.stopped(request.kind)
    }

    /// Makes a forecast from an anchor.
    ///
    /// - Parameters:
    ///   - doubt: The doubt about the log; nil for none.
    ///   - length: Returns the kind and the length for the forecast's span.
    private func outlook(
        _ request: Request, _ forecast: EventForecast, of recurrence: Recurrence, from anchor: Anchor,
        doubt: String? = nil, length: (Span) -> Length
    ) -> RhythmOutlook {
        let (minute, start) = (request.minute, anchor.instant)
        let running = runningSleep(at: minute)
        let span = (start + forecast.lower, start + forecast.point, start + forecast.upper)
        let length = length(span)
        let trust = running != nil && doubt != nil ? min(1, 10 * forecast.survival) : 1
        return .forecast(
            RhythmForecast(
                kind: request.kind, now: request.now, point: request.time(span.1),
                lower: request.time(span.0), upper: request.time(span.2),
                coverage: request.coverage, confidence: max(0.01, trust * forecast.confidence),
                sleep: length.sleep, durationMinutes: length.median, durationRange: length.range,
                basis: RhythmForecast.Basis(
                    isAsleep: running != nil, intervals: recurrence.count,
                    lastSleep: lastSleep.isNaN ? nil : lastSleep,
                    sleepsToday: Int(napAnchor(at: minute).features[1]),
                    asleepLastDay: asleep(in: 1440, before: minute) + (running.map { minute - $0 } ?? 0)),
                distribution: forecast.distribution, anchor: request.time(start), doubt: doubt))
    }

    /// The last instant of a logged sleep or feed that counts at an instant, in minutes.
    private func lastLogged(of kind: RhythmKind, at now: Double) -> Double {
        guard kind == .feed else { return max(blocks.last?.end ?? -.infinity, runningSleep(at: now) ?? -.infinity) }
        return lastFeed ?? meals.last ?? -.infinity
    }

    /// The kind of the next sleep, which begins at an instant: night sleep if most sleeps that began at about this time
    /// of day are in the ``NightWindow`` of the last days.
    private func kindOfSleep(at point: Double) -> RhythmForecast.Sleep {
        let near = nap.sleeps(atMinute: point)
        // A window below three hours is a regular nap: a log with only naps has no bedtime.
        guard let night = NightWindow(blocks[...]), night.length >= 180, !near.isEmpty else { return .nap }
        let weight = near.reduce(0) { $0 + (night.contains($1.value) ? $1.weight : -$1.weight) }
        guard weight > 0 else { return .nap }
        // The night has begun if the last sleep was part of it and its end is still to come.
        let goesOn = blocks.last.map { last in
            night.contains(last) && DayCycle.minuteOfDay(last.localEnd - night.start) < night.length
                && point < last.end + DayCycle.minuteOfDay(night.end - last.localEnd)
        }
        return goesOn == true ? .night : .bedtime
    }

    /// The lengths of the last feeds, with the usual ones, whose weight falls from two feeds to a quarter of one.
    private var feedLength: Lengths? {
        guard !feedLengths.isEmpty else { return nil }
        let usual = Self.usualFeed.intervals(around: 15)
        let weight = 4 / Double(feedLengths.count + 1) / Double(usual.count)
        var lengths = Lengths(feedLengths.map { (Double($0), 1) } + usual.map { ($0, weight) })
        lengths?.median = Double(feedLengths.sorted()[feedLengths.count / 2])
        return lengths
    }

    /// The lengths of the feeds of many babies, around 15 minutes.
    private static let usualFeed = PriorSpread(below: 0.9, above: 0.9)

    /// The weighted lengths of feeds, in minutes.
    private struct Lengths {
        /// The weighted median to tenths.
        var median: Double
        private let sample: [(value: Double, weight: Double)]

        /// Creates the lengths of a sample; nil for an empty one.
        init?(_ sample: [(value: Double, weight: Double)]) {
            guard let median = Recurrence.median(of: sample) else { return nil }
            self.median = Self.tenths(median)
            self.sample = sample
        }

        /// The central interval with a share of the weight, to tenths, around the median.
        func range(of coverage: Double) -> ClosedRange<Double> {
            let lower = Recurrence.quantile((1 - coverage) / 2, of: sample) ?? median
            let upper = Recurrence.quantile((1 + coverage) / 2, of: sample) ?? median
            return min(Self.tenths(lower), median)...max(Self.tenths(upper), median)
        }

        static func tenths(_ minutes: Double) -> Double { (minutes * 10).rounded() / 10 }
    }
}

extension Recurrence {
    /// The forecast from an anchor for a request.
    fileprivate func forecast(
        _ request: RhythmState.Request, from anchor: Anchor, model: RecurrenceModel
    ) -> EventForecast {
        forecast(
            from: anchor, elapsed: max(0, request.minute - anchor.instant), coverage: request.coverage, model: model)
    }

    /// The sleeps that began at about a time of day, weighted by closeness in clock time and recency.
    ///
    /// - Parameters:
    ///   - minute: The instant that defines the clock time, in minutes since 1970.
    ///   - recency: The time constant of the recency kernel, in days.
    ///   - clockWidth: The width σ of the kernel on the clock, in hours.
    fileprivate func sleeps(
        atMinute minute: Double, recency: Double = 14, clockWidth: Double = 1.2
    ) -> [(value: RhythmState.Block, weight: Double)] {
        weighted(atMinute: minute, recency: recency, clockWidth: clockWidth, model: RhythmModels.nap) {
            waking, features in
            let length = exp(features[0]) - 5
            return length > 0 ? (waking - length, RhythmState.Block(start: waking - length, end: waking)) : nil
        }
    }
}

extension RhythmOutlook {
    /// The outlook for the end of a running sleep, converted to one for a night waking.
    var ofNight: RhythmOutlook {
        switch self {
        case .forecast(let forecast) where RhythmModels.isByDay(forecast.anchor.localMinutes):
            return .unavailable(.nightWaking, .noNightSleep, at: forecast.now)
        case .forecast(var forecast):
            forecast.kind = .nightWaking
            return .forecast(forecast)
        case .unavailable(_, let reason, let now): return .unavailable(.nightWaking, reason, at: now)
        }
    }
}
