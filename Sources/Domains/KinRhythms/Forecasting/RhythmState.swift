import KinCore
import KinForecasting
import KinLibC

/// All that forecasts need of a baby's past: a value below 8 KB, updated in constant time by each event.
public struct RhythmState: Sendable, Hashable {
    /// A sleep from falling asleep to waking, in minutes since 1970 by the local clock; pieces nearer than 15 minutes are one.
    struct Block: Sendable, Hashable {
        var start: Double
        var end: Double
    }

    /// The most recent blocks and feeds that are kept, enough for 24 hours of the busiest log seen.
    static let recentBlocks = 24
    static let recentFeeds = 24
    static let recentFeedLengths = 15

    var nap = Recurrence(model: RhythmModels.nap)
    var feed = Recurrence(model: RhythmModels.feed)
    var blocks: [Block] = []
    /// Beginnings of meals.
    var meals: [Double] = []
    /// The last feed row, which a meal may go on with.
    var lastFeed: Double?
    /// Since when the baby sleeps, if a sleep has begun and not ended.
    var asleepSince: Double?
    /// Minutes that the last feeds took.
    var feedLengths: [Float] = []
    /// The midnight of the day of birth, in minutes since 1970.
    let born: Double?

    /// Nothing known but, perhaps, the age.
    public init(baby: RhythmLog.Baby = RhythmLog.Baby()) { born = baby.born?.localMinutes }

    init(born: Double?) { self.born = born }

    /// What happened; forecasts use it from now on.
    mutating func observe(_ observation: RhythmObservation) {
        switch observation.kind {
        case .fellAsleep:
            if observation.start >= (blocks.last?.end ?? -.infinity) { asleepSince = observation.start }
        case .woke: woke(from: observation.start, at: observation.known)
        case .fed: fed(at: observation.start)
        case .feedEnded:
            let minutes = observation.known - observation.start
            guard minutes > 0, minutes <= 120 else { return }
            if feedLengths.count == Self.recentFeedLengths { feedLengths.removeFirst() }
            feedLengths.append(Float(minutes))
        }
    }

    private mutating func woke(from start: Double, at end: Double) {
        if let since = asleepSince, since <= end { asleepSince = nil }
        guard end - start >= RhythmModels.shortestSleep else { return }
        // A timer left running tells when sleep began and that the baby is awake now, but not how long it slept.
        let counted = end - start > RhythmModels.longestSleep ? end : start
        if let last = blocks.last, start - last.end < RhythmModels.sleepGap {
            // One sleep in pieces, or two rows about one: the waking before was none.
            guard end > last.end || start < last.start else { return }
            blocks[blocks.count - 1] = Block(start: min(counted, last.start), end: max(end, last.end))
        } else {
            if let last = blocks.last { nap.observe(interval: start - last.end, model: RhythmModels.nap) }
            if blocks.count == Self.recentBlocks { blocks.removeFirst() }
            blocks.append(Block(start: counted, end: end))
        }
        nap.begin(at: napAnchor(at: blocks[blocks.count - 1].end), model: RhythmModels.nap)
    }

    private mutating func fed(at now: Double) {
        defer { lastFeed = now }
        if let lastFeed, now - lastFeed < RhythmModels.feedGap { return }
        if let last = meals.last { feed.observe(interval: now - last, model: RhythmModels.feed) }
        if meals.count == Self.recentFeeds { meals.removeFirst() }
        meals.append(now)
        feed.begin(at: feedAnchor(at: now), model: RhythmModels.feed)
    }

    /// What is known at a waking.
    func napAnchor(at now: Double) -> Anchor {
        // Days begin at four, when most who wake go back to sleep.
        let fourInTheMorning = now - ClockTime.minuteOfDay(now - 240)
        let length = lastSleep
        let naps = blocks.reduce(0) { $0 + ($1.start >= fourInTheMorning && $1.end <= now ? 1 : 0) }
        return Anchor(
            minute: now,
            features: [log(length + 5), Double(naps), asleep(in: 1440, before: now), asleep(in: 720, before: now)],
            expected: AgeTable.interval(of: .nap, ageInDays: ageInDays(at: now)), trust: trustInAge)
    }

    private func feedAnchor(at now: Double) -> Anchor {
        let before = meals.count > 1 ? now - meals[meals.count - 2] : .nan
        let length = lastSleep
        let woken = blocks.last.map { now - $0.end } ?? .nan
        let count = meals.reduce(0) { $0 + ($1 > now - 1440 ? 1 : 0) }
        return Anchor(
            minute: now, features: [log(before + 5), log(length + 5), Double(count), min(woken, 2000)],
            expected: AgeTable.interval(of: .feed, ageInDays: ageInDays(at: now)), trust: trustInAge)
    }

    /// Minutes asleep in the span before an instant.
    func asleep(in span: Double, before now: Double) -> Double {
        blocks.reduce(0) { $0 + max(0, min($1.end, now) - max($1.start, now - span)) }
    }

    /// Minutes of the last sleep; NaN where it is not known.
    private var lastSleep: Double {
        blocks.last.flatMap { $0.end > $0.start ? $0.end - $0.start : nil } ?? .nan
    }

    /// Without a day of birth, the table is a guess at the age too.
    private var trustInAge: Double { born == nil ? 0.04 : 1 }

    func ageInDays(at now: Double) -> Double? { born.map { max(0, now - $0) / ClockTime.minutesPerDay } }
}
