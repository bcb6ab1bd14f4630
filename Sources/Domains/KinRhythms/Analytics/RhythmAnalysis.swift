/// The findings of a log beyond forecasts, each with its statistics.
public struct RhythmAnalysis: Sendable {
    /// The time awake before the n-th sleep of the day, including the first sleep of the night; wakings in the night
    /// are left out.
    public struct WakeWindow: Sendable, Hashable {
        /// The number of the sleep, from 1 after the end of the night.
        public let napNumber: Int
        /// The number of days observed.
        public let count: Int
        /// The quartiles in minutes.
        public let quartiles: Quartiles
        /// The growth in minutes a week, a Theil–Sen slope; nil if undefined.
        public let weeklyTrend: Double?
        /// The p-value for no trend, by Mann and Kendall, with the exponent reduced for days that resemble their
        /// neighbours.
        public let trendP: Double
        /// The share of days within 30 minutes of the median.
        public let nearShare: Double

        /// The quartiles of the observed minutes.
        public struct Quartiles: Sendable, Hashable {
            /// The lower quartile of the minutes.
            public let lower: Double
            /// The median of the minutes.
            public let middle: Double
            /// The upper quartile of the minutes.
            public let upper: Double
        }
    }

    /// A lasting step in a daily quantity.
    public struct Leap: Sendable, Hashable {
        /// The quantities that are searched for steps.
        public enum Quantity: String, Sendable, Hashable, CaseIterable {
            /// The minutes asleep in 24 hours.
            case sleep = "minutes asleep a day"
            /// The number of naps by day.
            case naps = "naps a day"
            /// The number of wakings in the night.
            case wakings = "wakings a night"
            /// The minutes of the longest sleep of the night.
            case stretch = "minutes of the longest sleep of the night"
            /// The beginning of the night, in minutes after midnight.
            case bedtime = "minutes from midnight to bedtime"
        }

        /// The quantity that changed.
        public let quantity: Quantity
        /// The first day of the new level.
        public let date: LocalDateTime
        /// The step, with its size and confidence.
        public let change: ChangePoint
    }

    /// The wake windows of the last four weeks.
    public let wakeWindows: [WakeWindow]
    /// The lasting steps by date.
    public let leaps: [Leap]
    /// The quantities whose level has changed in the last four weeks, for daily looks: with a probability of at most
    /// 0.05, a year of them finds any change in a log without changes.
    public let shifts: [Leap]
    /// The growth of the longest sleep of the night.
    public struct Consolidation: Sendable, Hashable {
        /// The Theil–Sen slope, in minutes a week.
        public let weeklyMinutes: Double
        /// The p-value for no trend, by Mann and Kendall, with the exponent reduced for days that resemble their
        /// neighbours.
        public let p: Double
        /// The number of nights observed.
        public let count: Int
    }

    /// The growth of the longest sleep of the night over the last eight weeks; nil for fewer than 14 complete nights.
    public let consolidation: Consolidation?
    /// The statistics of each day, in order.
    public let days: [DaySummary]
    /// The instant of the last observation.
    let latest: LoggedTime?
    /// The number of sleeps in the last two weeks.
    let recentSleepRows: Int
    let unstoppedTimers: Int
    /// The correlation of the millilitres of milk of a day with the longest sleep of the night after it, controlled for age.
    public let drinkingAndSleep: PartialCorrelation?
    /// The correlation of the meals of a day with the longest sleep of the night after it, controlled for age.
    public let feedsAndSleep: PartialCorrelation?
    /// The relations between a sleep and the last feed before it.
    public let relations: FeedSleepRelations

    /// Computes all findings of a log.
    public init(_ log: RhythmLog) {
        days = log.days
        latest = log.latest
        relations = FeedSleepRelations(log)
        (recentSleepRows, unstoppedTimers) = Self.timers(log)
        let whole = days.enumerated().filter { $0.element.isWhole }
        wakeWindows = Self.wakeWindows(log.sleeps)
        (leaps, shifts) = Self.steps(days)
        let stretches = whole.drop { [last = whole.last?.offset ?? 0] in $0.offset <= last - 56 }.compactMap { day in
            day.element.longestNightStretch.map { (x: Double(day.offset), y: $0) }
        }
        consolidation =
            stretches.count < 14
            ? nil
            : TheilSen.slope(stretches).map {
                Consolidation(weeklyMinutes: $0 * 7, p: TheilSen.dependentP(stretches), count: stretches.count)
            }
        let nights = whole.filter { $0.element.longestNightStretch != nil && $0.element.meals > 0 }
        let age = nights.map { Double($0.offset) }
        let stretch = nights.compactMap { $0.element.longestNightStretch }
        feedsAndSleep = PartialCorrelation(nights.map { Double($0.element.meals) }, stretch, without: age)
        let measured = nights.filter { $0.element.millilitres > 0 }
        drinkingAndSleep = PartialCorrelation(
            measured.map { $0.element.millilitres }, measured.compactMap { $0.element.longestNightStretch },
            without: measured.map { Double($0.offset) })
    }

    /// The day of a sleep's beginning; days begin at 04:00.
    private static func day(of block: RhythmState.Block) -> Double {
        ((block.localStart - 240) / DayCycle.minutesPerDay).rounded(.down)
    }

    private static func wakeWindows(_ sleeps: [RhythmState.Block]) -> [WakeWindow] {
        guard let last = sleeps.last else { return [] }
        let today = Self.day(of: last)
        guard let first = sleeps.firstIndex(where: { Self.day(of: $0) > today - 28 }),
            let night = NightWindow(sleeps[first...])
        else { return [] }
        // The first sleep of these days follows one of the day before.
        let recent = sleeps[max(0, first - 1)...]
        var windows: [Int: [(day: Double, minutes: Double)]] = [:]
        var number = 0
        // The sleeps of a day can be numbered if the waking before the first of them is known.
        var (numbered, isKnown) = (Self.day(of: recent[recent.startIndex]), night.contains(recent[recent.startIndex]))
        for (a, b) in zip(recent, recent.dropFirst()) where !(night.contains(a) && night.contains(b)) {
            let day = Self.day(of: b)
            let minutes = b.start - a.end
            let isWindow = (15...600).contains(minutes)
            if day != numbered { (number, numbered, isKnown) = (0, day, isWindow) }
            number += 1
            if isWindow, isKnown { windows[number, default: []].append((day, minutes)) }
        }
        return windows.keys.sorted().compactMap { number in
            let found = windows[number] ?? []
            guard found.count >= 7 else { return nil }
            let sorted = found.map(\.minutes).sorted()
            func quartile(_ share: Double) -> Double {
                let place = Double(sorted.count - 1) * share
                let (lower, upper) = (sorted[Int(place)], sorted[min(Int(place) + 1, sorted.count - 1)])
                return lower + (upper - lower) * (place - place.rounded(.down))
            }
            return WakeWindow(
                napNumber: number, count: found.count,
                quartiles: .init(lower: quartile(0.25), middle: quartile(0.5), upper: quartile(0.75)),
                weeklyTrend: TheilSen.slope(found.map { ($0.day, $0.minutes) }).map { $0 * 7 },
                trendP: TheilSen.dependentP(found.map { ($0.day, $0.minutes) }),
                nearShare: Double(found.count { abs($0.minutes - quartile(0.5)) <= 30 }) / Double(found.count))
        }
    }

    private static func steps(_ days: [DaySummary]) -> (leaps: [Leap], shifts: [Leap]) {
        let series: [(Leap.Quantity, Double, (DaySummary) -> Double?)] = [
            (.sleep, 30, \.asleepMinutes), (.naps, 0.5, { $0.naps.map { Double($0) } }),
            (.wakings, 0.75, { $0.nightWakings.map { Double($0) } }), (.stretch, 30, \.longestNightStretch),
            (.bedtime, 20, \.bedtimeMinute),
        ]
        var (leaps, shifts): ([Leap], [Leap]) = ([], [])
        // The last whole day has whole neighbours.
        let last = days.lastIndex(where: \.isWhole) ?? days.startIndex
        for (quantity, smallest, value) in series {
            var search = ChangePointDetection(smallestStep: smallest)
            if quantity == .naps {
                // Naps are integers, and two counts alternate for a while when a nap is dropped.
                search.lineAdvantage = 1.15
                search.shortestSegment = 10
            }
            func leap(_ change: ChangePoint) -> Leap {
                Leap(quantity: quantity, date: days[change.index].date, change: change)
            }
            let values = days.prefix(last + 1).map { $0.isWhole ? value($0) : nil }
            leaps += search.changes(in: values).map(leap)
            if let shift = search.shift(atEndOf: values, largestP: largestP) { shifts.append(leap(shift)) }
        }
        return (leaps.sorted { $0.date < $1.date }, shifts)
    }

    private static func timers(_ log: RhythmLog) -> (sleeps: Int, unstopped: Int) {
        guard let last = log.latest?.minute else { return (0, 0) }
        var counts = (sleeps: 0, unstopped: 0)
        for record in log.counted where record.start.minute > last - 14 * DayCycle.minutesPerDay {
            guard case .sleep(let sleep) = record.event else { continue }
            counts.sleeps += 1
            // A sleep of the last hours may still be running.
            let length = (sleep.end?.minute ?? last) - record.start.minute
            if length > RhythmModels.longestSleep { counts.unstopped += 1 }
        }
        return counts
    }
}
