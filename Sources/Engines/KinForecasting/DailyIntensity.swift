/// How often events begin at each time of the day, recent days counting more: a circular histogram of ten-minute bins.
struct DailyIntensity: Sendable, Hashable {
    static let bins = 144
    static let binMinutes = 10.0
    /// Days after which an event counts 1 ∕ e.
    static let recency = 12.0
    /// The Gaussian kernel, σ = 25 minutes, to three σ.
    private static let kernel: [Double] = (0...7).map {
        decayed(-0.5 * (Double($0) * binMinutes / 25) * (Double($0) * binMinutes / 25))
    }

    /// Weights by ten minutes of the day, as of `latest`.
    var weights = [Float](repeating: 0, count: bins)
    /// The last event, in minutes since 1970.
    var latest = 0.0

    /// Adds an event; those before it fade by the time that has passed.
    mutating func add(_ minute: Double) {
        let kept = Float(decayed(-max(0, minute - latest) / ClockTime.minutesPerDay / Self.recency))
        latest = max(latest, minute)
        for bin in weights.indices { weights[bin] *= kept }
        let place = ClockTime.minuteOfDay(minute) / Self.binMinutes - 0.5
        let below = place.rounded(.down)
        let share = Float(place - below)
        weights[Self.wrapped(Int(below))] += 1 - share
        weights[Self.wrapped(Int(below) + 1)] += share
    }

    /// The smoothed density by bin, 1 on average over the day; all 1 before the first event.
    func smoothed() -> [Double] {
        var total = 0.0
        for weight in weights { total += Double(weight) }
        guard total > 0 else { return [Double](repeating: 1, count: Self.bins) }
        var mass = Self.kernel[0]
        for value in Self.kernel.dropFirst() { mass += 2 * value }
        let scale = Double(Self.bins) / (total * mass)
        let reach = Self.kernel.count - 1
        // The histogram with its ends repeated, so that the inner loop does not wrap.
        var ring = [Double](repeating: 0, count: Self.bins + 2 * reach)
        for place in ring.indices { ring[place] = Double(weights[Self.wrapped(place - reach)]) }
        return (0..<Self.bins).map { bin in
            var sum = Self.kernel[0] * ring[bin + reach]
            for offset in 1...reach {
                sum += Self.kernel[offset] * (ring[bin + reach - offset] + ring[bin + reach + offset])
            }
            return sum * scale
        }
    }

    /// The density at an instant, between the bins' centres linearly.
    static func value(of density: [Double], at minute: Double) -> Double {
        let place = ClockTime.minuteOfDay(minute) / binMinutes - 0.5
        let below = place.rounded(.down)
        let share = place - below
        return density[wrapped(Int(below))] * (1 - share) + density[wrapped(Int(below) + 1)] * share
    }

    private static func wrapped(_ bin: Int) -> Int {
        bin < 0 ? bin + bins : (bin >= bins ? bin - bins : bin)
    }
}
