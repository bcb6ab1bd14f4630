#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

/// Finds lasting steps by binary segmentation (Scott and Knott, "A cluster analysis method for grouping means in the analysis of
/// variance", Biometrics 30, 1974, doi:10.2307/2529204) on the standardised difference of means.
public struct ChangePointDetection: Sendable, Hashable {
    /// Days on either side of a step at least.
    public var shortestSegment = 5
    /// The probability of any step found in a segment without one.
    public var falseAlarm = 0.01
    /// Steps smaller than this are not told.
    public var smallestStep: Double

    /// A search for steps of at least this size.
    public init(smallestStep: Double) { self.smallestStep = smallestStep }

    /// The steps, in order. Missing days are nil and carry nothing.
    ///
    /// A step counts when it is unlikely by chance and explains its segment better than a straight line does: children grow, and growth
    /// is not a leap.
    ///
    /// - Complexity: O(n log n) for steps that split evenly, O(n²) at worst.
    public func changes(in series: [Double?]) -> [ChangePoint] {
        let known = series.indices.compactMap { index in series[index].map { (index: index, value: $0) } }
        guard known.count >= 2 * shortestSegment else { return [] }
        let noise = Self.noise(known.map(\.value))
        guard noise > 0 else { return [] }
        var cuts: [(place: Int, score: Double)] = []
        split(known, 0..<known.count, noise: noise, into: &cuts)
        cuts.sort { $0.place < $1.place }
        let ends = [0] + cuts.map(\.place) + [known.count]
        return cuts.indices.compactMap { cut in
            let before = Self.mean(known[ends[cut]..<ends[cut + 1]].map(\.value))
            let after = Self.mean(known[ends[cut + 1]..<ends[cut + 2]].map(\.value))
            guard abs(after - before) >= smallestStep else { return nil }
            let p = min(1, Double(known.count) * erfc(cuts[cut].score * 0.5.squareRoot()))
            return ChangePoint(index: known[cuts[cut].place].index, before: before, after: after, confidence: 1 - p)
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

    private func split(
        _ known: [(index: Int, value: Double)], _ range: Range<Int>, noise: Double,
        into cuts: inout [(place: Int, score: Double)]
    ) {
        guard range.count >= 2 * shortestSegment else { return }
        let total = known[range].reduce(0) { $0 + $1.value }
        var sum = 0.0
        var best = (place: 0, score: 0.0, gain: 0.0)
        for place in range.lowerBound..<(range.upperBound - shortestSegment) {
            sum += known[place].value
            let left = Double(place + 1 - range.lowerBound)
            let right = Double(range.count) - left
            guard Int(left) >= shortestSegment else { continue }
            let step = (total - sum) / right - sum / left
            let score = abs(step) / (noise * (1 / left + 1 / right).squareRoot())
            if score > best.score { best = (place + 1, score, step * step * left * right / (left + right)) }
        }
        let p = Double(range.count) * erfc(best.score * 0.5.squareRoot())
        guard p <= falseAlarm, best.gain > Self.gainOfLine(known[range].map { (Double($0.index), $0.value) }) else {
            return
        }
        cuts.append((best.place, best.score))
        split(known, range.lowerBound..<best.place, noise: noise, into: &cuts)
        split(known, best.place..<range.upperBound, noise: noise, into: &cuts)
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
    private static func noise(_ values: [Double]) -> Double {
        let differences = zip(values, values.dropFirst()).map { abs($1 - $0) }.sorted()
        guard !differences.isEmpty else { return 0 }
        let median = differences[differences.count / 2]
        let spread = (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count) / 2).squareRoot()
        return max(median / (0.6745 * 2.0.squareRoot()), 0.8 * min(spread, 2 * median))
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
