import KinCore
import KinForecasting
import KinLibC

/// The state of a baby's forecasts: below 8 KB, updated in constant time by each observation.
public struct RhythmState: Sendable, Hashable {
    /// A sleep from falling asleep to waking, in minutes since 1970 by the local clock; parts less than 15 minutes
    /// apart are one.
    struct Block: Sendable, Hashable {
        var start: Double
        var end: Double
    }

    /// The number of latest sleeps kept, enough for 24 hours of the busiest log seen.
    static let recentBlocks = 24
    static let recentFeeds = 24
    static let recentFeedLengths = 15

    var nap = Recurrence(model: RhythmModels.nap)
    var feed = Recurrence(model: RhythmModels.feed)
    var blocks: [Block] = []
    /// The beginnings of the latest meals, in minutes.
    var meals: [Double] = []
    /// The beginning of the last feed, which may continue a meal.
    var lastFeed: Double?
    /// The beginning of a sleep that has not ended; nil when the baby is awake.
    var asleepSince: Double?
    /// The lengths of the last feeds, in minutes.
    var feedLengths: [Float] = []
    /// The midnight of the day of birth, in minutes since 1970.
    let born: Double?

    /// Creates a state without observations.
    public init(baby: RhythmLog.Baby = RhythmLog.Baby()) { born = baby.born?.localMinutes }

    init(born: Double?) { self.born = born }

    /// Updates the state by an observation.
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
        // A timer left running has a true beginning and a true waking, but no length.
        let counted = end - start > RhythmModels.longestSleep ? end : start
        if let last = blocks.last, start - last.end < RhythmModels.sleepGap {
            // Parts of one sleep, or two rows of one: the earlier waking does not count.
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

    /// The anchor and its features at a waking.
    func napAnchor(at now: Double) -> Anchor {
        // Days begin at 04:00, when a waking is rarely the morning's.
        let fourInTheMorning = now - DayCycle.minuteOfDay(now - 240)
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

    /// The minutes asleep in the span before an instant.
    func asleep(in span: Double, before now: Double) -> Double {
        blocks.reduce(0) { $0 + max(0, min($1.end, now) - max($1.start, now - span)) }
    }

    /// The length of the last sleep, in minutes; NaN when unknown.
    private var lastSleep: Double {
        blocks.last.flatMap { $0.end > $0.start ? $0.end - $0.start : nil } ?? .nan
    }

    /// The weight of the age table, which is small without a day of birth.
    private var trustInAge: Double { born == nil ? 0.04 : 1 }

    func ageInDays(at now: Double) -> Double? { born.map { max(0, now - $0) / DayCycle.minutesPerDay } }
}
