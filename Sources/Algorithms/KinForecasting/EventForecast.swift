/// A forecast of the next event: point, interval, confidence and distribution, in minutes after the anchor.
///
/// It is conditional on the event not having come within the elapsed time.
public struct EventForecast: Sendable, Hashable {
    /// The point forecast in minutes after the anchor: the mixed median of the experts, and after an hour without the
    /// event at least the median of ``distribution``.
    public let point: Double
    /// The lower end of the interval, in minutes after the anchor.
    public let lower: Double
    /// The upper end of the interval, in minutes after the anchor.
    public let upper: Double
    /// The probability that the event falls within 30 minutes of the point, 0.01 to 0.99.
    ///
    /// At the anchor it is calibrated on this log's own past forecasts. The share of intervals that have elapsed since
    /// is the weight of the ``distribution`` in it, and in the interval.
    public let confidence: Double
    /// The distribution of the time to the event, not calibrated.
    public let distribution: TimeDistribution
    /// The probability, at the anchor, that the event takes longer than three quarters of the elapsed time. If it is
    /// small, an event is probably missing.
    public var survival = 1.0

    /// The share of the elapsed time at which ``survival`` is evaluated: an event may be a third later than nearly all
    /// others without being missing.
    static let survivalPart = 0.75
}

extension EventForecast {
    /// Forecasts an event by a distribution alone: by its median, its quantiles, and its probability about the median.
    ///
    /// - Parameters:
    ///   - distribution: The distribution of the time to the event.
    ///   - coverage: The probability of the interval, above 0 and below 1.
    package init(_ distribution: TimeDistribution, coverage: Double) {
        let point = distribution.quantile(0.5)
        self.init(
            point: point, lower: distribution.quantile((1 - coverage) / 2),
            upper: distribution.quantile((1 + coverage) / 2),
            confidence: min(0.99, max(0.01, distribution.probability(about: point))), distribution: distribution)
    }

    /// The forecast of an event that can only come in a span of minutes after the anchor.
    package func within(_ span: ClosedRange<Double>) -> EventForecast {
        func clamped(_ minutes: Double) -> Double { min(span.upperBound, max(span.lowerBound, minutes)) }
        return EventForecast(
            point: clamped(point), lower: clamped(lower), upper: clamped(upper), confidence: confidence,
            distribution: distribution.within(span), survival: survival)
    }
}

/// A probability distribution over minutes after the anchor, in bins of five minutes.
public struct TimeDistribution: Sendable, Hashable {
    /// The width of a bin in minutes, 5.
    public static let binMinutes = 5.0

    /// The probability that the event comes at most `bin` bins after the anchor, for bins 0, 1, …; the last value is 1.
    public let cumulative: [Double]

    /// Creates a distribution from its cumulative probabilities.
    ///
    /// - Parameter cumulative: The probabilities as in ``cumulative``.
    package init(cumulative: [Double]) { self.cumulative = cumulative }

    /// Smooths the masses by ¼ ½ ¼ three times (σ ≈ 6 minutes), clears the masses at or before `elapsed` minutes, and
    /// accumulates the rest.
    init(masses: [Float], elapsed: Double) {
        var smooth = masses
        for _ in 0..<3 {
            var before = smooth[0]
            for bin in 1..<(smooth.count - 1) {
                let own = smooth[bin]
                smooth[bin] = 0.25 * before + 0.5 * own + 0.25 * smooth[bin + 1]
                before = own
            }
        }
        let first = elapsed > 0 ? min(smooth.count - 1, Int(elapsed / Self.binMinutes) + 1) : 0
        var total: Float = 0
        for bin in first..<smooth.count { total += smooth[bin] }
        let scale = total > 0 ? 1 / Double(total) : 0
        var sums = [Double](repeating: 0, count: smooth.count)
        var sum = 0.0
        for bin in first..<smooth.count {
            sum += Double(smooth[bin]) * scale
            // The total is rounded more coarsely, so the sum may exceed 1 before the last bin.
            sums[bin] = min(1, sum)
        }
        sums[sums.count - 1] = 1
        cumulative = sums
    }

    /// The probability P(T ≤ minutes) that the event comes within a number of minutes after the anchor, interpolated
    /// within a bin.
    public func probability(by minutes: Double) -> Double {
        guard minutes > 0 else { return 0 }
        let position = minutes / Self.binMinutes
        let bin = Int(min(position, Double(cumulative.count)))
        guard bin + 1 < cumulative.count else { return 1 }
        return cumulative[bin] + (cumulative[bin + 1] - cumulative[bin]) * (position - Double(bin))
    }

    /// The distribution given that the time is in a span; unchanged if the span has no probability.
    func within(_ span: ClosedRange<Double>) -> TimeDistribution {
        let before = probability(by: span.lowerBound)
        let mass = probability(by: span.upperBound) - before
        guard mass > 0 else { return self }
        return TimeDistribution(
            cumulative: cumulative.indices.map { bin in
                max(0, probability(by: min(Double(bin) * Self.binMinutes, span.upperBound)) - before) / mass
            })
    }

    /// The smallest number of minutes within which the event comes with probability `level`, 0 to 1. O(log bins).
    public func quantile(_ level: Double) -> Double {
        guard level > 0 else {
            return Double(cumulative.firstIndex { $0 > 0 } ?? 1) * Self.binMinutes - Self.binMinutes
        }
        let low = cumulative.dropLast().partition { $0 < level }
        guard low > 0 else { return 0 }
        let below = cumulative[low - 1]
        let mass = cumulative[low] - below
        let share = mass > 0 ? min(1, (level - below) / mass) : 1
        return (Double(low - 1) + share) * Self.binMinutes
    }

    /// The probability P(T ≤ t + step | T > t) that the event comes within `step` minutes, given that it has not come
    /// by t.
    public func hazard(at minutes: Double, within step: Double) -> Double {
        let before = probability(by: minutes)
        guard before < 1 else { return 1 }
        return max(0, probability(by: minutes + step) - before) / (1 - before)
    }
}
