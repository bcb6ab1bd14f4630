/// The experts' forecasts from one anchor, and their weighted mixture.
struct Mixture {
    /// The point forecast of each expert, in minutes after the anchor.
    private(set) var medians: [Float]
    /// The mixture's point forecast in minutes after the anchor: Σ weight · median, and after ``mixedMinutes`` without
    /// the event at least the median of ``distribution``. The weight of an expert is its share times the share of its
    /// intervals that have not elapsed.
    private(set) var point = 0.0
    /// The mixture's 10 % quantile in minutes after the anchor: Σ weight · quantile. Averaged quantiles are sharper than
    /// quantiles of averaged distributions.
    private(set) var lower = 0.0
    /// The mixture's 90 % quantile in minutes after the anchor.
    private(set) var upper = 0.0
    /// The mixture's distribution of the time to the event, with a total mass of ``tailMass`` at ratios never observed.
    private(set) var distribution: TimeDistribution
    /// The probability, at the anchor, that the event takes longer than the elapsed time: Σ weight.
    private(set) var remaining = 0.0
    /// ``EventForecast/survival``, by the experts without a clock shift.
    private(set) var survival = 0.0
    /// Whether the point is among the long intervals, beyond ``RecurrenceModel/intervals``.
    private var isLong = false
    /// The probability of the other range of intervals, more than ``separation`` from the point.
    private var otherShare = 0.0
    /// The probability of the point's own range, if the other one is in the interval; else 1.
    var ownShare: Double { otherShare > 0.1 ? 1 - otherShare : 1 }

    /// The least distance in minutes between a point and an event of the other range.
    static let separation = 60.0
    /// The least probability of long intervals for a point among them, at the anchor and ``mixedMinutes`` later. The
    /// event that may come soon is the one to prepare for.
    private static let longLevels = (first: 0.85, later: 0.5)

    /// The minutes without the event within which the point passes from the mixed median to a later median of the
    /// distribution. The mixed median has the smaller error at the anchor, and the larger one later.
    private static let mixedMinutes = 60.0
    /// The share of intervals longer than all that an expert has observed, relative to its elapsed intervals.
    private static let lateShare = 0.06
    /// The median rest of such an interval, relative to the elapsed or the expected time.
    private static let lateRest = 0.12
    /// The quantiles of an exponential distribution at 0.1, 0.3, 0.5, 0.7 and 0.9, relative to its median.
    private static let lateRatios = [0.152, 0.515, 1, 1.737, 3.322]
    /// Ratios to the point forecast that receive the tail mass, so that an interval unlike any observed one has a
    /// probability above 0.
    private static let tails: [Float] = [0.4, 0.65, 1.5, 2.2, 3.5]
    /// The probability shared by ``tails``.
    private static let tailMass: Float = 0.04
    /// The largest total kernel weight of an inactive expert.
    private static let minimumTotalWeight: Float = 1e-4

    /// Evaluates all experts on weighted intervals.
    ///
    /// - Parameters:
    ///   - shares: The mixture's weight of each expert, with sum 1.
    ///   - elapsed: The minutes since the anchor during which the event has not come.
    ///   - expected: The expected interval in minutes, used if no expert is active.
    init(_ intervals: WeightedIntervals, shares: [Double], elapsed: Double, expected: Double, model: RecurrenceModel) {
        var intervals = intervals
        var masses = [Float](repeating: 0, count: model.bins + 1)
        var ranges = [RangeForecast](repeating: RangeForecast(experts: shares.count), count: 2)
        let limit = model.history.longest > 0 ? max(elapsed, model.intervals.upperBound) : .infinity
        let pointLevel = Float(model.medianLevel(afterIntervals: intervals.observedCount))
        var (knownShare, plainShare) = (0.0, 0.0)
        for expert in shares.indices {
            var total = intervals.count > 0 ? intervals.computeWeights(of: expert) : 0
            let shift = model.experts[expert].clockShift
            let shifted = shift == 0 || total <= 0 ? [] : intervals.shifted(by: shift)
            var (left, long) = (total - intervals.elapsedWeight, intervals.longWeight)
            if shift != 0 {
                total = shifted.reduce(0) { $0 + $1.weight }
                left = shifted.filter { Double($0.minutes) > elapsed }.reduce(0) { $0 + $1.weight }
                long = shifted.filter { Double($0.minutes) > limit }.reduce(0) { $0 + $1.weight }
            } else if total > Self.minimumTotalWeight {
                plainShare += shares[expert]
                survival += shares[expert] * Double(1 - intervals.rareWeight / total)
            }
            if total > Self.minimumTotalWeight { knownShare += shares[expert] }
            guard left > Self.minimumTotalWeight else { continue }
            let weight = shares[expert] * Double(left / total)
            let passed = shift == 0 ? intervals.elapsedWeight : max(0, total - left)
            let longPart = long / left
            for (range, part) in [1 - longPart, longPart].enumerated() where part > Self.minimumTotalWeight {
                let levels =
                    range == 0
                    ? Levels(elapsed: passed, of: total - long, in: total, point: pointLevel)
                    : Levels(after: total - long, of: total, point: pointLevel)
                let quantiles =
                    shift == 0
                    ? (
                        intervals.quantile(levels.lower), intervals.quantile(levels.middle),
                        intervals.quantile(levels.upper)
                    ) : Self.quantiles(levels, of: shifted)
                ranges[range].add(quantiles, of: expert, weight: weight * Double(part), floor: Float(elapsed))
            }
            if shift == 0 {
                intervals.addToMixture(times: Float(weight) / left)
            } else {
                for entry in shifted where Double(entry.minutes) > elapsed {
                    Self.deposit(entry.minutes, entry.weight * Float(weight) / left, into: &masses)
                }
            }
            remaining += weight
        }
        let longShare = remaining > 0 ? ranges[1].weight / remaining : 0
        let passing = min(1, elapsed / Self.mixedMinutes)
        isLong = longShare > Self.longLevels.first + (Self.longLevels.later - Self.longLevels.first) * passing
        let range = ranges[isLong ? 1 : 0]
        let scale = range.weight > 0 ? remaining / range.weight : 0
        (lower, point, upper) = (scale * range.lower, scale * range.point, scale * range.upper)
        // Without a known interval, the event is forecast shortly after the elapsed time.
        let late = knownShare > 0 ? Self.lateShare * (knownShare - remaining) : 1
        let rest = max(5, Self.lateRest * max(elapsed, expected))
        let sum = remaining + late
        lower = (lower + late * (elapsed + rest * Self.lateRatios[0])) / sum
        point = (point + late * (elapsed + rest)) / sum
        upper = (upper + late * (elapsed + rest * Self.lateRatios[4])) / sum
        // An expert without intervals in the range uses the mixture's median.
        medians = range.medians.map { [point] in $0 ?? Float(point) }
        intervals.forEachMixed { minutes, weight in Self.deposit(minutes, weight, into: &masses) }
        let known = knownShare > 0 ? knownShare : 1
        for (ratio, lateRatio) in zip(Self.tails, Self.lateRatios) {
            let minutes = Float(elapsed) + Float(point - elapsed) * ratio
            Self.deposit(minutes, Self.tailMass / Float(Self.tails.count) * Float(sum / known), into: &masses)
            Self.deposit(Float(elapsed + rest * lateRatio), Float(late) / Float(Self.tails.count), into: &masses)
        }
        remaining /= known
        survival = plainShare > 0 ? survival / plainShare : 1
        distribution = TimeDistribution(masses: masses, elapsed: elapsed)
        let ordinary = longShare > 0 ? distribution.probability(by: limit) : 1
        let later = distribution.quantile(isLong ? (1 + ordinary) / 2 : ordinary / 2)
        point += max(0, later - point) * passing
        guard longShare > 0 else { return }
        otherShare =
            isLong
            ? distribution.probability(by: min(limit, point - Self.separation))
            : 1 - distribution.probability(by: max(limit, point + Self.separation))
    }

    /// The ends of an interval, moved so that it contains the other range up to the coverage.
    func ends(_ lower: Double, _ upper: Double, coverage: Double) -> (lower: Double, upper: Double) {
        let tail = (1 - coverage) / 2
        guard otherShare > tail else { return (lower, upper) }
        return isLong
            ? (min(lower, distribution.quantile(tail)), upper) : (lower, max(upper, distribution.quantile(1 - tail)))
    }

    /// The forecasts of the experts from their intervals in one range, and the weighted sums of them.
    private struct RangeForecast {
        private(set) var medians: [Float?]
        private(set) var (lower, point, upper, weight) = (0.0, 0.0, 0.0, 0.0)

        init(experts: Int) { medians = [Float?](repeating: nil, count: experts) }

        /// Adds an expert's quantiles, each at least `floor`.
        mutating func add(_ quantiles: Quantiles, of expert: Int, weight: Double, floor: Float) {
            medians[expert] = max(floor, quantiles.middle)
            lower += weight * Double(max(floor, quantiles.lower))
            point += weight * Double(max(floor, quantiles.middle))
            upper += weight * Double(max(floor, quantiles.upper))
            self.weight += weight
        }
    }

    /// An expert's lower end, point and upper end, in minutes after the anchor.
    private typealias Quantiles = (lower: Float, middle: Float, upper: Float)

    /// Quantile levels among all intervals that correspond to the 10 %, median and 90 % levels among intervals longer
    /// than the elapsed time.
    ///
    /// The weight of elapsed intervals is subtracted from the tails in full, and from the median by the square of its
    /// share: a few per cent are background, which was present when the median's level was chosen.
    private struct Levels {
        let lower: Float
        let middle: Float
        let upper: Float

        /// The levels among the first intervals, with a part of the total weight.
        init(elapsed: Float, of part: Float, in total: Float, point: Float) {
            let share = part > 0 ? elapsed / part : 0
            let scale = part / total
            lower = scale * (share + (1 - share) * 0.1)
            middle = scale * (share * share + (1 - share * share) * point)
            upper = scale * (share + (1 - share) * 0.9)
        }

        /// The levels among the intervals after the first, which have a part of the total weight.
        init(after part: Float, of total: Float, point: Float) {
            let share = part / total
            lower = share + (1 - share) * 0.1
            middle = share + (1 - share) * point
            upper = share + (1 - share) * 0.9
        }
    }

    /// The three quantiles of shifted intervals.
    private static func quantiles(_ levels: Levels, of shifted: [(minutes: Float, weight: Float)]) -> Quantiles {
        var sum: Float = 0
        let sums = shifted.map { entry -> Float in
            sum += entry.weight
            return sum
        }
        let (minutes, weights) = (shifted.map(\.minutes), shifted.map(\.weight))
        return unsafe minutes.withUnsafeBufferPointer { minutes in
            unsafe weights.withUnsafeBufferPointer { weights in
                unsafe sums.withUnsafeBufferPointer { sums in
                    func value(_ level: Float) -> Float {
                        unsafe WeightedQuantiles.value(level, of: minutes, weights: weights, sums: sums)
                    }
                    return (value(levels.lower), value(levels.middle), value(levels.upper))
                }
            }
        }
    }

    /// Adds a weight to the two bin ends around an interval by linear interpolation.
    @inline(__always)
    private static func deposit(_ minutes: Float, _ weight: Float, into masses: inout [Float]) {
        let position = min(Float(masses.count - 2), minutes / Float(TimeDistribution.binMinutes))
        let bin = Int(position)
        let share = position - Float(bin)
        masses[bin] += weight * (1 - share)
        masses[bin + 1] += weight * share
    }
}
