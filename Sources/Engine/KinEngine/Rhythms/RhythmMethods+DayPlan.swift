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
        try log.dayPlan(at: now, given: given, coverage: coverage, engine)
    }
}

extension CareLog {
    /// Plans the rest of the day, at an instant as for ``predictions(at:coverage:_:)``; from cached state if the log is
    /// stored.
    func dayPlan(
        at now: LoggedTime?, given assumed: [SleepAssumption], coverage: Double, _ engine: Engine
    ) throws(KinError) -> DayOutlook {
        let instant = try engine.present(now, in: zone)
        if born == nil, case .stored(let user, let baby) = source {
            return try engine.dayPlan(
                of: user, baby: baby, at: instant, given: assumed, coverage: coverage, in: zone)
        }
        let log = try self(engine, at: instant)
        return try log.dayPlan(at: engine.instant(instant, log.latest(by:)), given: assumed, coverage: coverage)
    }
}
