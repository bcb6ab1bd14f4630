/// The rest of a day: its naps and its bedtime, from simulated days.
///
///     let plan = try log.dayPlan(at: now).plan
///     let late = try log.dayPlan(at: now, given: [SleepAssumption(end: halfPastFour)]).plan
///     print(late?.changes?.bedtimeMinutes)       // 25 for a bedtime 25 minutes later
public struct DayPlan: Sendable, Hashable {
    /// The median of a time and its interval.
    public struct Span: Sendable, Hashable {
        /// The median of the simulated times.
        public let median: LoggedTime
        /// The lower end of the interval.
        public let lower: LoggedTime
        /// The upper end of the interval.
        public let upper: LoggedTime
    }

    /// A nap of the plan.
    public struct Nap: Sendable, Hashable {
        /// The number of the nap in the day, from 1.
        public let number: Int
        /// The probability that the nap happens.
        public let probability: Double
        /// The time when it begins, if it happens.
        public let start: Span
        /// The time when it ends, if it happens.
        public let end: Span
    }

    /// The differences from the plan without assumptions, which uses the same random numbers.
    public struct Changes: Sendable, Hashable {
        /// The difference of the median bedtimes, in minutes; positive for a later bedtime.
        public let bedtimeMinutes: Double
        /// The difference of the median ends of the last sleep, in minutes.
        public let lastSleepEndMinutes: Double
        /// The difference of the mean numbers of naps.
        public let naps: Double
    }

    /// The instant of the plan.
    public let now: LoggedTime
    /// The probability that the end of the last sleep and the bedtime are both in their intervals. The intervals of
    /// naps have the same quantile levels.
    public let coverage: Double
    /// The running nap and later ones, each with a probability of at least 0.05.
    public let naps: [Nap]
    /// The probability that one more nap begins.
    public let oneMoreNap: Double
    /// The end of the day's last sleep before bedtime; the past waking if no nap follows.
    public let lastSleepEnd: Span
    /// The beginning of the night's first sleep of 90 minutes or more, from 18:00 to 02:59.
    public let bedtime: Span
    /// The number of simulated days.
    public let paths: Int
    /// The differences from the plan without assumptions; nil without assumptions.
    public let changes: Changes?
    /// The doubt about the log, as ``RhythmForecast/doubt``; nil for none.
    public let doubt: String?
    /// A remark on the clock of the log; nil if its zone is known.
    var remark: String?

    /// The doubts about the plan, as ``RhythmForecast/note``; nil for none.
    public var note: String? { RhythmForecast.note([doubt, remark]) }
}

/// A plan for the rest of a day, or the reason why it is missing.
public enum DayOutlook: Sendable, Hashable {
    /// The plan from the simulated days.
    case plan(DayPlan)
    /// No plan, with the reason and the instant.
    case unavailable(RhythmOutlook.Reason, at: LoggedTime)

    /// The plan; nil if it is missing.
    public var plan: DayPlan? {
        if case .plan(let plan) = self { plan } else { nil }
    }
}

extension DayPlan.Span: DeclaredObject {
    package static let schema = ObjectSchema<DayPlan.Span>(
        .field("median", \.median), .field("lower", \.lower), .field("upper", \.upper))
}

extension DayPlan.Nap: DeclaredObject {
    package static let schema = ObjectSchema<DayPlan.Nap>(
        .field("number", \.number, "in the day, from 1"),
        .field("probability", { RhythmOutlook.rounded($0.probability) }, "that the nap happens"),
        .field("start", \.start, "if the nap happens"),
        .field("end", \.end))
}

extension DayPlan.Changes: DeclaredObject {
    package static let schema = ObjectSchema<DayPlan.Changes>(
        .field("bedtime_minutes", { RhythmOutlook.rounded($0.bedtimeMinutes) }, "positive for a later bedtime"),
        .field("last_sleep_end_minutes", { RhythmOutlook.rounded($0.lastSleepEndMinutes) }),
        .field("naps", { RhythmOutlook.rounded($0.naps) }, "the difference of the mean numbers"))
}

extension DayOutlook: DeclaredObject {
    /// The plan as a JSON object, or an object of `now` and `reason`.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<DayOutlook>(
        .field("now", { $0.plan?.now ?? $0.missing?.now }),
        .optional("note", \.plan?.note, RhythmOutlook.noteDescription),
        .optional("naps", \.plan?.naps, "the running nap and later ones with a probability of at least 0.05"),
        .optional("one_more_nap", { $0.plan.map { RhythmOutlook.rounded($0.oneMoreNap) } }, "the probability"),
        .optional("last_sleep_end", \.plan?.lastSleepEnd, "before bedtime; the last waking if no nap follows"),
        .optional("bedtime", \.plan?.bedtime),
        .optional("paths", \.plan?.paths, "the number of simulated days"),
        .optional("changes", \.plan?.changes, "from the plan without assumptions"),
        .optional("reason", { $0.missing.map { $0.reason.reason(at: $0.now) } }, "instead of a plan: the reason"))

    private var missing: (reason: RhythmOutlook.Reason, now: LoggedTime)? {
        if case .unavailable(let reason, let now) = self { (reason, now) } else { nil }
    }

    /// The outlook with a remark on the clock of the log.
    fileprivate func noted(_ remark: String?) -> DayOutlook {
        guard case .plan(var plan) = self else { return self }
        plan.remark = remark
        return .plan(plan)
    }
}

extension RhythmState {
    /// Plans the rest of the day from all observations, or returns the reason for a missing plan: no bedtime has been
    /// logged, the last sleep ended more than 36 hours before, or the night has begun.
    ///
    /// - Parameters:
    ///   - now: The instant of the plan, not before the latest observation.
    ///   - assumed: Assumed sleeps in order, at least 15 minutes apart and before 03:00.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    ///   - zone: The zone whose clocks show later instants; nil for the clock of `now`.
    /// - Throws: `.invalidArgument` for a coverage outside this range, and for assumptions that contradict the log or
    ///   each other.
    /// - Complexity: Constant, about 2 ms; twice that with assumptions.
    public func dayPlan(
        at now: LoggedTime, given assumed: [SleepAssumption] = [], coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> DayOutlook {
        if let state = byClock(of: now) {
            return try state.dayPlan(at: now, given: assumed, coverage: coverage, in: zone)
        }
        let request = try Request(kind: .bedtime, now: now, coverage: coverage, zone: zone)
        if let reason = reasonAgainst(request) { return .unavailable(reason, at: now) }
        let running = runningSleep(at: request.minute)
        let sleep = running.map { Block(start: runningAnchor(since: $0).instant, end: request.minute) }
        let isNight = sleep.map { RhythmModels.isBedtime($0) && BedtimeState.day(of: $0.start) == request.day } ?? false
        if isNight || bedtimes.isOver(at: request.minute) { return .unavailable(.nightBegun, at: now) }
        guard let waking = nap.anchor?.instant else { return .unavailable(.noBedtime, at: now) }
        let sleeps = try assumptions(assumed, request)
        func paths(_ assumed: [DaySimulation.Assumed]) -> DayPaths {
            DayPaths(self, request, waking: waking, assumed: assumed)
        }
        return .plan(paths(sleeps).plan(comparedWith: sleeps.isEmpty ? nil : paths([])))
    }
}

extension RhythmState.Request {
    /// The number of the day, which lasts from 03:00 to 03:00.
    var day: Double { BedtimeState.day(of: minute) }
}

extension RhythmLog {
    /// Plans the rest of the day from the observations known at an instant, as
    /// ``RhythmState/dayPlan(at:given:coverage:in:)`` does.
    ///
    /// - Throws: As there.
    public func dayPlan(
        at now: LoggedTime, given assumed: [SleepAssumption] = [], coverage: Double = 0.8
    ) throws(KinError) -> DayOutlook {
        try clock.at(now, among: records).dayPlan(state(at: now), at: now, given: assumed, coverage: coverage)
            .noted(clock.remark(on: records))
    }
}

extension RhythmForecaster {
    /// Plans the rest of the day from the observations known at an instant, as ``RhythmLog/dayPlan(at:given:coverage:)``
    /// does.
    ///
    /// - Throws: As there.
    /// - Complexity: As ``outlook(_:at:coverage:)``, and about 2 ms; 4 ms with assumptions.
    public func dayPlan(
        at now: LoggedTime, given assumed: [SleepAssumption] = [], coverage: Double = 0.8
    ) throws(KinError) -> DayOutlook {
        try clock.at(now, among: records).dayPlan(state(at: now), at: now, given: assumed, coverage: coverage)
            .noted(clock.remark(on: records))
    }
}

extension LogClock {
    /// A state's plan, by this clock.
    fileprivate func dayPlan(
        _ state: RhythmState, at now: LoggedTime, given assumed: [SleepAssumption], coverage: Double
    ) throws(KinError) -> DayOutlook {
        try state.dayPlan(
            at: asked(now), given: assumed.map { $0.by(self) }, coverage: coverage, in: zone)
    }
}
