extension Recurrence {
    /// Quantities of the stored intervals, weighted by recency and closeness in clock time.
    ///
    /// - Parameters:
    ///   - minute: The instant of the estimate, in minutes since 1970 by the local clock.
    ///   - recency: The time constant of the recency kernel, in days.
    ///   - clockWidth: The width σ of the kernel on the clock, in hours.
    ///   - model: The model that the state was created with.
    ///   - quantity: For an interval's beginning (minutes since 1970) and features (NaN if unknown), returns the
    ///     instant whose clock time is compared, and the quantity; nil excludes the interval.
    /// - Returns: The quantities of the intervals with a weight above 10⁻³.
    package func weighted<Quantity>(
        atMinute minute: Double, recency: Double, clockWidth: Double, model: RecurrenceModel,
        of quantity: (_ begin: Double, _ features: SIMD4<Double>) -> (minute: Double, value: Quantity)?
    ) -> [(value: Quantity, weight: Double)] {
        var found: [(value: Quantity, weight: Double)] = []
        for interval in past {
            var features = SIMD4<Double>(repeating: .nan)
            for index in 0..<4 where interval.features[index] != PastInterval.unknown {
                features[index] = Double(interval.features[index]) * model.history.featureSteps[index]
            }
            guard let (instant, value) = quantity(interval.beginMinute, features) else { continue }
            let z = DayCycle.difference(instant, minute) / 60 / clockWidth
            let days = max(0, minute - interval.beginMinute) / DayCycle.minutesPerDay
            let weight = decayed(-days / recency - 0.5 * z * z)
            // Smaller weights are negligible.
            if weight > 1e-3 { found.append((value, weight)) }
        }
        return found
    }

    /// The weighted median of values; nil for no values.
    package static func median(of values: [(value: Double, weight: Double)]) -> Double? { quantile(0.5, of: values) }

    /// The smallest value such that the values up to it have a given share of the total weight; nil for no values.
    ///
    /// - Parameters:
    ///   - share: The share, above 0 and at most 1.
    ///   - values: The values with their weights, in any order.
    package static func quantile(_ share: Double, of values: [(value: Double, weight: Double)]) -> Double? {
        let sorted = values.sorted { $0.value < $1.value }
        let least = sorted.reduce(0) { $0 + $1.weight } * share
        var sum = 0.0
        for (value, weight) in sorted {
            sum += weight
            if sum >= least { return value }
        }
        return sorted.last?.value
    }
}
