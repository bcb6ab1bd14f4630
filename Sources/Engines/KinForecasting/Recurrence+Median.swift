extension Recurrence {
    /// The weighted median of a quantity that goes with the intervals, near a time of the day and recent ones first.
    ///
    /// - Parameter quantity: of an interval, by when it began (minutes since 1970) and its features (NaN where unknown): the instant
    ///   whose clock time is compared, and the quantity; nil leaves the interval out.
    /// - Returns: nil when no interval counts.
    package func median(
        atMinute minute: Double, recency: Double, clockWidth: Double, model: RecurrenceModel,
        of quantity: (_ begin: Double, _ features: SIMD4<Double>) -> (minute: Double, value: Double)?
    ) -> Double? {
        var found: [(value: Double, weight: Double)] = []
        for interval in past {
            var features = SIMD4<Double>(repeating: .nan)
            for index in 0..<4 where interval.features[index] != PastInterval.unknown {
                features[index] = Double(interval.features[index]) * model.featureSteps[index]
            }
            guard let (instant, value) = quantity(interval.beginMinute, features) else { continue }
            let z = ClockTime.difference(instant, minute) / 60 / clockWidth
            let days = max(0, minute - interval.beginMinute) / ClockTime.minutesPerDay
            let weight = decayed(-days / recency - 0.5 * z * z)
            // What lies farther away than this counts for nothing beside what is near.
            if weight > 1e-3 { found.append((value, weight)) }
        }
        found.sort { $0.value < $1.value }
        let half = found.reduce(0) { $0 + $1.weight } / 2
        var sum = 0.0
        for (value, weight) in found {
            sum += weight
            if sum >= half { return value }
        }
        return nil
    }
}
