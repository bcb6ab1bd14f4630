/// A forecast in plain words.
enum ForecastText {
    static func lines(_ outlook: RhythmOutlook, of kind: RhythmKind) -> [String] {
        switch outlook {
        case .forecast(let forecast): lines(forecast)
        case .unavailable(_, let reason, let now): ["next \(kind.name): \(reason.reason(at: now, of: kind))"]
        }
    }

    /// The lines of several forecasts. Left out are forecasts of a running sleep if there is none, a night waking equal
    /// to the wake-up, and a bedtime if the next sleep is the bedtime.
    static func lines(_ outlooks: [(RhythmKind, RhythmOutlook)]) -> [String] {
        let isBedtimeNext = outlooks.contains { $0.1.forecast?.sleep == .bedtime }
        return outlooks.flatMap { kind, outlook -> [String] in
            switch outlook {
            case .unavailable(_, .awake, _), .unavailable(_, .noNightSleep, _), .unavailable(_, .noBedtime, _): []
            case .forecast where kind == .nightWaking || kind == .bedtime && isBedtimeNext: []
            default: lines(outlook, of: kind)
            }
        }
    }

    /// The name of the next event.
    private static func name(_ forecast: RhythmForecast) -> String {
        switch (forecast.kind, forecast.sleep) {
        case (.wakeUp, _), (.nightWaking, _): "wakes"
        case (.bedtime, _), (_, .bedtime): "bedtime"
        case (_, .night): "back to sleep"
        case (.nap, _), (.feed, _): "next \(forecast.kind.name)"
        }
    }

    static func lines(_ forecast: RhythmForecast) -> [String] {
        let (answer, reason) = sentences(forecast)
        return [answer, "  because " + reason]
            + (forecast.doubt.map { ["  but " + $0] } ?? [])
    }

    /// The forecast, and its reason.
    static func sentences(_ forecast: RhythmForecast) -> (answer: String, reason: String) {
        let day =
            forecast.point.description.prefix(10) == forecast.now.description.prefix(10) ? "" : " tomorrow"
        var first =
            "\(name(forecast)) about \(forecast.point.time)\(day), "
            + "\(forecast.lower.time)–\(forecast.upper.time); "
            + "\(forecast.confidence.parts(of: 10)) in 10 within half an hour"
        let isRunning = forecast.kind == .wakeUp || forecast.kind == .nightWaking
        if let minutes = forecast.durationMinutes {
            first += "; \(isRunning ? "after" : "lasting") about \(NumberText.duration(minutes: minutes))"
        }
        return (first, reason(forecast))
    }

    private static func reason(_ forecast: RhythmForecast) -> String {
        let basis = forecast.basis
        var parts: [String] = []
        let isToday = forecast.anchor.reading.date == forecast.now.reading.date
        let since = isToday ? forecast.anchor.time : forecast.anchor.description
        switch forecast.kind {
        case .nap where !basis.isAsleep && forecast.doubt != nil: parts.append("last awoken at \(since)")
        case .nap where !basis.isAsleep: parts.append("awake since \(since)")
        case .nap, .wakeUp, .nightWaking: parts.append("asleep since \(since)")
        case .bedtime where forecast.anchor > forecast.now:
            parts.append("awake from about \(forecast.anchor.time)")
        // Without a waking of the day, the forecast starts from now.
        case .bedtime where forecast.anchor == forecast.now: break
        case .bedtime: parts.append("last awoken at \(since)")
        case .feed: parts.append("last fed at \(since)")
        }
        if forecast.kind != .feed {
            if let last = basis.lastSleep { parts.append("after a sleep of \(NumberText.duration(minutes: last))") }
            parts.append("\(NumberText.duration(minutes: basis.asleepLastDay)) asleep in the last 24 hours")
        }
        parts.append(
            basis.intervals == 0
                ? "from the usual intervals of babies, because this log has none yet"
                : "from \(basis.intervals, "interval") of this log, mainly recent ones at about this time of day"
        )
        return parts.joined(separator: ", ")
    }
}
