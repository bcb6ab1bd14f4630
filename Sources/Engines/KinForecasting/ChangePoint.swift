import KinLibC

/// A lasting step in a daily series.
public struct ChangePoint: Sendable, Hashable {
    /// The first place of the new level.
    public let index: Int
    /// Levels before and after: means of the segments on either side.
    public let before: Double
    /// The level after.
    public let after: Double
    /// How sure it is: 1 − p, with p that of the largest of as many standardised steps as there were places to look (Bonferroni).
    public let confidence: Double

    /// How much the level rose.
    public var size: Double { after - before }
}

/// Finds lasting steps: the best division of a series into level segments by dynamic programming (optimal partitioning; Jackson et al.,
/// "An algorithm for optimal partitioning of data on an interval", IEEE Signal Processing Letters 12, 2005,
/// doi:10.1109/LSP.2001.838216), of whose steps those are kept that growth does not explain.
public struct ChangePointDetection: Sendable, Hashable {
    /// Days on either side of a step at least.
    public var shortestSegment = 5
    /// The probability of any step found in a series without one.
    public var falseAlarm = 0.01
    /// Steps smaller than this are not told.
    public var smallestStep: Double
    /// How much more of the sum of squares a straight line may take away than a step does for the step to be told all the same.
    ///
    /// A line takes away 4/3 of what a step in its middle does. A count that grows goes from one whole number to the next through a week
    /// or two of both, which looks like a slope: 1.15, midway between the two, tells it from one that never stands still.
    public var lineAdvantage = 1.0

    /// A search for steps of at least this size.
    public init(smallestStep: Double) { self.smallestStep = smallestStep }

    /// The steps, in order. Missing days are nil and carry nothing.
    ///
    /// A step counts when it is unlikely by chance and explains the segments on either side of it better than a straight line through both
    /// does: children grow, and growth is not a leap.
    ///
    /// - Complexity: O(n²).
    public func changes(in series: [Double?]) -> [ChangePoint] {
        let known = series.indices.compactMap { index in series[index].map { (index: index, value: $0) } }
        guard known.count >= 2 * shortestSegment else { return [] }
        let noise = Self.noise(known.map(\.value))
        guard noise > 0 else { return [] }
        var cuts = partition(known.map(\.value), penalty: noise * noise * leastGain(count: known.count))
        // Of the cuts that do not count the one that a line explains best goes first; what it divided may then be one level.
        var steps: [Step] = []
        while !cuts.isEmpty {
            let ends = [0] + cuts + [known.count]
            steps = cuts.indices.map { step(known[ends[$0]..<ends[$0 + 2]], at: cuts[$0], noise: noise) }
            let worst = steps.indices.filter { !counts(steps[$0], among: known.count) }
                .min { steps[$0].excess < steps[$1].excess }
            guard let worst else { break }
            cuts.remove(at: worst)
        }
        return zip(cuts, steps).map { cut, step in
            ChangePoint(
                index: known[cut].index, before: step.before, after: step.after,
                confidence: 1 - p(of: step.score, among: known.count))
        }
    }

    /// Whether the last days have left the level before them: what to look at every day, long before a search of the whole series can
    /// be sure.
    ///
    /// Means of the last three, four … seven known days are held against the four weeks before; the largest standardised
    /// difference counts when it is beyond `alarmDeviate`. At 3.6 five overlapping tests a day come to about one false alarm in
    /// five years of normal noise, while a step of three standard deviations is seen after three days nine times in ten.
    ///
    /// - Parameters:
    ///   - series: A number a day; nil for days without one.
    ///   - start: Where the present level begins; days before it are another matter.
    /// - Returns: The step, with its index and confidence (Bonferroni over the five tests); nil when there is none.
    public func alarm(atEndOf series: [Double?], from start: Int = 0) -> ChangePoint? {
        let known = series.indices.dropFirst(start).suffix(Self.alarmWindow).compactMap { index in
            series[index].map { (index: index, value: $0) }
        }
        guard known.count >= Self.alarmHistory + 7 else { return nil }
        let noise = Self.noise(known.map(\.value))
        guard noise > 0 else { return nil }
        var best: (change: ChangePoint, score: Double)?
        for count in 3...7 {
            let recent = known.suffix(count).map(\.value)
            let earlier = known.dropLast(count).map(\.value)
            let (before, after) = (Self.mean(earlier), Self.mean(recent))
            let score = abs(after - before) / (noise * (1 / Double(count) + 1 / Double(earlier.count)).squareRoot())
            guard score >= Self.alarmDeviate, abs(after - before) >= smallestStep, score > best?.score ?? 0 else {
                continue
            }
            let p = min(1, 5 * erfc(score * 0.5.squareRoot()))
            best = (
                ChangePoint(index: known[known.count - count].index, before: before, after: after, confidence: 1 - p),
                score
            )
        }
        return best?.change
    }

    private static let alarmDeviate = 3.6
    private static let alarmHistory = 14
    private static let alarmWindow = 35

    /// A step between two neighbouring segments.
    private struct Step {
        let before: Double
        let after: Double
        /// Its size in standard deviations of the difference of the two means.
        let score: Double
        /// What it takes from the sum of squares beyond what a straight line through both segments does.
        let excess: Double
    }

    private func step(_ known: ArraySlice<(index: Int, value: Double)>, at cut: Int, noise: Double) -> Step {
        let (left, right) = (known[..<cut], known[cut...])
        let (before, after) = (Self.mean(left.map(\.value)), Self.mean(right.map(\.value)))
        let gain =
            (after - before) * (after - before) * Double(left.count) * Double(right.count) / Double(known.count)
        return Step(
            before: before, after: after, score: gain.squareRoot() / noise,
            excess: lineAdvantage * gain - Self.gainOfLine(known.map { (Double($0.index), $0.value) }))
    }

    private func counts(_ step: Step, among count: Int) -> Bool {
        abs(step.after - step.before) >= smallestStep && p(of: step.score, among: count) <= falseAlarm
            && step.excess > 0
    }

    /// The probability of the largest of as many standardised steps as there are places to look (Bonferroni).
    private func p(of score: Double, among count: Int) -> Double {
        min(1, Double(count) * erfc(score * 0.5.squareRoot()))
    }

    /// The square of the smallest score that counts, which is what a cut has to take from the sum of squares in units of the
    /// noise's variance; by bisection.
    private func leastGain(count: Int) -> Double {
        var (low, high) = (0.0, 40.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if p(of: middle, among: count) > falseAlarm { low = middle } else { high = middle }
        }
        return high * high
    }

    /// Where the segments of the best division begin, but for the first: the least sum of squares about their means with a penalty for
    /// each cut.
    private func partition(_ values: [Double], penalty: Double) -> [Int] {
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        // Of the values up to each place: what the segments' means take from the sum of squares, less penalties.
        var best = [Double](repeating: -.infinity, count: values.count + 1)
        var start = [Int](repeating: 0, count: values.count + 1)
        best[0] = penalty
        for end in stride(from: shortestSegment, through: values.count, by: 1) {
            for from in 0...(end - shortestSegment) where best[from] > -.infinity {
                let sum = sums[end] - sums[from]
                let gain = best[from] - penalty + sum * sum / Double(end - from)
                if gain > best[end] { (best[end], start[end]) = (gain, from) }
            }
        }
        var cuts: [Int] = []
        var end = start[values.count]
        while end > 0 {
            cuts.append(end)
            end = start[end]
        }
        return cuts.reversed()
    }

    /// How much of the sum of squares a straight line takes away: Sxy² ∕ Sxx.
    private static func gainOfLine(_ points: [(x: Double, y: Double)]) -> Double {
        let x = mean(points.map(\.x))
        let y = mean(points.map(\.y))
        let xx = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        let xy = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
        return xx > 0 ? xy * xy / xx : 0
    }

    /// The standard deviation of one day, from the median of the differences of neighbours: a step spoils one difference only.
    ///
    /// For normal noise the median of |difference| is 0.6745 · √2 σ. Neighbouring days that make up for each other (a short night,
    /// then a long one) make it larger than σ, which errs towards silence.
    ///
    /// Values are rounded to a resolution q: naps to whole ones. Where most neighbours are equal the plain median is 0, as if nothing ever
    /// varied, so it is that of grouped data: a difference of k stands for any from k − q/2 to k + q/2, one of 0 for any up to q/2,
    /// and the median lies in its group in proportion to what comes before it. With all but one pair equal it is q/4, hence σ = 0.26 q,
    /// about the q/√12 that rounding alone comes to.
    private static func noise(_ values: [Double]) -> Double {
        let distinct = Set(values).sorted()
        let resolution = zip(distinct, distinct.dropFirst()).map { $1 - $0 }.min()
        let differences = zip(values, values.dropFirst()).map { abs($1 - $0) }.sorted()
        guard let resolution else { return 0 }
        let middle = differences[differences.count / 2]
        let below = differences.count { $0 < middle - resolution / 2 }
        let within = differences.count { abs($0 - middle) <= resolution / 2 }
        let lower = max(0, middle - resolution / 2)
        let share = min(1, max(0, (Double(differences.count) / 2 - Double(below)) / Double(within)))
        let median = lower + (middle + resolution / 2 - lower) * share
        let spread = (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count) / 2).squareRoot()
        return max(median / (0.6745 * 2.0.squareRoot()), 0.8 * min(spread, 2 * median))
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
