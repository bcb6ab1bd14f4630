/// What every expert says from one anchor: its median, and the masses of all of them mixed.
struct Mixture {
    /// By expert, in minutes after the anchor.
    private(set) var medians: [Float]
    /// Σ share · median.
    private(set) var point = 0.0
    /// Σ share · quantile at 10 and at 90 %: averaged quantiles are sharper than the quantiles of averaged distributions.
    private(set) var lower = 0.0
    /// The one at 90 %.
    private(set) var upper = 0.0
    private(set) var distribution: TimeDistribution

    /// Mass that lies at these ratios to the point, beside the intervals seen: what has never happened yet may.
    private static let tails: [Float] = [0.4, 0.65, 1.5, 2.2, 3.5]
    private static let tailMass: Float = 0.04
    /// An expert whose weights sum up to less has nothing to say.
    private static let leastTotal: Float = 1e-4

    /// - Parameter shares: the mixture's weights by expert, with sum 1.
    init(_ past: WeighedPast, shares: [Double], elapsed: Double, expected: Double, model: RecurrenceModel) {
        var past = past
        var masses = [Float](repeating: 0, count: model.bins + 1)
        medians = [Float](repeating: 0, count: shares.count)
        let middle = Float(model.middle(afterIntervals: past.seen))
        var silent: [Int] = []
        var heard = 0.0
        for expert in shares.indices {
            let total = past.count > 0 ? past.weigh(expert) : 0
            let told: (Float, Float, Float)
            if model.experts[expert].clockShift == 0 {
                let levels = Levels(passed: past.passed, of: total, middle: middle)
                guard total - past.passed > Self.leastTotal else {
                    silent.append(expert)
                    continue
                }
                told = (past.quantile(levels.lower), past.quantile(levels.middle), past.quantile(levels.upper))
                past.mix(Float(shares[expert]) / (total - past.passed))
            } else {
                let moved = past.moved(by: model.experts[expert].clockShift)
                let ahead = moved.filter { Double($0.minutes) > elapsed }.reduce(0) { $0 + $1.weight }
                guard ahead > Self.leastTotal else {
                    silent.append(expert)
                    continue
                }
                told = Self.quantiles(of: moved, ahead: ahead, middle: middle)
                for entry in moved where Double(entry.minutes) > elapsed {
                    Self.deposit(entry.minutes, entry.weight * Float(shares[expert]) / ahead, into: &masses)
                }
            }
            let floor = Float(elapsed)
            medians[expert] = max(floor, told.1)
            lower += shares[expert] * Double(max(floor, told.0))
            point += shares[expert] * Double(max(floor, told.1))
            upper += shares[expert] * Double(max(floor, told.2))
            heard += shares[expert]
        }
        // An expert without a single interval that counts says what the others say; if none has, the event is near.
        point = heard > 0 ? point / heard : elapsed + max(5, 0.15 * expected)
        lower = heard > 0 ? lower / heard : elapsed
        upper = heard > 0 ? upper / heard : elapsed + max(30, expected)
        for expert in silent { medians[expert] = Float(point) }
        past.forEachMixed { minutes, weight in Self.deposit(minutes, weight, into: &masses) }
        for ratio in Self.tails {
            let minutes = Float(elapsed) + Float(point - elapsed) * ratio
            Self.deposit(minutes, Self.tailMass / Float(Self.tails.count), into: &masses)
        }
        distribution = TimeDistribution(masses: masses, elapsed: elapsed)
    }

    /// The levels among all intervals of the quantiles among those that are not over.
    ///
    /// What is over is taken away from the tails in full, and from the median by the square of its share: a few per cent are background
    /// that the median's level was chosen with, and taking them away as well made the forecasts after half an hour worse.
    private struct Levels {
        let lower: Float
        let middle: Float
        let upper: Float

        init(passed: Float, of total: Float, middle: Float) {
            let share = total > 0 ? passed / total : 0
            let heeded = share * share
            lower = share + (1 - share) * 0.1
            self.middle = heeded + (1 - heeded) * middle
            upper = share + (1 - share) * 0.9
        }
    }

    private static func quantiles(
        of moved: [(minutes: Float, weight: Float)], ahead: Float, middle: Float
    ) -> (Float, Float, Float) {
        var sum: Float = 0
        let sums = moved.map { entry -> Float in
            sum += entry.weight
            return sum
        }
        let levels = Levels(passed: max(0, sum - ahead), of: sum, middle: middle)
        let (minutes, weights) = (moved.map(\.minutes), moved.map(\.weight))
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

    /// Adds a weight to the two bins' ends about an interval, the nearer one more.
    @inline(__always)
    private static func deposit(_ minutes: Float, _ weight: Float, into masses: inout [Float]) {
        let place = min(Float(masses.count - 2), minutes / Float(TimeDistribution.binMinutes))
        let bin = Int(place)
        let share = place - Float(bin)
        masses[bin] += weight * (1 - share)
        masses[bin + 1] += weight * share
    }
}
