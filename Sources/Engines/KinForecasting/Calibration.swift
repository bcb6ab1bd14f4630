/// What keeps intervals and confidence honest on one log, from its own past forecasts alone.
///
/// Intervals: adaptive conformal inference (Gibbs and Candès, "Adaptive conformal inference under distribution shift", NeurIPS
/// 2021) for each tail by itself: after a forecast, level ← level + rate · (nominal − missed), so that the share of misses comes
/// to the nominal one whatever the log does. Confidence: the mixture's probability is drawn towards the share of hits so far, as far
/// as it has not proved to tell good forecasts from bad ones, and corrected by what each tenth of it has been off
/// (histogram binning: Zadrozny and Elkan, ICML 2001).
struct Calibration: Sendable, Hashable {
    /// The share of forecasts that each side of the interval should miss.
    static let nominalTail: Float = 0.1
    static let rate: Float = 0.015
    static let memory: Float = 0.99
    static let slope: Float = 0.4

    /// The level that the lower end is taken at, and one minus that of the upper end; either may leave 0...1.
    var lower = nominalTail
    var upper = nominalTail
    /// Recent means of the raw probability and of the hits.
    var meanRaw: Float = 0.5
    var hitRate: Float = 0.5
    /// How many forecasts have been judged, at most what the memory holds.
    var judged: Float = 0
    /// By tenths of the drawn probability: Σ (hit − drawn), and how many, both fading.
    var debts = [Float](repeating: 0, count: 10)
    var counts = [Float](repeating: 0, count: 10)

    /// The levels of the two ends at a level of coverage: those that have proved right at 80 %, in proportion to the tails beyond it, on
    /// the straight way to the median below it; so intervals nest.
    func tails(coverage: Double) -> (lower: Double, upper: Double) {
        let nominal = 1 - Double(2 * Self.nominalTail)
        func tail(_ proved: Double) -> Double {
            if coverage >= nominal { return proved > 0 ? proved * (1 - coverage) / (1 - nominal) : proved }
            return proved + (0.5 - proved) * (nominal - coverage) / nominal
        }
        return (tail(Double(lower)), tail(Double(upper)))
    }

    /// The probability to say for a raw one.
    func confidence(raw: Double) -> Double {
        let drawn = self.drawn(Float(raw))
        let tenth = Self.tenth(drawn)
        let said = drawn + debts[tenth] / (counts[tenth] + 10)
        return Double(min(0.99, max(0.01, said)))
    }

    private func drawn(_ raw: Float) -> Float {
        min(0.99, max(0.01, hitRate + Self.slope * (raw - meanRaw)))
    }

    mutating func learn(missedBelow: Bool, missedAbove: Bool, hit: Bool, raw: Float, said: Float) {
        lower += Self.rate * (Self.nominalTail - (missedBelow ? 1 : 0))
        upper += Self.rate * (Self.nominalTail - (missedAbove ? 1 : 0))
        lower = min(0.45, max(-0.2, lower))
        upper = min(0.45, max(-0.2, upper))
        let drawn = self.drawn(raw)
        let tenth = Self.tenth(drawn)
        debts[tenth] = Self.memory * debts[tenth] + (hit ? 1 : 0) - drawn
        counts[tenth] = Self.memory * counts[tenth] + 1
        judged = Self.memory * judged + 1
        // Two forecasts' worth of one half stand at the beginning.
        hitRate += ((hit ? 1 : 0) - hitRate) / (judged + 2)
        meanRaw += (raw - meanRaw) / (judged + 2)
    }

    private static func tenth(_ probability: Float) -> Int { max(0, min(9, Int(probability * 10))) }
}
