/// What every expert says from one anchor: its median, and the masses of all of them mixed.
struct Mixture {
    /// By expert, in minutes after the anchor.
    private(set) var medians: [Double]
    /// Σ share · median.
    private(set) var point = 0.0
    /// Σ share · quantile, at the levels asked for: averaged quantiles are sharper than the quantiles of averaged distributions.
    private(set) var lower = 0.0
    private(set) var upper = 0.0
    private(set) var distribution: TimeDistribution

    /// Mass that lies at these ratios to the point, beside the intervals seen: what has never happened yet may.
    private static let tails: [(ratio: Double, share: Double)] = [
        (0.4, 0.2), (0.65, 0.2), (1.5, 0.2), (2.2, 0.2), (3.5, 0.2),
    ]
    private static let tailMass = 0.04

    /// - Parameter shares: the mixture's weights by expert, with sum 1.
    init(
        _ past: WeighedPast, shares: [Double], tails: (lower: Double, upper: Double), elapsed: Double, expected: Double,
        model: RecurrenceModel
    ) {
        // Below a level of 0 the ends go on past the shortest and longest interval seen.
        let levels = [max(0, tails.lower), 0.5, 1 - max(0, tails.upper)]
        let bins = Int(model.longest / TimeDistribution.binMinutes) + 1
        var masses = [Double](repeating: 0, count: bins + 1)
        var weights = [Double](repeating: 0, count: past.minutes.count)
        medians = [Double](repeating: 0, count: shares.count)
        var silent: [Int] = []
        var heard = 0.0
        for expert in shares.indices {
            let total = past.weights(of: expert, into: &weights)
            guard total > 1e-12 else {
                silent.append(expert)
                continue
            }
            let told: [Double]
            if model.experts[expert].clockShift == 0 {
                told = Self.quantiles(levels, of: past.minutes, weights: weights, total: total)
                Self.deposit(past.minutes, weights, shares[expert] / total, into: &masses)
            } else {
                let (minutes, shifted) = Self.shifted(
                    past, weights: weights, by: model.experts[expert].clockShift, elapsed: elapsed,
                    shortest: model.shortest)
                let total = shifted.reduce(0, +)
                told = Self.quantiles(levels, of: minutes, weights: shifted, total: total)
                Self.deposit(minutes, shifted, shares[expert] / total, into: &masses)
            }
            medians[expert] = told[1]
            lower += shares[expert] * told[0]
            point += shares[expert] * told[1]
            upper += shares[expert] * told[2]
            heard += shares[expert]
        }
        // An expert without a single interval that counts says what the others say; if none has, the event is near.
        point = heard > 0 ? point / heard : elapsed + max(5, 0.15 * expected)
        lower = heard > 0 ? lower / heard : elapsed
        upper = heard > 0 ? upper / heard : elapsed + max(30, expected)
        lower -= (point - lower) * 10 * max(0, -tails.lower)
        upper += (upper - point) * 10 * max(0, -tails.upper)
        for expert in silent { medians[expert] = point }
        for tail in Self.tails {
            let minutes = elapsed + (point - elapsed) * tail.ratio
            Self.deposit([minutes], [tail.share], Self.tailMass, into: &masses)
        }
        distribution = Self.distribution(masses, elapsed: elapsed)
    }

    /// Weighted quantiles at ascending levels, between the midpoints of the weights linearly.
    private static func quantiles(_ levels: [Double], of minutes: [Double], weights: [Double], total: Double)
        -> [Double]
    {
        var told = [Double](repeating: 0, count: levels.count)
        var next = 0
        var sum = 0.0
        var before: (minutes: Double, middle: Double)?
        for index in minutes.indices where weights[index] > 0 {
            let middle = sum + 0.5 * weights[index]
            while next < levels.count, middle >= levels[next] * total {
                if let before {
                    let share = (levels[next] * total - before.middle) / (middle - before.middle)
                    told[next] = before.minutes + (minutes[index] - before.minutes) * share
                } else {
                    told[next] = minutes[index]
                }
                next += 1
            }
            if next == levels.count { return told }
            before = (minutes[index], middle)
            sum += weights[index]
        }
        while next < levels.count {
            told[next] = before?.minutes ?? 0
            next += 1
        }
        return told
    }

    /// Intervals moved by a part of the way between the two clock times, in order again.
    private static func shifted(
        _ past: WeighedPast, weights: [Double], by shift: Double, elapsed: Double, shortest: Double
    ) -> (minutes: [Double], weights: [Double]) {
        var minutes: [Double] = []
        var kept: [Double] = []
        for index in past.minutes.indices where weights[index] > 0 {
            let moved = max(shortest, elapsed, past.minutes[index] + shift * past.clockShift[index])
            // They are nearly in order already, so insertion from the end takes few steps.
            var place = minutes.count
            while place > 0, minutes[place - 1] > moved { place -= 1 }
            minutes.insert(moved, at: place)
            kept.insert(weights[index], at: place)
        }
        return (minutes, kept)
    }

    /// Adds weights to the bins' ends about each interval.
    private static func deposit(
        _ minutes: [Double], _ weights: [Double], _ scale: Double, into masses: inout [Double]
    ) {
        let last = Double(masses.count - 2)
        for index in minutes.indices where weights[index] > 0 {
            let place = min(last, minutes[index] / TimeDistribution.binMinutes)
            let bin = Int(place)
            let share = place - Double(bin)
            masses[bin] += weights[index] * scale * (1 - share)
            masses[bin + 1] += weights[index] * scale * share
        }
    }

    /// The masses smoothed by ¼ ½ ¼ three times (σ ≈ 6 minutes), with nothing at or before `elapsed`, summed.
    private static func distribution(_ masses: [Double], elapsed: Double) -> TimeDistribution {
        var smooth = masses
        for _ in 0..<3 {
            var before = smooth[0]
            for bin in 1..<(smooth.count - 1) {
                let own = smooth[bin]
                smooth[bin] = 0.25 * before + 0.5 * own + 0.25 * smooth[bin + 1]
                before = own
            }
        }
        let first = elapsed > 0 ? min(smooth.count - 1, Int(elapsed / TimeDistribution.binMinutes) + 1) : 0
        for bin in 0..<first { smooth[bin] = 0 }
        var sum = 0.0
        for bin in smooth.indices {
            sum += smooth[bin]
            smooth[bin] = sum
        }
        if sum > 0 { for bin in smooth.indices { smooth[bin] /= sum } } else { smooth[smooth.count - 1] = 1 }
        return TimeDistribution(cumulative: smooth)
    }
}
