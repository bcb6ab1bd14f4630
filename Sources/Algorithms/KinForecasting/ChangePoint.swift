import KinLibC

/// A lasting step in the level of a daily series.
public struct ChangePoint: Sendable, Hashable {
    /// The index of the first day of the new level.
    public let index: Int
    /// The level before the step: the mean of the segment that ends there.
    public let before: Double
    /// The level after the step: the mean of the segment that begins there.
    public let after: Double
    /// The confidence 1 − p, 0…1. p is the probability that any of all tested steps is this large by chance (Bonferroni),
    /// for normal values and by ranks, whichever is larger.
    public let confidence: Double

    /// The increase of the level; negative for a decrease.
    public var size: Double { after - before }
}

/// Detects lasting steps by optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an
/// interval", IEEE Signal Processing Letters 12, 2005, doi:10.1109/LSP.2001.838216). Steps that a straight line
/// explains are dropped.
public struct ChangePointDetection: Sendable, Hashable {
    /// The smallest number of days on either side of a step, 1 or more.
    public var shortestSegment = 5
    /// The probability of finding any step in a series without one, 0…1.
    public var falseAlarm = 0.01
    /// The smallest size of a reported step, in the units of the series.
    public var smallestStep: Double
    /// A factor on a step's reduction of the sum of squares: the step is dropped if a straight line reduces it even
    /// more.
    ///
    /// On a slope, a line reduces the sum of squares 4/3 times as much as a step in the middle. A growing count passes
    /// from one whole number to the next through a week or two of both, which resembles a slope. A factor of 1.15,
    /// about midway between 1 and 4/3, accepts such a step but no slope.
    public var lineAdvantage = 1.0

    /// Creates a detection of steps of at least a size, with the other parameters at their defaults.
    public init(smallestStep: Double) { self.smallestStep = smallestStep }

    /// Finds the steps of a whole series, in order.
    ///
    /// A step counts if it is unlikely by chance and explains the segments on either side better than a straight line
    /// through both, which would be growth. "By chance" holds for every distribution: a few far values in a row are not a new
    /// level (`RankSum`), nor are days that resemble their neighbours (`IndependentShare`).
    ///
    /// - Parameter series: A number for each day; nil for missing days, which are skipped.
    /// - Complexity: O(n²).
    public func changes(in series: [Double?]) -> [ChangePoint] {
        let known = series.indices.compactMap { index in series[index].map { (index: index, value: $0) } }
        guard shortestSegment > 0, known.count / 2 >= shortestSegment else { return [] }
        let values = known.map(\.value)
        let (noise, level) = (Self.noise(values), Self.mean(values))
        guard noise > 0 else { return [] }
        // About the mean, since the squares of large numbers would cancel each other out.
        var cuts = partition(values.map { $0 - level }, penalty: noise * noise * leastGain(count: known.count))
        // Of the cuts that do not count, the one that a line explains best is removed first. Its two segments may then
        // form one level.
        var steps: [Step] = []
        while !cuts.isEmpty {
            let ends = [0] + cuts + [known.count]
            steps = cuts.indices.map {
                step(known[ends[$0]..<ends[$0 + 2]], at: cuts[$0], noise: noise, among: known.count)
            }
            let worst = steps.indices.filter { !counts(steps[$0]) }
                .min { steps[$0].excess < steps[$1].excess }
            guard let worst else { break }
            cuts.remove(at: worst)
        }
        return zip(cuts, steps).map { cut, step in
            ChangePoint(index: known[cut].index, before: step.before, after: step.after, confidence: 1 - step.p)
        }
    }

    /// A step between two adjacent segments.
    private struct Step {
        let before: Double
        let after: Double
        /// The probability that any of the tested steps is this large by chance (Bonferroni): that of the score or of the
        /// ranks, the larger one. A score that is probable by chance needs no ranks.
        let p: Double
        /// The reduction of the sum of squares by the step, times the line factor, minus the reduction by a straight
        /// line through both segments.
        let excess: Double
    }

    private func step(
        _ known: ArraySlice<(index: Int, value: Double)>, at cut: Int, noise: Double, among count: Int
    ) -> Step {
        let (left, right) = (known[..<cut], known[cut...])
        let (before, after) = (Self.mean(left.map(\.value)), Self.mean(right.map(\.value)))
        let gain =
            (after - before) * (after - before) * Double(left.count) * Double(right.count) / Double(known.count)
        // The size in standard deviations of the difference of the two means.
        var p = p(of: gain.squareRoot() / noise, among: count)
        if p <= falseAlarm {
            let values = known.map(\.value)
            let residuals = left.map { $0.value - before } + right.map { $0.value - after }
            let share = IndependentShare.of(residuals, from: values)
            let rankP = RankSum.p(RankSum.ranks(values), after: right.count, share: share)
            p = max(p, min(1, Double(count) * rankP))
        }
        return Step(
            before: before, after: after, p: p,
            excess: lineAdvantage * gain - Self.gainOfLine(known.map { (Double($0.index), $0.value) }))
    }

    private func counts(_ step: Step) -> Bool {
        abs(step.after - step.before) >= smallestStep && step.p <= falseAlarm && step.excess > 0
    }

    /// The probability that the largest of `count` standardised steps exceeds a score by chance (Bonferroni).
    private func p(of score: Double, among count: Int) -> Double {
        min(1, Double(count) * erfc(score * 0.5.squareRoot()))
    }

    /// The square of the smallest score that counts. It is the smallest reduction of the sum of squares by a cut, in
    /// units of the noise's variance.
    private func leastGain(count: Int) -> Double {
        let least = bisection(from: 0, to: 40, steps: 50) { p(of: $0, among: count) <= falseAlarm }.high
        return least * least
    }

    /// The starts of all segments except the first, in the division with the smallest sum of squares about the segment
    /// means plus a penalty per cut.
    private func partition(_ values: [Double], penalty: Double) -> [Int] {
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        // For the values before each index: the reduction of the sum of squares by the segments' means, minus
        // penalties.
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

    /// The reduction of the sum of squares by a straight line, Sxy² ∕ Sxx.
    private static func gainOfLine(_ points: [(x: Double, y: Double)]) -> Double {
        let x = mean(points.map(\.x))
        let y = mean(points.map(\.y))
        let xx = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        let xy = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
        return xx > 0 ? xy * xy / xx : 0
    }

    /// The standard deviation of a day, estimated from the median difference of adjacent days; a step changes only one
    /// difference.
    ///
    /// For normal noise the median of |difference| is 0.6745 · √2 σ. If adjacent days compensate each other (a short
    /// night, then a long one), the estimate is above σ, and fewer steps are found.
    ///
    /// Values are rounded to a resolution q (naps to whole numbers). If most adjacent days are equal, the plain median
    /// is 0, so the median of grouped data is used. A difference of k represents all differences from k − q/2 to k +
    /// q/2, a difference of 0 all up to q/2, and the median is interpolated in its group. With all pairs equal except
    /// one, the median is q/4, so σ = 0.26 q, about the q/√12 of rounding alone.
    private static func noise(_ values: [Double]) -> Double {
        let distinct = Set(values).sorted()
        // Values that differ by rounding alone are equal.
        let rounding = 1e-12 * values.reduce(0) { max($0, abs($1)) }
        let resolution = zip(distinct, distinct.dropFirst()).map { $1 - $0 }.filter { $0 > rounding }.min()
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

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
