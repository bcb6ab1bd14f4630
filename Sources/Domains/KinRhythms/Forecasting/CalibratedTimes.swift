/// A forecast's distribution of times, moved and scaled on either side to the calibrated point and interval.
struct CalibratedTimes {
    private let forecast: EventForecast
    private let median: Double
    /// The minutes of the distribution per minute of the calibrated one, before and after the point.
    private let (before, after): (Double, Double)

    /// Calibrates a forecast with a coverage of 0.8.
    init(_ forecast: EventForecast) {
        let times = forecast.distribution
        self.forecast = forecast
        median = times.quantile(0.5)
        before = max(1, median - times.quantile(0.1)) / max(1, forecast.point - forecast.lower)
        after = max(1, times.quantile(0.9) - median) / max(1, forecast.upper - forecast.point)
    }

    /// The minutes after the anchor within which the event comes with a probability.
    func quantile(_ level: Double) -> Double {
        let late = forecast.distribution.quantile(level) - median
        return max(0, forecast.point + late / (late < 0 ? before : after))
    }

    /// The probability that the event comes within some minutes after the anchor.
    func probability(by minutes: Double) -> Double {
        let late = minutes - forecast.point
        return forecast.distribution.probability(by: median + late * (late < 0 ? before : after))
    }
}
