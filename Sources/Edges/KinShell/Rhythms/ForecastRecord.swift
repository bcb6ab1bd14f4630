import Kin

/// A forecast in JSON: times of the local clock, probabilities to four decimals, minutes to one.
struct ForecastRecord: Encodable {
    let now: String
    let point: String
    let lower: String
    let upper: String
    let confidence: Double
    let duration: Double?

    private enum CodingKeys: String, CodingKey {
        case now, point, lower, upper, confidence
        case duration = "duration_minutes"
    }

    init(_ forecast: RhythmForecast) {
        now = LocalTime.text(forecast.now)
        point = LocalTime.text(forecast.point)
        lower = LocalTime.text(forecast.lower)
        upper = LocalTime.text(forecast.upper)
        confidence = (forecast.confidence * 1e4).rounded() / 1e4
        duration = forecast.durationMinutes.map { ($0 * 10).rounded() / 10 }
    }
}

/// What stands where nothing can be told yet.
struct NoForecastRecord: Encodable {
    let now: String
    let reason = "nothing logged yet"

    init(at now: Timestamp) { self.now = LocalTime.text(now) }
}

extension JSONText {
    /// A forecast, or that there is none.
    static func line(_ forecast: RhythmForecast?, at now: Timestamp) -> String {
        forecast.map { line(ForecastRecord($0)) } ?? line(NoForecastRecord(at: now))
    }
}
