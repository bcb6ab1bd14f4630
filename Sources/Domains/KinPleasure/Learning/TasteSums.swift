import KinLibC

/// The exponentially weighted sums of points up to an instant, divided by the weight of that instant so that they stay
/// bounded.
struct TasteSums: Sendable {
    /// The instant of the last point, or of the start.
    private var time: Timestamp
    private var sum: SIMD16<Double>
    /// The weight in each dimension: a session counts in the dimensions that it names.
    private var weight: SIMD16<Double>

    /// The sums of a starting profile alone, which counts as `weight` sessions.
    init(start: Pleasure, at time: Timestamp, weight: Double) {
        self.time = time
        sum = SIMD16<Double>(start.coordinates) * weight
        self.weight = SIMD16(repeating: weight)
    }

    /// Adds the point of a session at an instant; earlier points lose half of their weight in each half-life.
    ///
    /// - Parameter named: 1 in the dimensions that the session names, 0 in unknown ones.
    @inline(__always)
    mutating func add(_ point: Pleasure, named: SIMD16<Double>, at instant: Timestamp) {
        let days = instant.days(since: time)
        // Limited to 1,000 half-lives, where weights are negligible, so that the power does not overflow.
        let decay = exp2(min(max(-days / TasteHistory.halfLifeDays, -1000), 1000))
        sum = sum * decay + SIMD16<Double>(point.coordinates) * named
        weight = weight * decay + named
        time = instant
    }

    /// The weighted mean of the points in each dimension; 0 in a dimension that nothing names.
    var mean: Pleasure { Pleasure(clamping: SIMD16<Float>((sum / weight).replacing(with: 0, where: weight .<= 0))) }
}
