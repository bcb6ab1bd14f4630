extension RhythmMethods {
    static let recordPredictions = EngineMethod(
        command: "record_predictions",
        "Forecasts a stored baby's next events and keeps the forecasts, so that `forecast_scores` can measure them later.",
        answer: "as `predictions`",
        user, baby, zone,
        Parameter<LoggedTime?>(
            "now", .loggedTime,
            "The instant of the forecasts. Default: the present if `zone` is given, otherwise the last observation."),
        Parameter<Double>("coverage", .number(0.001...0.999), default: 0.8, "The nominal coverage of the intervals.")
    ) { engine, user, baby, zone, now, coverage in
        let present = try engine.present(now, in: zone)
        return try await engine.recordPredictions(of: user, baby: baby, at: present, coverage: coverage, in: zone)
    }

    static let forecastScores = EngineMethod(
        "forecast_scores", "Measures the recorded forecasts of a stored baby against its present log, for each kind.",
        answer:
            "list of scores by kind; a forecast of a running sleep's end is `night_waking` if the sleep began from 19:00 to 05:59",
        user, baby, zone
    ) { engine, user, baby, zone throws(KinError) in try engine.forecastScores(of: user, baby: baby, in: zone) }

    static let recordInsights = EngineMethod(
        command: "record_insights",
        "Finds the insights into a stored baby's log, without dismissed ones, and compares them with those of the last call on an earlier day.",
        user, baby, zone,
        Parameter<LoggedTime?>(
            "now", .loggedTime,
            "Insights that expired until then are left out. Default: the present if `zone` is given, otherwise the last observation."
        )
    ) { engine, user, baby, zone, now in
        let present = try engine.present(now, in: zone)
        return try await engine.recordInsights(of: user, baby: baby, at: present, in: zone)
    }

    static let dismissInsight = EngineMethod(
        command: "dismiss_insight",
        "Dismisses an insight into a stored baby's log, until it changes in substance. All owners share dismissals.",
        answer: "`dismissed`: the ids of all dismissed insights",
        user, baby,
        Parameter<String>("insight", .id, "The id of an insight of the log or of the last `record_insights`."),
        zone
    ) { engine, user, baby, insight, zone in
        Members(["dismissed": try await engine.dismissInsight(insight, of: user, baby: baby, in: zone)])
    }

    static let user = Parameter<String>("user", .id, "An owner of the baby whose log is in the store.")
    static let baby = Parameter<String>("baby", .id, "The baby whose log is in the store.")
}
