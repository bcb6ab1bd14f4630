/// What keeps intervals and confidence honest on one log, from its own past forecasts alone.
///
/// Intervals: an end lies a multiple of a spread from the point, and the multiple follows the misses: after a forecast,
/// ln multiple ← ln multiple + rate · (missed − nominal), so that the share of misses comes to the nominal one whatever the log
/// does (adaptive conformal inference: Gibbs and Candès, "Adaptive conformal inference under distribution shift", NeurIPS
/// 2021; on the quantile itself: Angelopoulos, Candès and Tibshirani, "Conformal PID control for time series prediction", NeurIPS
/// 2023). The spread is in part the mixture's own and for the rest what recent errors have been: the mixture knows hard hours from
/// easy ones, but its tails rest on few intervals each, and an error tells of a change at once.
///
/// Confidence: the mixture's probability is drawn towards the share of hits so far, as far as it has not proved to tell good forecasts
/// from bad ones, and corrected by what each tenth of it has been off (histogram binning: Zadrozny and Elkan, ICML 2001).
struct Calibration: Sendable, Hashable {
    /// The share of forecasts that each side of the interval should miss.
    static let nominalTail: Float = 0.1
    static let rate: Float = 0.1
    /// How much of the spread is the mixture's own.
    static let ownSpread: Float = 0.3
    /// How much larger the rest is than the mean absolute error: what the 10 and 90 % quantiles of a normal error are of it.
    static let errorsToTail: Float = 1.606
    /// How fast earlier errors fade, and the largest one that counts.
    static let errorMemory: Float = 0.95
    static let largestError: Float = 120
    /// The least spread, in minutes.
    static let leastSpread: Float = 5
    static let memory: Float = 0.99
    static let slope: Float = 0.4

    /// The logarithms of the two multiples.
    var lower: Float = 0
    var upper: Float = 0
    /// The mean absolute error of recent forecasts, in minutes.
    var recentError: Float = 0
    /// Recent means of the raw probability and of the hits.
    var meanRaw: Float = 0.5
    var hitRate: Float = 0.5
    /// How many forecasts have been judged, at most what the memory holds.
    var judged: Float = 0
    /// By tenths of the drawn probability: Σ (hit − drawn), and how many, both fading.
    var debts = [Float](repeating: 0, count: 10)
    var counts = [Float](repeating: 0, count: 10)

    /// How far the ends of the 80 % interval are from the point.
    func ends(below: Float, above: Float) -> (below: Float, above: Float) {
        (spread(below) * Self.exponential(lower), spread(above) * Self.exponential(upper))
    }

    private func spread(_ own: Float) -> Float {
        let own = max(Self.leastSpread, own)
        guard judged > 0 else { return own }
        return Self.ownSpread * own + (1 - Self.ownSpread) * max(Self.leastSpread, Self.errorsToTail * recentError)
    }

    /// The probability to say for a raw one.
    func confidence(raw: Float) -> Float {
        let drawn = self.drawn(raw)
        let tenth = Self.tenth(drawn)
        return min(0.99, max(0.01, drawn + debts[tenth] / (counts[tenth] + 10)))
    }

    /// Learns from a forecast whose event has come.
    mutating func learn(_ forecast: PendingForecast, actual: Float) {
        let hit: Float = abs(actual - forecast.point) <= 30 ? 1 : 0
        lower += Self.rate * ((actual < forecast.lower ? 1 : 0) - Self.nominalTail)
        upper += Self.rate * ((actual > forecast.upper ? 1 : 0) - Self.nominalTail)
        lower = min(3, max(-3, lower))
        upper = min(3, max(-3, upper))
        let drawn = self.drawn(forecast.raw)
        let tenth = Self.tenth(drawn)
        debts[tenth] = Self.memory * debts[tenth] + hit - drawn
        counts[tenth] = Self.memory * counts[tenth] + 1
        let error = min(Self.largestError, abs(actual - forecast.point))
        recentError += (error - recentError) * max(1 - Self.errorMemory, 1 / (judged + 1))
        judged = Self.memory * judged + 1
        // Two forecasts' worth of one half stand at the beginning.
        hitRate += (hit - hitRate) / (judged + 2)
        meanRaw += (forecast.raw - meanRaw) / (judged + 2)
    }

    private func drawn(_ raw: Float) -> Float {
        // Nothing has been proved in the beginning.
        let slope = Self.slope * judged / (judged + 30)
        return min(0.99, max(0.01, hitRate + slope * (raw - meanRaw)))
    }

    private static func exponential(_ x: Float) -> Float {
        x <= 0 ? Float(decayed(Double(x))) : Float(1 / decayed(-Double(x)))
    }

    private static func tenth(_ probability: Float) -> Int { max(0, min(9, Int(probability * 10))) }
}
