/// Online calibration of intervals and confidence on one log, using only its own past forecasts.
///
/// Intervals: the distance of an end from the point is a multiple of a spread. After each forecast the multiple is
/// adapted by ln multiple ← ln multiple + rate · (missed − nominal), so that the share of misses converges to the
/// nominal share for any sequence. This is adaptive conformal inference: Gibbs and Candès, "Adaptive conformal
/// inference under distribution shift", NeurIPS 2021. For the adaptation of the quantile itself: Angelopoulos, Candès
/// and Tibshirani, "Conformal PID control for time series prediction", NeurIPS 2023.
///
/// The spread combines the mixture's own spread and the mean of recent errors. The mixture's spread varies with the
/// hour, but each of its tails depends on few intervals, whereas errors respond to a change at once. Before forecasts
/// are evaluated, the spread is the mixture's, which then contains the prior (``PriorSpread``).
///
/// Confidence: it begins as the mixture's probability, which is shrunk towards the share of hits so far, less so as the
/// number of forecasts grows. It is then corrected by the mean residual of its tenth (histogram binning: Zadrozny and
/// Elkan, ICML 2001).
struct Calibration: Sendable, Hashable {
    /// The nominal share of forecasts that miss each side of the interval.
    static let nominalTail: Float = 0.1
    /// The step size of the adaptation of the two multiples, on the logarithmic scale.
    static let rate: Float = 0.1
    /// The weight of the mixture's own spread in the spread; the rest comes from recent errors.
    static let mixtureShare: Float = 0.3
    /// The ratio of the 90 % quantile of a normal error to its mean absolute value.
    static let tailPerMeanError: Float = 1.606
    /// The discount of earlier absolute errors at each forecast.
    static let errorDiscount: Float = 0.95
    /// The largest absolute error that counts, in minutes; larger ones are clipped.
    static let maximumError: Float = 120
    /// The number of forecasts with the weight of the prior, the mixture's own spread and probability.
    static let priorForecasts: Float = 2
    /// The weight of the latest error relative to the mean of earlier ones while they are few; with 1, all would count
    /// alike, but the first errors of a log are the largest.
    static let recentWeight: Float = 3
    /// The smallest spread, in minutes.
    static let minimumSpread: Float = 5
    /// The discount of hits and residuals at each forecast.
    static let discount: Float = 0.99
    /// The weight of the mixture's probability in the confidence after many forecasts; the rest is the hit rate.
    static let slope: Float = 0.4

    /// The logarithm of the multiple of the spread below the point.
    var lower: Float = 0
    /// The logarithm of the multiple of the spread above the point.
    var upper: Float = 0
    /// The discounted mean absolute error, in minutes.
    var recentError: Float = 0
    /// The discounted mean of the mixture's probability, 0 to 1.
    var meanRaw: Float = 0.5
    /// The discounted share of events within 30 minutes of the point, 0 to 1.
    var hitRate: Float = 0.5
    /// The discounted number of evaluated forecasts, at most 1 ∕ (1 − discount).
    var effectiveCount: Float = 0
    /// The discounted sum of hit − shrunk probability, by tenths of the shrunk probability.
    var residuals = [Float](repeating: 0, count: 10)
    /// The discounted number of forecasts in each tenth.
    var counts = [Float](repeating: 0, count: 10)

    /// The distances of the 80 % interval's ends from the point, in minutes, given the mixture's own spread below and
    /// above the point.
    func halfWidths(below: Float, above: Float) -> (below: Float, above: Float) {
        (spread(below) * Self.exponential(lower), spread(above) * Self.exponential(upper))
    }

    private func spread(_ own: Float) -> Float {
        let own = max(Self.minimumSpread, own)
        let share = Self.mixtureShare + (1 - Self.mixtureShare) * priorShare
        return share * own + (1 - share) * max(Self.minimumSpread, Self.tailPerMeanError * recentError)
    }

    /// The weight of the prior; the rest is the weight of evaluated forecasts.
    private var priorShare: Float { Self.priorForecasts / (Self.priorForecasts + effectiveCount) }

    /// The calibrated probability for a mixture's probability `raw`, within 0.01 … 0.99.
    func confidence(raw: Float) -> Float {
        let shrunk = self.shrunk(raw)
        let tenth = Self.tenth(shrunk)
        return min(0.99, max(0.01, shrunk + residuals[tenth] / (counts[tenth] + 10)))
    }

    /// Updates the calibration with a forecast whose event came `actual` minutes after its anchor.
    ///
    /// - Parameters:
    ///   - weight: The weight of the miss, above 0 and at most 1: of several forecasts of one event, all may miss for
    ///     one reason.
    ///   - isForeseen: Whether the event is of the other range of intervals (``Mixture/otherShare``) and inside the
    ///     interval. Such an event counts only for the interval.
    mutating func update(_ forecast: PendingForecast, actual: Float, weight: Float, isForeseen: Bool) {
        let hit: Float = abs(actual - forecast.point) <= 30 ? 1 : 0
        let rate = Self.rate * weight
        lower += rate * ((actual < forecast.lower ? 1 : 0) - Self.nominalTail)
        upper += rate * ((actual > forecast.upper ? 1 : 0) - Self.nominalTail)
        lower = min(3, max(-3, lower))
        upper = min(3, max(-3, upper))
        guard !isForeseen else { return }
        let shrunk = self.shrunk(forecast.raw)
        let tenth = Self.tenth(shrunk)
        residuals[tenth] = Self.discount * residuals[tenth] + hit - shrunk
        counts[tenth] = Self.discount * counts[tenth] + 1
        let error = min(Self.maximumError, abs(actual - forecast.point))
        recentError +=
            (error - recentError)
            * max(1 - Self.errorDiscount, Self.recentWeight / (effectiveCount + Self.recentWeight))
        effectiveCount = Self.discount * effectiveCount + 1
        hitRate += (hit - hitRate) / effectiveCount
        meanRaw += (forecast.raw - meanRaw) / effectiveCount
    }

    /// Reduces the weight of evaluated forecasts to a share.
    mutating func fade(to share: Float) {
        lower *= share
        upper *= share
        effectiveCount *= share
        residuals = residuals.map { $0 * share }
        counts = counts.map { $0 * share }
    }

    /// The mixture's probability shrunk towards the hit rate.
    private func shrunk(_ raw: Float) -> Float {
        // The slope grows from 0 with the number of forecasts.
        let slope = Self.slope * effectiveCount / (effectiveCount + 30)
        let evidence = hitRate + slope * (raw - meanRaw)
        return min(0.99, max(0.01, priorShare * raw + (1 - priorShare) * evidence))
    }

    private static func exponential(_ x: Float) -> Float {
        x <= 0 ? Float(decayed(Double(x))) : Float(1 / decayed(-Double(x)))
    }

    private static func tenth(_ probability: Float) -> Int { max(0, min(9, Int(probability * 10))) }
}
