import KinLibC

extension ChangePointDetection {
    /// The numbers of latest days that are compared with the days before them: whole weeks, so that weekends weigh the
    /// same on both sides.
    private static let shiftWindows = [7, 14, 28]
    /// The number of days before them.
    private static let shiftHistory = 56
    /// The number of latest days that are searched for the step.
    private static let shiftReach = 42

    /// Tests whether the level of the last one, two or four weeks differs from that of the eight weeks before: a test
    /// for daily looks.
    ///
    /// Each window is a permutation test of the sum of ranks, so that it holds for every distribution, including counts
    /// that rarely vary. The exponent of its bound is multiplied by `IndependentShare` of the days before, which may have
    /// one earlier step.
    ///
    /// - Parameters:
    ///   - series: A number for each day; nil for missing days. A window needs values on 5 of 7 days, and 14 days
    ///     before it.
    ///   - largestP: The largest p-value of a window that counts. Daily looks for a year at a series without changes
    ///     find one with a probability of at most 3 · 365 · `largestP`.
    /// - Returns: The step that explains most of the difference, with 1 − p of the window as its confidence; nil if no
    ///   window counts, or the step is smaller than ``smallestStep``.
    /// - Complexity: O(1).
    public func shift(atEndOf series: [Double?], largestP: Double) -> ChangePoint? {
        Self.shiftWindows.compactMap { shift(inLast: $0, of: series, largestP: largestP) }
            .max { $0.confidence < $1.confidence }
    }

    private func shift(inLast days: Int, of series: [Double?], largestP: Double) -> ChangePoint? {
        let known = series.indices.suffix(days + Self.shiftHistory).compactMap { index in
            series[index].map { (index: index, value: $0) }
        }
        let after = known.count { $0.index >= series.count - days }
        guard after * 7 >= days * 5, known.count - after >= 14 else { return nil }
        let values = known.map(\.value)
        let ranks = RankSum.ranks(values)
        let earlier = Array(ranks.dropLast(after))
        let share = IndependentShare.of(Self.residuals(earlier), from: earlier)
        let p = RankSum.p(ranks, after: after, share: share)
        guard p <= largestP else { return nil }
        // The days of the window need not all be after the step, and the step may be before the window.
        let cut = Self.bestCut(values, from: max(3, values.count - Self.shiftReach))
        let (before, level) = (Self.mean(Array(values[..<cut])), Self.mean(Array(values[cut...])))
        guard abs(level - before) >= smallestStep else { return nil }
        return ChangePoint(index: known[cut].index, before: before, after: level, confidence: 1 - p)
    }

    /// Values about the levels of the best step in them: an earlier step does not make neighbours alike.
    private static func residuals(_ values: [Double]) -> [Double] {
        let cut = bestCut(values, from: 3)
        let levels = (mean(Array(values[..<cut])), mean(Array(values[cut...])))
        return values.enumerated().map { $1 - ($0 < cut ? levels.0 : levels.1) }
    }

    /// The start of the new level in the step that reduces the sum of squares most, with three values or more on both
    /// sides.
    private static func bestCut(_ values: [Double], from start: Int) -> Int {
        func gain(_ cut: Int) -> Double {
            let difference = mean(Array(values[cut...])) - mean(Array(values[..<cut]))
            return difference * difference * Double(cut) * Double(values.count - cut)
        }
        return (start...values.count - 3).map { (cut: $0, gain: gain($0)) }.max { $0.gain < $1.gain }!.cut
    }
}

/// A permutation test of whether the last values of a series are larger or smaller than the others.
package enum RankSum {
    /// The ranks of values, with the mean of their ranks for equal values, scaled and moved to −1…1 with mean 0.
    package static func ranks(_ values: [Double]) -> [Double] {
        values.map { value in
            let (less, more) = values.reduce((0, 0)) { ($0.0 + ($1 < value ? 1 : 0), $0.1 + ($1 > value ? 1 : 0)) }
            return Double(less - more) / Double(values.count)
        }
    }

    /// A bound on the two-sided p-value of the sum of the last ranks, among all orders of the ranks.
    ///
    /// A random order puts each rank xᵢ among the last with probability π = k∕n independently, given that there are k of
    /// them. By Chernoff's inequality for the sum S of their ranks and their number together, for all θ and λ:
    ///
    ///     P(S ≥ s) ≤ Π (1 − π + π exp(θ xᵢ + λ)) exp(−θ s − λ k) ∕ P(the number is k)
    ///
    /// The logarithm is convex in θ and λ, and 1 ∕ (n over k), the exact p-value, if the last ranks are the largest.
    /// Newton's method minimises it. Any θ and λ give a valid bound.
    ///
    /// - Parameters:
    ///   - ranks: Ranks with mean 0.
    ///   - after: The number k of last ranks.
    ///   - share: The share of independent days, which multiplies the logarithm of the bound.
    package static func p(_ ranks: [Double], after count: Int, share: Double) -> Double {
        let sum = ranks.suffix(count).reduce(0, +)
        let ranks = sum < 0 ? ranks.map { -$0 } : ranks
        let (n, k) = (Double(ranks.count), Double(count))
        let logOdds = log(k / (n - k))
        func logBound(_ tilt: (theta: Double, lambda: Double)) -> Double {
            ranks.reduce(-abs(sum) * tilt.theta - k * tilt.lambda) {
                $0 + log1p(k / n * expm1(tilt.theta * $1 + tilt.lambda))
            }
        }
        var tilt = (theta: 0.0, lambda: 0.0)
        var least = 0.0
        for _ in 0..<30 {
            var (slope, excess) = (-abs(sum), -k)
            var (a, b, c) = (1e-9, 0.0, 1e-9)
            for rank in ranks {
                let q = 1 / (1 + exp(-logOdds - tilt.lambda - tilt.theta * rank))
                slope += q * rank
                excess += q
                let weight = q * (1 - q)
                a += weight * rank * rank
                b += weight * rank
                c += weight
            }
            let determinant = max(1e-12, a * c - b * b)
            let step = ((b * excess - c * slope) / determinant, (b * slope - a * excess) / determinant)
            let scale = min(1, 4 / max(abs(step.0), abs(step.1), 1e-9))
            let next = (theta: tilt.theta + scale * step.0, lambda: tilt.lambda + scale * step.1)
            let value = logBound(next)
            guard value < least - 1e-6 else { break }
            (tilt, least) = (next, value)
        }
        let orders: Double = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        let logChance: Double = orders + k * log(k / n) + (n - k) * log(1 - k / n)
        return min(1, 2 * exp(min(0, least - logChance) * share))
    }
}
