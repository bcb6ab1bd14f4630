import KinLibC

/// The state of a baby's forecasts: below 14 KB, updated in constant time by each observation.
public struct RhythmState: Sendable, Hashable {
    /// A sleep from falling asleep to waking, in minutes since 1970 by one clock, so that lengths are correct
    /// when the local clock changes. Parts less than 15 minutes apart are one sleep.
    struct Block: Sendable, Hashable {
        var start: Double
        var end: Double
        /// The local time minus the time of that clock when the sleep began, in minutes.
        var startShift = 0.0
        /// The local time minus the time of that clock when the sleep ended, in minutes.
        var endShift = 0.0
    }

    /// The largest number of recent sleeps, enough for 24 hours of the busiest log seen.
    static let recentBlocks = 24
    static let recentFeeds = 24
    static let recentFeedLengths = 15

    var nap = Recurrence(model: RhythmModels.nap)
    var feed = Recurrence(model: RhythmModels.feed)
    var wakeUp = Recurrence(model: RhythmModels.wakeUp)
    var bedtimes = BedtimeState()
    var blocks: [Block] = []
    /// The beginnings of the latest meals, in minutes.
    var meals: [Double] = []
    /// The beginning of the last feed, which may continue a meal.
    var lastFeed: Double?
    /// The beginning of a running sleep; nil if the baby is awake.
    var asleepSince: Double?
    /// The lengths of the last feeds, in minutes.
    var feedLengths: [Float] = []
    /// The midnight of the day of birth, in minutes since 1970.
    let born: Double?
    /// The offset from UTC of the clock of all minutes in the state, in seconds: that of the latest observation. Nil
    /// for a log without instants.
    private(set) var offset: Int32?

    /// Creates a state without observations.
    public init(baby: RhythmLog.Baby = RhythmLog.Baby()) { born = baby.born?.localMinutes }

    init(born: Double?) { self.born = born }

    /// Sets the clock of the state to a different offset from UTC; the time since each event stays the same.
    mutating func setClock(to offset: Int32?) {
        defer { self.offset = offset }
        guard let before = self.offset, let offset, before != offset else { return }
        let minutes = Double(offset - before) / 60
        for place in blocks.indices { blocks[place].setClock(by: minutes) }
        for place in meals.indices { meals[place] += minutes }
        lastFeed = lastFeed.map { $0 + minutes }
        asleepSince = asleepSince.map { $0 + minutes }
        nap.setClock(by: minutes)
        feed.setClock(by: minutes)
        wakeUp.setClock(by: minutes)
        for place in bedtimes.wakings.indices { bedtimes.wakings[place].shift += minutes }
    }

    /// Updates the state by an observation, unless it repeats the one before it.
    mutating func observe(_ observation: RhythmObservation, after last: RhythmObservation?) {
        if let last, observation.repeats(last) { return }
        if observation.time.offset != offset { setClock(to: observation.time.offset) }
        let now = observation.time.localMinutes
        let start = observation.start.localMinutes(by: offset)
        switch observation.kind {
        case .fellAsleep: fellAsleep(at: start)
        case .woke:
            woke(Block(start: start, end: now, startShift: observation.start.localMinutes - start))
        case .timerStopped: if let since = asleepSince, abs(since - start) < 1e-3 { asleepSince = nil }
        case .fed: fed(at: start)
        case .feedEnded:
            let minutes = now - start
            guard minutes > 0, minutes <= 120 else { return }
            if feedLengths.count == Self.recentFeedLengths { feedLengths.removeFirst() }
            feedLengths.append(Float(minutes))
        }
    }

    private mutating func fellAsleep(at start: Double) {
        let last = blocks.last
        guard start >= last?.end ?? -.infinity else { return }
        asleepSince = start
        if let last {
            // A part of the previous sleep continues it, so the length of a sleep is known only once a new sleep
            // begins.
            guard start - last.end >= RhythmModels.sleepGap else { return }
            if let anchor = wakeUp.anchor {
                if last.begins(at: anchor) {
                    wakeUp.observe(interval: last.end - last.start, model: RhythmModels.wakeUp)
                } else if anchor.instant > last.end, start - last.end > RhythmModels.nap.intervals.upperBound {
                    // A sleep without a known end came in between, so this is no long time awake.
                    nap.observe(interval: anchor.instant - last.end, model: RhythmModels.nap)
                    nap.begin(at: napAnchor(at: start), model: RhythmModels.nap)
                }
            }
        }
        wakeUp.begin(at: sleepAnchor(at: start), model: RhythmModels.wakeUp)
    }

    private mutating func woke(_ sleep: Block) {
        let (start, end) = (sleep.start, sleep.end)
        if let since = asleepSince, since <= end { asleepSince = nil }
        guard end - start >= RhythmModels.shortestSleep else { return }
        // A timer left running has a true beginning and a true waking, but no valid length.
        let counted = end - start > RhythmModels.longestSleep ? end : start
        if let last = blocks.last, start - last.end < RhythmModels.sleepGap {
            // Parts of one sleep, or two rows for one sleep: the earlier waking does not count.
            guard end > last.end || start < last.start else { return }
            if counted < last.start {
                (blocks[blocks.count - 1].start, blocks[blocks.count - 1].startShift) = (counted, sleep.startShift)
            }
            if end > last.end { blocks[blocks.count - 1].wake(at: sleep) }
        } else {
            if let waking = nap.anchor { nap.observe(interval: start - waking.instant, model: RhythmModels.nap) }
            if blocks.count == Self.recentBlocks { blocks.removeFirst() }
            blocks.append(
                Block(start: counted, end: end, startShift: counted == start ? sleep.startShift : 0))
        }
        let sleep = blocks[blocks.count - 1]
        nap.begin(at: napAnchor(at: sleep.end), model: RhythmModels.nap)
        bedtimes.woke(from: sleep, at: bedtimeAnchor(at: sleep.end))
    }

    private mutating func fed(at now: Double) {
        defer { lastFeed = now }
        if let lastFeed, now - lastFeed < RhythmModels.feedGap { return }
        if let last = meals.last { feed.observe(interval: now - last, model: RhythmModels.feed) }
        if meals.count == Self.recentFeeds { meals.removeFirst() }
        meals.append(now)
        feed.begin(at: feedAnchor(at: now), model: RhythmModels.feed)
    }

    /// The anchor and its features at a waking.
    func napAnchor(at now: Double) -> Anchor {
        Anchor(
            minute: now, features: sleepFeatures(at: now, after: lastSleep),
            expected: AgeTable.wakeWindow(ageInDays: ageInDays(at: now) ?? Self.unknownAge),
            trust: trustInAgeOfSleep)
    }

    /// The anchor and its features at the beginning of a sleep.
    func sleepAnchor(at now: Double) -> Anchor {
        Anchor(
            minute: now, features: sleepFeatures(at: now, after: blocks.last.map { now - $0.end } ?? .nan),
            expected: usualSleep(at: now), trust: trustInAgeOfSleep)
    }

    /// The anchor and its features at a waking, for the forecast of a bedtime.
    func bedtimeAnchor(at now: Double) -> Anchor {
        let wait = DayCycle.minuteOfDay(Self.usualBedtime - now)
        return Anchor(
            minute: now, features: sleepFeatures(at: now, after: lastSleep),
            expected: wait, trust: trustInAge)
    }

    /// The expected length of a sleep, in minutes, from the age; at night at most until ``usualMorning``.
    func usualSleep(at now: Double) -> Double {
        let age = ageInDays(at: now) ?? Self.unknownAge
        guard !RhythmModels.isByDay(now) else { return AgeTable.nap(ageInDays: age) }
        return min(AgeTable.nightSleep(ageInDays: age), DayCycle.minuteOfDay(Self.usualMorning - now))
    }

    /// The features of sleep at an instant: ln(5 + `length`), the sleeps since 04:00, and the minutes asleep in the
    /// last 24 and 12 hours.
    private func sleepFeatures(at now: Double, after length: Double) -> SIMD4<Double> {
        // Days begin at 04:00, when a waking is rarely the morning's.
        let fourInTheMorning = now - DayCycle.minuteOfDay(now - 240)
        let sleeps = blocks.reduce(0) { $0 + ($1.start >= fourInTheMorning && $1.end <= now ? 1 : 0) }
        return [log(length + 5), Double(sleeps), asleep(in: 1440, before: now), asleep(in: 720, before: now)]
    }

    private func feedAnchor(at now: Double) -> Anchor {
        let before = meals.count > 1 ? now - meals[meals.count - 2] : .nan
        let length = lastSleep
        let woken = blocks.last.map { now - $0.end } ?? .nan
        let count = meals.reduce(0) { $0 + ($1 > now - 1440 ? 1 : 0) }
        return Anchor(
            minute: now, features: [log(before + 5), log(length + 5), Double(count), min(woken, 2000)],
            expected: AgeTable.feedInterval(ageInDays: ageInDays(at: now)), trust: trustInAge)
    }

    /// The minutes asleep in the span before an instant.
    func asleep(in span: Double, before now: Double) -> Double {
        blocks.reduce(0) { $0 + max(0, min($1.end, now) - max($1.start, now - span)) }
    }

    /// The length of the last sleep, in minutes; NaN when unknown.
    var lastSleep: Double {
        blocks.last.flatMap { $0.end > $0.start ? $0.end - $0.start : nil } ?? .nan
    }

    /// The usual times of the morning's waking and of bedtime, in minutes after midnight, used until the log has its
    /// own.
    private static let (usualMorning, usualBedtime) = (440.0, 1200.0)

    /// The weight of the values for the age relative to those of the log; small without a day of birth.
    private var trustInAge: Double { born == nil ? 0.04 : 1 }

    /// The weight for naps and lengths of sleeps. Without a day of birth, their values are spread over all ages.
    private var trustInAgeOfSleep: Double { born == nil ? 0.5 : 1 }

    /// The age in days for the expected sleep of a baby without a day of birth: five months, whose values are in the
    /// middle of those of all ages.
    private static let unknownAge = 150.0

    func ageInDays(at now: Double) -> Double? { born.map { max(0, now - $0) / DayCycle.minutesPerDay } }
}

extension RhythmState.Block {
    /// Creates the sleep between two times of a log, in minutes as ``LoggedTime/minute``.
    init(from start: LoggedTime, to end: LoggedTime) {
        self.init(
            start: start.minute, end: end.minute, startShift: start.shift, endShift: end.shift)
    }

    /// The minutes since 1970 that the local clock showed when the sleep began.
    var localStart: Double { start + startShift }
    /// The minutes since 1970 that the local clock showed when the sleep ended.
    var localEnd: Double { end + endShift }

    /// Whether an anchor is the beginning of the sleep, or of a further row about it.
    func begins(at anchor: Anchor) -> Bool { anchor.instant > start - 1e-3 && anchor.instant < end }

    /// Extends the sleep to the end of a second one.
    mutating func wake(at other: RhythmState.Block) { (end, endShift) = (other.end, other.endShift) }

    /// Sets the clock of the minutes forward.
    fileprivate mutating func setClock(by minutes: Double) {
        start += minutes
        end += minutes
        startShift -= minutes
        endShift -= minutes
    }
}
