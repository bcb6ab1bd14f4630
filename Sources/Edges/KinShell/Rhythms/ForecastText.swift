import Kin
import KinDrawings

/// A forecast in plain words.
enum ForecastText {
    static func lines(_ outlook: RhythmOutlook, of kind: RhythmKind) -> [String] {
        switch outlook {
        case .forecast(let forecast): lines(forecast)
        case .unavailable(.nothingLogged, _):
            ["next \(kind.rawValue): no \(kind == .nap ? "sleep" : "feed") has been logged yet"]
        case .unavailable(let silence, let now): ["next \(kind.rawValue): \(silence.reason(at: now))"]
        }
    }

    /// The name of the event that comes next.
    private static func name(_ forecast: RhythmForecast) -> String {
        switch forecast.sleep {
        case .bedtime: "bedtime"
        case .night: "back to sleep"
        case .nap, nil: "next \(forecast.kind.rawValue)"
        }
    }

    static func lines(_ forecast: RhythmForecast) -> [String] {
        let tenths = Int((forecast.confidence * 10).rounded())
        let day =
            forecast.point.description.prefix(10) == forecast.now.description.prefix(10) ? "" : " tomorrow"
        var first =
            "\(name(forecast)) about \(forecast.point.time)\(day), "
            + "\(forecast.lower.time)–\(forecast.upper.time); "
            + "\(tenths) in 10 within half an hour"
        if let minutes = forecast.durationMinutes { first += "; for about \(NumberText.duration(minutes: minutes))" }
        return [first, "  because " + reason(forecast)]
    }

    private static func reason(_ forecast: RhythmForecast) -> String {
        let basis = forecast.basis
        var parts: [String] = []
        switch forecast.kind {
        case .nap where basis.isAsleep:
            parts.append("the log says asleep, waking about \(forecast.anchor.time)")
        case .nap: parts.append("awake since \(forecast.anchor.time)")
        case .feed: parts.append("last fed at \(forecast.anchor.time)")
        }
        if forecast.kind == .nap {
            if let last = basis.lastSleep { parts.append("after a sleep of \(NumberText.duration(minutes: last))") }
            parts.append("\(NumberText.duration(minutes: basis.asleepLastDay)) asleep in the last 24 hours")
        }
        parts.append(
            basis.intervals == 0
                ? "by what is usual at this age, with nothing of this log to go by"
                : "by \(NumberText.count(basis.intervals, "interval")) of this log, recent ones and those about this time of day first"
        )
        return parts.joined(separator: ", ")
    }
}
