/// The rate of events by time of the day: a circular histogram of ten-minute bins with exponential discounting by age.
struct DailyIntensity: Sendable, Hashable {
    static let bins = 144
    static let binMinutes = 10.0
    /// The age in days of an event with the weight 1 ∕ e.
    static let timeConstant = 12.0
    /// The Gaussian smoothing kernel, σ = 25 minutes, at bin distances 0 to 7.
    private static let kernel: [Float] = (0...7).map {
        Float(decayed(-0.5 * (Double($0) * binMinutes / 25) * (Double($0) * binMinutes / 25)))
    }
    /// The kernel's sum over both sides.
    private static let kernelSum = kernel.dropFirst().reduce(kernel[0]) { $0 + 2 * $1 }

    /// The discounted number of events in each bin, as of ``latest``.
    var weights = [Float](repeating: 0, count: bins)
    /// The instant of the latest event, in minutes since 1970.
    var latest = 0.0

    /// Adds an event at an instant, and discounts earlier events by the time since.
    mutating func add(_ minute: Double) {
        let decay = Float(decayed(-max(0, minute - latest) / DayCycle.minutesPerDay / Self.timeConstant))
        latest = max(latest, minute)
        for bin in weights.indices { weights[bin] *= decay }
        let position = DayCycle.minuteOfDay(minute) / Self.binMinutes - 0.5
        let below = position.rounded(.down)
        let share = Float(position - below)
        weights[Self.wrapped(Int(below))] += 1 - share
        weights[Self.wrapped(Int(below) + 1)] += share
    }

    /// The mean number of events a day in the last `days` days, as of ``latest``; 1 before the first event.
    func perDay(in days: Double) -> Double {
        let total = Double(weights.reduce(0, +))
        return total > 0 ? total / (Self.timeConstant * (1 - decayed(-days / Self.timeConstant))) : 1
    }

    /// The smoothed density by bin, with mean 1 over the day; all 1 before the first event.
    func smoothed() -> [Float] {
        var total: Float = 0
        for weight in weights { total += weight }
        guard total > 0 else { return [Float](repeating: 1, count: Self.bins) }
        let scale = Float(Self.bins) / (total * Self.kernelSum)
        let radius = Self.kernel.count - 1
        // The histogram with its ends repeated, so that the inner loop needs no wrap-around.
        let ring = (-radius..<Self.bins + radius).map { weights[Self.wrapped($0)] }
        return unsafe [Float](unsafeUninitializedCapacity: Self.bins) { sums, count in
            unsafe sums.initialize(repeating: 0)
            // All indices are within both arrays; loops without bounds checks are vectorized.
            unsafe ring.withUnsafeBufferPointer { ring in
                for offset in -radius...radius {
                    let factor = Self.kernel[abs(offset)] * scale
                    for bin in 0..<Self.bins { unsafe sums[bin] += factor * ring[bin + radius + offset] }
                }
            }
            count = Self.bins
        }
    }

    /// The density at an instant, interpolated linearly between the bins' centres.
    @inline(__always)
    static func value(of density: [Float], at minute: Double) -> Float {
        let position = DayCycle.minuteOfDay(minute) * (1 / binMinutes) + (Double(bins) - 0.5)
        let below = Int(position)
        let share = Float(position - Double(below))
        return density[wrapped(below - bins)] * (1 - share) + density[wrapped(below - bins + 1)] * share
    }

    private static func wrapped(_ bin: Int) -> Int {
        bin < 0 ? bin + bins : (bin >= bins ? bin - bins : bin)
    }
}
