/// The rest of a day, simulated many times from one state: wake windows and sleeps in turn, each drawn from its
/// mixture, until a sleep is the night's first (``RhythmModels/isBedtime(_:)``).
///
/// A path's weight is the density of the bedtime forecast at the path's bedtime: the path accounts for the time awake,
/// the forecast for the clock. All simulations use the same random numbers, so that two plans of one state differ by
/// their assumptions only. Paths with about the same time share one forecast, so a simulation evaluates about 50
/// mixtures.
struct DaySimulation: ~Copyable {
    /// One course of the rest of the day. Times are minutes by the clock of the state.
    struct Path {
        /// The sleeps that end before the night, with the one that is running.
        var sleeps: [RhythmState.Block] = []
        /// The last waking, in minutes.
        var waking: Double
        /// The beginning of the next sleep.
        var next = 0.0
        /// The number of assumed sleeps that have begun.
        var assumed = 0
        var bedtime: Double?
        var weight = 1.0
    }

    /// An assumed sleep, in minutes. Without a start it is the running sleep, or else the next one.
    struct Assumed {
        var start: Double?
        var end: Double?
    }

    /// The number of paths.
    static let count = 500
    /// The largest number of forecasts for one step of all paths.
    private static let cells = 6
    /// The largest number of sleeps that are not assumed.
    private static let steps = 12
    /// The bedtime forecast's probability is taken of this many minutes to either side of a path's bedtime, and raised
    /// by a floor, so that an unusual day keeps its paths.
    private static let (nearMinutes, floor) = (15.0, 0.15)

    private let state: RhythmState
    private let request: RhythmState.Request
    private var now: Double { request.minute }
    /// The doubt about the running sleep, or about the time since the last one; nil for none.
    private(set) var doubt: String?
    private let assumed: [Assumed]
    private(set) var paths: [Path]
    private var generator = SeededGenerator(seed: 1)

    /// Simulates the rest of the day of a request, before its night.
    ///
    /// - Parameters:
    ///   - waking: The last waking; ignored while a sleep is running.
    ///   - assumed: The assumed sleeps in order, which do not contradict the state.
    init(_ state: RhythmState, _ request: RhythmState.Request, waking: Double, assumed: [Assumed]) {
        self.state = state
        self.request = request
        self.assumed = assumed
        let since = state.runningSleep(at: request.minute)
        paths = [Path](repeating: Path(waking: waking), count: Self.count)
        if let since { endRunningSleep(since) }
        for step in 0..<Self.steps + assumed.count {
            let active = paths.indices.filter { paths[$0].bedtime == nil }
            if active.isEmpty { break }
            fallAsleep(active, isAwakeSinceWaking: step == 0 && since == nil)
            sleep(active)
        }
        for path in paths.indices where paths[path].bedtime == nil { paths[path].bedtime = paths[path].waking }
        weigh()
    }

    /// Ends the running sleep in every path. A sleep since the evening may be the night's first.
    private mutating func endRunningSleep(_ since: Double) {
        let anchor = state.runningAnchor(since: since)
        let forecast = state.wakeUp.forecast(
            from: anchor, elapsed: now - anchor.instant, model: RhythmModels.wakeUp)
        doubt = state.doubt(about: forecast, request)
        let lengths = forecast.distribution
        let isAssumed = assumed.first.map { ($0.start ?? since) <= now } ?? false
        for (path, level) in draws().enumerated() {
            var end = max(now, anchor.instant + lengths.quantile(level))
            if isAssumed {
                end = assumed[0].end ?? end
                paths[path].assumed = 1
            }
            end = max(now, min(end, latestEnd(before: paths[path])))
            finish(path, RhythmState.Block(start: anchor.instant, end: end), part: since)
        }
    }

    /// Draws the beginning of each path's next sleep.
    private mutating func fallAsleep(_ active: [Int], isAwakeSinceWaking: Bool) {
        let levels = draws()
        for (cell, middle) in cells(of: active, by: \.waking) {
            let anchor = state.after(middle.sleeps).napAnchor(at: middle.waking)
            let forecast = state.nap.forecast(
                from: anchor, elapsed: isAwakeSinceWaking ? max(0, now - middle.waking) : 0, model: RhythmModels.nap)
            if isAwakeSinceWaking { doubt = state.doubt(about: forecast, request) }
            let windows = CalibratedTimes(forecast)
            for path in cell {
                let waking = paths[path].waking
                var level = levels[path]
                let next = nextAssumed(on: paths[path])
                let latest = next.flatMap { $0.start == nil ? $0.end.map { $0 - RhythmModels.shortestSleep } : nil }
                if let latest { level *= windows.probability(by: latest - waking) }
                paths[path].next = max(now, min(waking + windows.quantile(level), latest ?? .infinity))
                // A sleep that would leave no time to wake up before the assumed one does not begin.
                if let start = next?.start,
                    paths[path].next > start - RhythmModels.sleepGap - RhythmModels.shortestSleep
                {
                    paths[path].next = start
                }
            }
        }
    }

    /// Draws the length of each path's next sleep.
    private mutating func sleep(_ active: [Int]) {
        let levels = draws()
        for (cell, middle) in cells(of: active, by: \.next) {
            let anchor = state.after(middle.sleeps).sleepAnchor(at: middle.next)
            let lengths = state.wakeUp.forecast(from: anchor, elapsed: 0, model: RhythmModels.wakeUp).distribution
            for path in cell {
                let start = paths[path].next
                var end = start + max(RhythmModels.shortestSleep, lengths.quantile(levels[path]))
                let next = nextAssumed(on: paths[path])
                if let next, (next.start ?? start) <= start {
                    end = next.end ?? end
                    paths[path].assumed += 1
                }
                finish(path, RhythmState.Block(start: start, end: min(end, latestEnd(before: paths[path]))))
            }
        }
    }

    /// The latest end of a sleep before the next assumed sleep of a path.
    private func latestEnd(before path: Path) -> Double {
        nextAssumed(on: path)?.start.map { $0 - RhythmModels.sleepGap } ?? .infinity
    }

    /// The first assumed sleep that has not begun on a path; nil without one.
    private func nextAssumed(on path: Path) -> Assumed? {
        path.assumed < assumed.count ? assumed[path.assumed] : nil
    }

    /// Ends a path with its bedtime if a sleep is the night's first, or else adds the sleep to it.
    ///
    /// - Parameter part: The beginning of the last part of the sleep; nil for a sleep in one part.
    private mutating func finish(_ path: Int, _ sleep: RhythmState.Block, part: Double? = nil) {
        let today = BedtimeState.day(of: now)
        let isTonight = RhythmModels.isBedtime(sleep) && BedtimeState.day(of: sleep.start) == today
        if isTonight || part == nil && BedtimeState.day(of: sleep.end) > today {
            paths[path].bedtime = min(
                sleep.start, (today + 1) * DayCycle.minutesPerDay + BedtimeState.dayStart - 1)
        } else {
            paths[path].sleeps.append(RhythmState.Block(start: part ?? sleep.start, end: sleep.end))
            paths[path].waking = sleep.end
        }
    }

    /// Weighs each path by the bedtime forecast, which says nothing of an evening sleep that is running.
    private mutating func weigh() {
        if let since = state.runningSleep(at: now), RhythmModels.isEvening(since) { return }
        let anchor = state.bedtimeAnchor(request)
        let bedtimes = CalibratedTimes(
            state.bedtimes.recurrence.forecast(
                from: anchor, elapsed: max(0, now - anchor.instant), model: RhythmModels.bedtime))
        for path in paths.indices {
            let wait = (paths[path].bedtime ?? now) - anchor.instant
            paths[path].weight =
                Self.floor + bedtimes.probability(by: wait + Self.nearMinutes)
                - bedtimes.probability(by: wait - Self.nearMinutes)
        }
    }

    /// A level for every path, one in each of equal parts of 0…1, in random order.
    private mutating func draws() -> [Double] {
        let order = paths.indices.shuffled(using: &generator)
        return order.map { (Double($0) + generator.uniform()) / Double(order.count) }
    }

    /// The paths in groups of about the same time, each with the path in its middle.
    private func cells(of active: [Int], by time: KeyPath<Path, Double>) -> [(cell: ArraySlice<Int>, middle: Path)] {
        let times = paths.map { $0[keyPath: time] }
        let sorted = active.sorted { (times[$0], $0) < (times[$1], $1) }
        let isOne = times[sorted[0]] == times[sorted[sorted.count - 1]]
        let count = isOne ? 1 : min(Self.cells, sorted.count)
        return (0..<count).map {
            let cell = sorted[$0 * sorted.count / count..<($0 + 1) * sorted.count / count]
            return (cell, paths[cell[(cell.startIndex + cell.endIndex) / 2]])
        }
    }
}
