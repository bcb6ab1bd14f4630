/// A sleep that a plan of the day assumes (``DayPlan``).
public struct SleepAssumption: Sendable, Hashable {
    /// The beginning; nil for the running sleep or, if the baby is awake, the next one at its expected time.
    public let start: LoggedTime?
    /// The end; nil for the expected length.
    public let end: LoggedTime?

    /// Creates an assumption from a beginning, an end, or both.
    ///
    /// - Throws: `.invalidArgument` if both are nil.
    public init(start: LoggedTime? = nil, end: LoggedTime? = nil) throws(KinError) {
        guard start != nil || end != nil else {
            throw KinError(.invalidArgument, "an assumed sleep needs a \"start\", an \"end\" or both")
        }
        self.start = start
        self.end = end
    }

    private init(from start: LoggedTime?, to end: LoggedTime?) { (self.start, self.end) = (start, end) }

    /// The sleep with times by a log's clock.
    func by(_ clock: LogClock) -> SleepAssumption {
        SleepAssumption(from: start.map(clock.asked), to: end.map(clock.asked))
    }
}

extension SleepAssumption: DeclaredRecord {
    private var eventType: String { RhythmRecord.EventType.sleep.rawValue }
    private static let type = JSONForm<String>.parsed("`sleep`", text: \.self) { type throws(KinError) in
        if type == "sleep" { return type }
        throw KinError(
            .invalidArgument,
            "a plan assumes events of type \"sleep\", not \"\(type.prefix(80))\": no other event changes forecasts of sleep"
        )
    }

    package static let form = RecordSchema<SleepAssumption>(
        "assumption", .required("type", \.eventType, type), .optional("start", \.start, .localTime),
        .optional("end", \.end, .localTime)
    ) { _, start, end throws(KinError) in try SleepAssumption(start: start, end: end) }
}

extension RhythmState {
    /// Assumed sleeps in minutes by the state's clock.
    ///
    /// - Throws: `.invalidArgument` for a sleep that contradicts the log, the sleep before it or the length of sleeps,
    ///   and for one after the day of the plan, which ends at 03:00.
    func assumptions(_ given: [SleepAssumption], _ request: Request) throws(KinError) -> [DaySimulation.Assumed] {
        let running = runningSleep(at: request.minute)
        var sleeps: [DaySimulation.Assumed] = []
        // The earliest beginning of the next sleep, and its reason.
        var (earliest, reason) = (request.minute, "now, \(request.now)")
        for (place, given) in given.enumerated() {
            func minutes(_ time: LoggedTime) -> Double { time.localMinutes(by: request.now.offset) }
            func refuse(_ problem: String) -> KinError {
                KinError(.invalidArgument, "assumed sleep \(place + 1) \(problem)")
            }
            var sleep = DaySimulation.Assumed(start: given.start.map(minutes), end: given.end.map(minutes))
            if let start = sleep.start, let running, place == 0, abs(start - running) < 1 { sleep.start = nil }
            let isRunning = place == 0 && running != nil && sleep.start == nil
            if let start = sleep.start, start < earliest {
                let log = running != nil && place == 0 ? "; the log has a sleep that is running" : ""
                throw refuse("must start after \(reason), not at \(request.time(start))\(log)")
            }
            if place > 0, sleep.start == nil {
                throw refuse("needs a \"start\"; only the first may lack it")
            }
            let start = sleep.start ?? (isRunning ? running : nil) ?? earliest
            if let end = sleep.end {
                guard end > request.minute else {
                    throw refuse("must end after now, \(request.now), not at \(request.time(end))")
                }
                guard isRunning || end - start >= RhythmModels.shortestSleep, end - start <= RhythmModels.longestSleep
                else {
                    throw refuse(
                        "must last 10 minutes to 16 hours; from \(request.time(start)) to \(request.time(end)) is too "
                            + (end - start < RhythmModels.shortestSleep ? "short" : "long"))
                }
            }
            if let start = sleep.start, BedtimeState.day(of: start) > request.day {
                throw refuse("must start before 03:00, the end of the planned day, not at \(request.time(start))")
            }
            sleeps.append(sleep)
            earliest = (sleep.end ?? start + RhythmModels.shortestSleep) + RhythmModels.sleepGap
            reason = "\(request.time(earliest)), 15 minutes after the sleep before it"
        }
        if running != nil, let start = sleeps.first?.start, start < request.minute + RhythmModels.sleepGap {
            throw KinError(
                .invalidArgument,
                "assumed sleep 1 must start 15 minutes after the running sleep or later; assume the end of that sleep first"
            )
        }
        return sleeps
    }
}
