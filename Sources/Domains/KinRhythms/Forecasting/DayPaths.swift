/// The simulated rests of a day, summarised.
struct DayPaths {
    private let request: RhythmState.Request
    /// The beginning of the running sleep; nil if the baby is awake.
    private let running: Double?
    /// The naps of each path, from the running one on, and the path's weight.
    private let naps: [(naps: [RhythmState.Block], weight: Double)]
    /// The number of the first of these naps.
    private let firstNumber: Int
    private let doubt: String?
    private let bedtimes: WeightedTimes
    private let lastEnds: WeightedTimes
    /// The share of each tail outside the intervals, so that both times of a path are inside with the nominal coverage.
    private let tail: Double

    /// Simulates the rest of the day.
    init(_ state: RhythmState, _ request: RhythmState.Request, waking: Double, assumed: [DaySimulation.Assumed]) {
        let simulation = DaySimulation(state, request, waking: waking, assumed: assumed)
        let paths = simulation.paths
        let night = NightWindow(state.blocks[...])
        func isNap(_ sleep: RhythmState.Block) -> Bool {
            guard BedtimeState.day(of: sleep.localStart) == request.day else { return false }
            return RhythmModels.isEvening(sleep.localStart)
                || !(night?.contains(sleep) ?? !RhythmModels.isByDay(sleep.localStart))
        }
        self.request = request
        doubt = simulation.doubt
        running = state.runningSleep(at: request.minute)
        naps = paths.map { ($0.sleeps.filter(isNap), $0.weight) }
        firstNumber = 1 + state.blocks.count(where: isNap)
        let bedtimes = WeightedTimes(paths.map { ($0.bedtime ?? $0.waking, $0.weight) })
        let lastEnds = WeightedTimes(paths.map { ($0.waking, $0.weight) })
        let depths = paths.map { path in
            (min(bedtimes.depth(of: path.bedtime ?? path.waking), lastEnds.depth(of: path.waking)), path.weight)
        }
        (self.bedtimes, self.lastEnds) = (bedtimes, lastEnds)
        tail = min(0.5, WeightedTimes(depths).quantile(1 - request.coverage))
    }

    /// The plan, compared with the paths without assumptions.
    func plan(comparedWith plain: DayPaths?) -> DayPlan {
        DayPlan(
            now: request.now, coverage: request.coverage, naps: likelyNaps,
            oneMoreNap: share { $0.last.map { $0.start >= request.minute && $0.start != running } ?? false },
            lastSleepEnd: span(lastEnds), bedtime: span(bedtimes), paths: naps.count,
            changes: plain.map { plain in
                DayPlan.Changes(
                    bedtimeMinutes: bedtimes.quantile(0.5) - plain.bedtimes.quantile(0.5),
                    lastSleepEndMinutes: lastEnds.quantile(0.5) - plain.lastEnds.quantile(0.5),
                    naps: meanNaps - plain.meanNaps)
            }, doubt: doubt)
    }

    /// The naps with a probability of at least 0.05.
    private var likelyNaps: [DayPlan.Nap] {
        let most = naps.reduce(0) { max($0, $1.naps.count) }
        return (0..<most).compactMap { place in
            let probability = share { $0.count > place }
            guard probability >= 0.05 else { return nil }
            let these = naps.filter { $0.naps.count > place }
            return DayPlan.Nap(
                number: firstNumber + place, probability: probability,
                start: span(WeightedTimes(these.map { ($0.naps[place].start, $0.weight) })),
                end: span(WeightedTimes(these.map { ($0.naps[place].end, $0.weight) })))
        }
    }

    private var weight: Double { naps.reduce(0) { $0 + $1.weight } }

    private var meanNaps: Double { naps.reduce(0) { $0 + $1.weight * Double($1.naps.count) } / weight }

    /// The share of the weight of paths whose naps pass a test.
    private func share(_ test: ([RhythmState.Block]) -> Bool) -> Double {
        naps.reduce(0) { $0 + (test($1.naps) ? $1.weight : 0) } / weight
    }

    private func span(_ times: WeightedTimes) -> DayPlan.Span {
        let median = times.quantile(0.5)
        return DayPlan.Span(
            median: request.time(median), lower: request.time(min(median, times.quantile(tail))),
            upper: request.time(max(median, times.quantile(1 - tail))))
    }
}

/// Times with weights, in ascending order.
private struct WeightedTimes {
    private let times: [Double]
    /// The sums of the weights up to each time.
    private let sums: [Double]

    /// Creates the distribution of at least one time; weights are positive.
    init(_ values: [(time: Double, weight: Double)]) {
        let sorted = values.sorted { $0.time < $1.time }
        times = sorted.map(\.time)
        var sum = 0.0
        sums = sorted.map { value in
            sum += value.weight
            return sum
        }
    }

    private var total: Double { sums[sums.count - 1] }

    /// The first time up to which the times have a share of the weight.
    func quantile(_ share: Double) -> Double {
        times[min(times.count - 1, sums.partition { $0 < share * total })]
    }

    /// The smaller share of the weight on either side of a time, with the time's own weight.
    func depth(of time: Double) -> Double {
        let (first, next) = (times.partition { $0 < time }, times.partition { $0 <= time })
        func share(_ end: Int) -> Double { end > 0 ? sums[end - 1] / total : 0 }
        return min(share(next), 1 - share(first))
    }
}
