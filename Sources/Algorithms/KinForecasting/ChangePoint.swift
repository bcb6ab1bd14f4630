import KinLibC

/// A lasting step in the level of a daily series.
public struct ChangePoint: Sendable, Hashable {
    /// The index of the first day of the new level.
    public let index: Int
    /// The level before the step: the mean of the segment that ends there.
    public let before: Double
    /// The level after the step: the mean of the segment that begins there.
    public let after: Double
    /// The confidence 1 − p, 0…1, with p that of the largest of as many standardised steps as there were places tested (Bonferroni).
    public let confidence: Double

    /// The rise of the level; negative for a fall.
    public var size: Double { after - before }
}

/// Detection of lasting steps by optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an
/// interval", IEEE Signal Processing Letters 12, 2005, doi:10.1109/LSP.2001.838216); steps that a straight line explains are dropped.
public struct ChangePointDetection: Sendable, Hashable {
    /// The least number of days on either side of a step.
    public var shortestSegment = 5
    /// The probability of finding any step in a series without one, 0…1.
    public var falseAlarm = 0.01
    /// The least size of a step that is reported, in the units of the series.
    public var smallestStep: Double
    /// The factor by which a straight line may reduce the sum of squares more than a step does before the step is dropped.
    ///
    /// On a slope a line reduces it by 4/3 of what a step in the middle does. A growing count goes from one whole number to the next through
    /// a week or two of both, which resembles a slope: 1.15, about midway between 1 and 4/3, accepts such a step and no slope.
    public var lineAdvantage = 1.0

    /// Creates a detection of steps of at least a size, with the other parameters at their defaults.
    public init(smallestStep: Double) { self.smallestStep = smallestStep }

    /// Finds the steps of a whole series, in order.
    ///
    /// A step counts when it is unlikely by chance and explains the segments on either side of it better than a straight line through both,
    /// which is growth.
    ///
    /// - Parameter series: A number for each day; nil for missing ones, which are skipped.
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

    /// Tests whether the last days have left the level before them: a daily test that answers earlier than a search of the whole series.
    ///
    /// The means of the last three to seven known days are compared with the four weeks before; the largest standardised difference counts
    /// from 3.6 on. These five overlapping tests a day give about one false alarm in five years of normal noise, and find a step of three
    /// standard deviations after three days nine times in ten.
    ///
    /// - Parameters:
    ///   - series: A number for each day; nil for missing ones.
    ///   - start: The first day of the present level; days before it are ignored.
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
        /// The size in standard deviations of the difference of the two means.
        let score: Double
        /// The reduction of the sum of squares by the step less that by a straight line through both segments.
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

    /// The probability that the largest of `count` standardised steps exceeds a score by chance (Bonferroni).
    private func p(of score: Double, among count: Int) -> Double {
        min(1, Double(count) * erfc(score * 0.5.squareRoot()))
    }

    /// The square of the least score that counts, which is the least reduction of the sum of squares by a cut, in units of the noise's
    /// variance.
    private func leastGain(count: Int) -> Double {
        var (low, high) = (0.0, 40.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if p(of: middle, among: count) > falseAlarm { low = middle } else { high = middle }
        }
        return high * high
    }

    /// The beginnings of all segments but the first in the division with the least sum of squares about their means plus a penalty a cut.
    private func partition(_ values: [Double], penalty: Double) -> [Int] {
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        // For the values before each index: the reduction of the sum of squares by the segments' means, less penalties.
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

    /// The standard deviation of a day, estimated from the median difference of neighbours, of which a step changes only one.
    ///
    /// For normal noise the median of |difference| is 0.6745 · √2 σ. Where neighbouring days compensate each other (a short night, then a long
    /// one) the estimate is above σ, and fewer steps are found.
    ///
    /// Values are rounded to a resolution q (naps to whole numbers). Where most neighbours are equal the plain median is 0, so it is that of
    /// grouped data: a difference of k stands for any from k − q/2 to k + q/2, one of 0 for any up to q/2, and the median is interpolated in
    /// its group. With all but one pair equal it is q/4, hence σ = 0.26 q, about the q/√12 of rounding alone.
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
