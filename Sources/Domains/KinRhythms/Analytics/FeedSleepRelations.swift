import KinLibC

/// The relations of each feed with the sleep that follows it, controlled for age and time of day.
///
/// A feed counts for a sleep that begins within six hours after it. Feeds less than 45 minutes apart before the sleep
/// are one meal. Two harmonics remove the time of day, so that a bottle at bedtime does not explain the night.
public struct FeedSleepRelations: Sendable, Hashable {
    /// The correlation of the millilitres of milk of the last meal with the length of the next sleep; nil for too few values,
    /// or values that do not vary.
    public let amountAndLength: PartialCorrelation?
    /// The correlation of the millilitres of the last meal with the logged quality of the next sleep: poor, fair, good.
    public let amountAndQuality: PartialCorrelation?
    /// The correlation of the minutes since the start of the last feed with the length of the next sleep.
    public let waitAndLength: PartialCorrelation?
    /// The correlation of the minutes since the start of the last feed with the quality of the next sleep.
    public let waitAndQuality: PartialCorrelation?

    /// The longest time from a feed to the sleep that it counts for, in minutes.
    static let longestWait = 360.0

    /// A sleep with the meal before it.
    private struct Pair {
        let start: Double
        let clock: Double
        let length: Double
        let wait: Double
        /// The millilitres of milk of the meal; nil if a feed of milk was not measured, and for solids alone.
        let amount: Double?
        /// The mean quality of the sleep's rows, 0 to 2; nil if no row has a quality.
        let quality: Double?
    }

    init(_ log: RhythmLog) {
        let pairs = Self.pairs(log)
        func correlation(
            _ x: (Pair) -> Double?, _ y: (Pair) -> Double?
        ) -> PartialCorrelation? {
            let known = pairs.compactMap { pair in
                x(pair).flatMap { x in y(pair).map { (x: x, y: $0, start: pair.start, clock: pair.clock) } }
            }
            let harmonics: [(Double) -> Double] = [
                { cos($0) }, { sin($0) }, { cos(2 * $0) }, { sin(2 * $0) },
            ]
            return PartialCorrelation(
                known.map(\.x), known.map(\.y), without: known.map(\.start),
                and: harmonics.map { wave in
                    known.map { wave(DayCycle.minuteOfDay($0.clock) / DayCycle.minutesPerDay * 2 * .pi) }
                })
        }
        amountAndLength = correlation(\.amount, { $0.length })
        amountAndQuality = correlation(\.amount, \.quality)
        waitAndLength = correlation({ $0.wait }, { $0.length })
        waitAndQuality = correlation({ $0.wait }, \.quality)
    }

    private static func pairs(_ log: RhythmLog) -> [Pair] {
        var feeds: [(start: Double, isMilk: Bool, amount: Double?)] = []
        var rated: [(start: Double, end: Double, quality: Double)] = []
        for record in log.counted {
            let start = record.start.minute
            switch record.event {
            case .feed(let feed): feeds.append((start, feed.method != .solids, feed.milk))
            case .sleep(let sleep):
                guard let end = sleep.end?.minute, let quality = sleep.quality else { continue }
                rated.append((start, end, quality == .good ? 2 : quality == .fair ? 1 : 0))
            case .diaper, .milestone: break
            }
        }
        var pairs: [Pair] = []
        var (fed, rating) = (0, 0)
        for block in log.sleeps where block.end - block.start <= RhythmModels.longestSleep {
            while fed < feeds.count, feeds[fed].start <= block.start { fed += 1 }
            while rating < rated.count, rated[rating].start < block.start { rating += 1 }
            guard fed > 0, block.start - feeds[fed - 1].start <= longestWait else { continue }
            var first = fed - 1
            while first > 0, feeds[first].start - feeds[first - 1].start < RhythmModels.feedGap { first -= 1 }
            let amounts = feeds[first..<fed].filter(\.isMilk).map(\.amount)
            let known = amounts.compactMap(\.self)
            let qualities = rated[rating...].prefix { $0.start < block.end }.map(\.quality)
            pairs.append(
                Pair(
                    start: block.start, clock: block.localStart, length: block.end - block.start,
                    wait: block.start - feeds[fed - 1].start,
                    amount: !known.isEmpty && known.count == amounts.count ? known.reduce(0, +) : nil,
                    quality: qualities.isEmpty ? nil : qualities.reduce(0, +) / Double(qualities.count)))
        }
        return pairs
    }
}
