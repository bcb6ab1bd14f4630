/// How often events begin at each time of the day, recent days counting more: a circular histogram of ten-minute bins.
struct DailyIntensity: Sendable, Hashable {
    static let bins = 144
    static let binMinutes = 10.0
    /// Days after which an event counts 1 ∕ e.
    static let recency = 12.0
    /// The Gaussian kernel, σ = 25 minutes, to three σ, and its sum over both sides.
    private static let kernel: [Float] = (0...7).map {
        Float(decayed(-0.5 * (Double($0) * binMinutes / 25) * (Double($0) * binMinutes / 25)))
    }
    private static let kernelSum = kernel.dropFirst().reduce(kernel[0]) { $0 + 2 * $1 }

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
    func smoothed() -> [Float] {
        var total: Float = 0
        for weight in weights { total += weight }
        guard total > 0 else { return [Float](repeating: 1, count: Self.bins) }
        let scale = Float(Self.bins) / (total * Self.kernelSum)
        let reach = Self.kernel.count - 1
        // The histogram with its ends repeated, so that the inner loop does not wrap.
        let ring = Array(weights.suffix(reach)) + weights + Array(weights.prefix(reach))
        return unsafe [Float](unsafeUninitializedCapacity: Self.bins) { sums, count in
            unsafe sums.initialize(repeating: 0)
            // Both have the bins that are read, and loops without bounds checks become vector code.
            unsafe ring.withUnsafeBufferPointer { ring in
                for offset in -reach...reach {
                    let factor = Self.kernel[abs(offset)] * scale
                    for bin in 0..<Self.bins { unsafe sums[bin] += factor * ring[bin + reach + offset] }
                }
            }
            count = Self.bins
        }
    }

    /// The density at an instant, between the bins' centres linearly.
    @inline(__always)
    static func value(of density: [Float], at minute: Double) -> Float {
        let place = ClockTime.minuteOfDay(minute) * (1 / binMinutes) + (Double(bins) - 0.5)
        let below = Int(place)
        let share = Float(place - Double(below))
        return density[wrapped(below - bins)] * (1 - share) + density[wrapped(below - bins + 1)] * share
    }

    private static func wrapped(_ bin: Int) -> Int {
        bin < 0 ? bin + bins : (bin >= bins ? bin - bins : bin)
    }
}
