extension RhythmMethods {
    static let dayPlan = EngineMethod(
        "day_plan", "Plans the rest of a baby's day: its naps and its bedtime, also with assumed sleeps.",
        answer: """
            the plan, from 500 simulated days, or the `reason` for its absence: no bedtime is logged yet, the last sleep was more \
            than 36 hours before, or the night has begun. `last_sleep_end` and `bedtime` are both in their intervals with the \
            probability `coverage`; the intervals of naps have the same quantile levels. \
            The same call has the same answer
            """,
        Parameter<CareLog>.careLog,
        Parameter<LoggedTime?>(
            "now", .loggedTime,
            "The instant of the plan. Default: the present if `zone` is given, otherwise the last observation."),
        Parameter<[SleepAssumption]>(
            "given", .list("assumed sleep", SleepAssumption.init(from:)), default: [],
            """
            Assumed sleeps in order: `[{"type": "sleep", "end": "2026-01-05T14:30"}]`. With `start` and `end`, a sleep at these times. \
            Without `start`, the running sleep or, if the baby is awake, the next one. Without `end`, its length is simulated.
            """),
        Parameter<Double>("coverage", .number(0.001...0.999), default: 0.8, "The nominal coverage of the intervals.")
    ) { engine, log, now, given, coverage throws(KinError) in
        let instant = try engine.present(now, in: log.zone)
        let log = try log.forecasts(engine)
        return try log.dayPlan(at: engine.instant(instant, log.latest(by:)), given: given, coverage: coverage)
    }
}
