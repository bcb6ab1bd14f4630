/// A change of the log's clock by 40 minutes or more, such as summer time or a journey.
///
/// The week that starts with a day is compared with the week before it, as profiles of sleep over the clock in bins of
/// ten minutes, at lags of up to three hours. A shift of 40 minutes or more counts under these conditions:
///
/// - its correlation exceeds the correlation at lag 0 by at least `leastGain`;
/// - three days on either side give the same lag to within ten minutes, and also this gain;
/// - the clock is steady a week before and a week after;
/// - no day within a week of it has a larger gain.
///
/// A change of habits is slower, and does not move the whole day.
struct ClockShift: Sendable, Hashable {
    /// The first day of the new clock, in days since 1970.
    let day: Int
    /// The shift of the logged times in minutes: positive if later, negative if earlier.
    let minutes: Int

    private static let bins = 144
    private static let farthest = 18
    private static let nearest = 4
    /// The least gain in correlation of a shift.
    private static let leastGain = 0.12
    /// The least sleep of a day in a profile, in hours.
    private static let leastSleep = 6.0

    /// The shifts of a log by ascending day.
    static func shifts(in blocks: [RhythmState.Block]) -> [ClockShift] {
        guard let first = blocks.first, let last = blocks.last else { return [] }
        let firstDay = Int(first.localStart / DayCycle.minutesPerDay)
        let count = Int(last.localEnd / DayCycle.minutesPerDay) - firstDay + 1
        guard count >= 14 else { return [] }
        let profiles = self.profiles(blocks, firstDay: firstDay, count: count)
        var found: [(day: Int, lag: Int, gain: Double)] = []
        for day in 7...(count - 7) {
            guard let week = bestLag(profiles, day: day, span: 7), abs(week.lag) >= nearest, week.gain >= leastGain,
                let near = bestLag(profiles, day: day, span: 3), abs(near.lag - week.lag) <= 1, near.gain >= leastGain,
                isSteady(profiles, around: day - 7), isSteady(profiles, around: day + 7)
            else { continue }
            found.append((day, week.lag, week.gain))
        }
        return found.filter { here in
            !found.contains { abs($0.day - here.day) <= 7 && ($0.gain, -$0.day) > (here.gain, -here.day) }
        }.map { ClockShift(day: firstDay + $0.day, minutes: 10 * $0.lag) }
    }

    /// The minutes asleep in each bin of ten minutes, by day.
    private static func profiles(_ blocks: [RhythmState.Block], firstDay: Int, count: Int) -> [[Double]] {
        var profiles = [[Double]](repeating: [Double](repeating: 0, count: bins), count: count)
        for block in blocks where block.end - block.start <= RhythmModels.longestSleep {
            var minute = block.localStart
            while minute < block.localEnd {
                let next = min(block.localEnd, ((minute / 10).rounded(.down) + 1) * 10)
                let bin = Int(minute / 10) - firstDay * bins
                if bin >= 0, bin < count * bins { profiles[bin / bins][bin % bins] += next - minute }
                minute = next
            }
        }
        return profiles
    }

    /// The lag with the best correlation between the days from a day on and the days before it, and its gain over lag
    /// 0.
    private static func bestLag(_ profiles: [[Double]], day: Int, span: Int) -> (lag: Int, gain: Double)? {
        guard let before = mean(profiles[(day - span)..<day]), let after = mean(profiles[day..<(day + span)]) else {
            return nil
        }
        func fit(_ lag: Int) -> Double {
            var sum = 0.0
            for bin in 0..<bins { sum += before[bin] * after[(bin + lag + bins) % bins] }
            return sum
        }
        let unmoved = fit(0)
        var best = (lag: 0, fit: unmoved)
        for lag in -farthest...farthest {
            let value = fit(lag)
            if value > best.fit { best = (lag, value) }
        }
        return (best.lag, best.fit - unmoved)
    }

    /// Returns whether the weeks on either side of a day have the same clock; true near the ends of the log.
    private static func isSteady(_ profiles: [[Double]], around day: Int) -> Bool {
        guard day >= 7, day <= profiles.count - 7 else { return true }
        return bestLag(profiles, day: day, span: 7).map { abs($0.lag) < nearest } ?? false
    }

    /// The mean profile, smoothed over half an hour, with mean 0 and length 1; nil for too little sleep.
    private static func mean(_ days: ArraySlice<[Double]>) -> [Double]? {
        var sums = [Double](repeating: 0, count: bins)
        for day in days {
            guard day.reduce(0, +) >= leastSleep * 60 else { return nil }
            for bin in 0..<bins { sums[bin] += day[bin] }
        }
        let smooth = sums.indices.map { bin in sums[(bin + bins - 1) % bins] + sums[bin] + sums[(bin + 1) % bins] }
        let level = smooth.reduce(0, +) / Double(bins)
        let length = smooth.reduce(0) { $0 + ($1 - level) * ($1 - level) }.squareRoot()
        return length > 0 ? smooth.map { ($0 - level) / length } : nil
    }
}
