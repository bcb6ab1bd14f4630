/// The baby's night: the longest part of the day, by the clock, that it usually sleeps through.
public struct NightWindow: Sendable, Hashable {
    /// The start in minutes after midnight; the night may pass midnight.
    public let start: Double
    /// The end in minutes after midnight.
    public let end: Double

    /// The length in minutes.
    public var length: Double { DayCycle.minuteOfDay(end - start) }

    /// Finds the night of a span of sleeps, in bins of ten minutes.
    ///
    /// Bins with more sleep than midway between the least and the most are joined into runs. Gaps of up to an hour are
    /// closed if their bins exceed the least by at least a quarter of the range, or come from 21:00 to 05:59: a regular
    /// waking does not end the night. The night is the run with the most sleep.
    ///
    /// Each sleep is weighted by its length, up to two hours: a day of many short naps may have a night's minutes of
    /// sleep, but is not a night.
    init?(_ blocks: ArraySlice<RhythmState.Block>) {
        guard let first = blocks.first, let last = blocks.last, last.end - first.start >= 2 * DayCycle.minutesPerDay
        else {
            return nil
        }
        let bins = 144
        var asleep = [Double](repeating: 0, count: bins)
        for block in blocks {
            var bin = Int((DayCycle.minuteOfDay(block.localStart) / 10).rounded(.down))
            let end = DayCycle.minuteOfDay(block.localStart) + min(block.end - block.start, RhythmModels.longestSleep)
            while Double(bin) * 10 < end {
                asleep[bin % bins] += min(block.end - block.start, Self.longLength)
                bin += 1
            }
        }
        let smooth = asleep.indices.map { bin in
            (-2...2).reduce(0.0) { $0 + asleep[(bin + $1 + bins) % bins] }
        }
        guard let least = smooth.min(), let most = smooth.max(), most > least else { return nil }
        var usual = smooth.map { $0 > (least + most) / 2 }
        Self.closeGaps(in: &usual, upTo: 6) { smooth[$0] >= least + (most - least) / 4 || !(36..<126).contains($0) }
        guard let (start, count) = Self.largestRun(in: usual, of: smooth), count < bins else { return nil }
        self.start = Double(start) * 10
        end = DayCycle.minuteOfDay(Double(start + count) * 10)
    }

    /// The length in minutes beyond which all sleeps have the same weight: the parts of a night with wakings reach it.
    private static let longLength = 120.0

    /// Returns whether the middle of a sleep is in the night.
    func contains(_ block: RhythmState.Block) -> Bool {
        let middle = DayCycle.minuteOfDay((block.localStart + block.localEnd) / 2)
        return DayCycle.minuteOfDay(middle - start) < length
    }

    private static func closeGaps(in usual: inout [Bool], upTo longest: Int, where isBridge: (Int) -> Bool) {
        let bins = usual.count
        guard let anchor = usual.firstIndex(of: true) else { return }
        var (run, bridges) = (0, 0)
        for offset in 1...bins {
            let bin = (anchor + offset) % bins
            if !usual[bin] {
                run += 1
                bridges += isBridge(bin) ? 1 : 0
                continue
            }
            if run > 0, run <= longest, bridges == run {
                for back in 1...run { usual[(bin - back + bins) % bins] = true }
            }
            (run, bridges) = (0, 0)
        }
    }

    private static func largestRun(in usual: [Bool], of levels: [Double]) -> (start: Int, count: Int)? {
        let bins = usual.count
        guard let gap = usual.firstIndex(of: false) else { return usual.isEmpty ? nil : (0, bins) }
        var best: (start: Int, count: Int)?
        var (run, sum, largest) = (0, 0.0, 0.0)
        for offset in 1...bins {
            let bin = (gap + offset) % bins
            (run, sum) = usual[bin] ? (run + 1, sum + levels[bin]) : (0, 0)
            if sum > largest { (best, largest) = (((bin - run + 1 + bins) % bins, run), sum) }
        }
        return best
    }
}
