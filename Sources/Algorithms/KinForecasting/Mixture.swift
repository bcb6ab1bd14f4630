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

    /// The minutes without the event within which the point passes from the mixed median to a later median of the
    /// distribution. The mixed median has the smaller error at the anchor, and the larger one later.
    private static let mixedMinutes = 60.0
    /// The share of intervals that are longer than an expert knows: as this share of its elapsed ones.
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
        medians = [Float](repeating: 0, count: shares.count)
        let pointLevel = Float(model.medianLevel(afterIntervals: intervals.observedCount))
        var inactive: [Int] = []
        var (knownShare, plainShare) = (0.0, 0.0)
        for expert in shares.indices {
            var total = intervals.count > 0 ? intervals.computeWeights(of: expert) : 0
            let shift = model.experts[expert].clockShift
            let shifted = shift == 0 || total <= 0 ? [] : intervals.shifted(by: shift)
            var left = total - intervals.elapsedWeight
            if shift != 0 {
                total = shifted.reduce(0) { $0 + $1.weight }
                left = shifted.filter { Double($0.minutes) > elapsed }.reduce(0) { $0 + $1.weight }
            } else if total > Self.minimumTotalWeight {
                plainShare += shares[expert]
                survival += shares[expert] * Double(1 - intervals.rareWeight / total)
            }
            if total > Self.minimumTotalWeight { knownShare += shares[expert] }
            guard left > Self.minimumTotalWeight else {
                inactive.append(expert)
                continue
            }
            let weight = shares[expert] * Double(left / total)
            let quantiles: Quantiles
            if shift == 0 {
                let levels = Levels(elapsed: intervals.elapsedWeight, of: total, point: pointLevel)
                quantiles = (
                    intervals.quantile(levels.lower), intervals.quantile(levels.middle),
                    intervals.quantile(levels.upper)
                )
                intervals.addToMixture(times: Float(weight) / left)
            } else {
                quantiles = Self.quantiles(of: shifted, remaining: left, point: pointLevel)
                for entry in shifted where Double(entry.minutes) > elapsed {
                    Self.deposit(entry.minutes, entry.weight * Float(weight) / left, into: &masses)
                }
            }
            let floor = Float(elapsed)
            medians[expert] = max(floor, quantiles.middle)
            lower += weight * Double(max(floor, quantiles.lower))
            point += weight * Double(max(floor, quantiles.middle))
            upper += weight * Double(max(floor, quantiles.upper))
            remaining += weight
        }
        // Without a known interval, the event is forecast shortly after the elapsed time.
        let late = knownShare > 0 ? Self.lateShare * (knownShare - remaining) : 1
        let rest = max(5, Self.lateRest * max(elapsed, expected))
        let sum = remaining + late
        lower = (lower + late * (elapsed + rest * Self.lateRatios[0])) / sum
        point = (point + late * (elapsed + rest)) / sum
        upper = (upper + late * (elapsed + rest * Self.lateRatios[4])) / sum
        // An inactive expert uses the mixture's median.
        for expert in inactive { medians[expert] = Float(point) }
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
        point += max(0, distribution.quantile(0.5) - point) * min(1, elapsed / Self.mixedMinutes)
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

        init(elapsed: Float, of total: Float, point: Float) {
            let share = total > 0 ? elapsed / total : 0
            lower = share + (1 - share) * 0.1
            middle = share * share + (1 - share * share) * point
            upper = share + (1 - share) * 0.9
        }
    }

    /// The three quantiles of shifted intervals; `remaining` is the weight that has not elapsed yet.
    private static func quantiles(
        of shifted: [(minutes: Float, weight: Float)], remaining: Float, point: Float
    ) -> Quantiles {
        var sum: Float = 0
        let sums = shifted.map { entry -> Float in
            sum += entry.weight
            return sum
        }
        let levels = Levels(elapsed: max(0, sum - remaining), of: sum, point: point)
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
