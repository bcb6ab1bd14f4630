extension RhythmModels {
    /// The hours whose sleeps are naps by the clock; sleeps that begin at other hours belong to the night.
    static let dayHours = 6..<19
    /// The earliest clock time for the night's first sleep, in minutes after midnight: 18:00.
    static let earliestBedtime = 1080.0
    /// The length of the span for the beginning of the night, from ``earliestBedtime`` to 03:00, in minutes.
    static let eveningLength = 540.0
    /// The least length of the night's first sleep, in minutes; a shorter one is an evening nap.
    static let shortestFirstSleep = 90.0

    /// Whether a sleep can be the night's first, by its beginning and its length.
    static func isBedtime(_ sleep: RhythmState.Block) -> Bool {
        isEvening(sleep.localStart) && sleep.end - sleep.start >= shortestFirstSleep
    }

    /// Whether an instant is between 18:00 and 03:00.
    static func isEvening(_ minute: Double) -> Bool { DayCycle.minuteOfDay(minute - earliestBedtime) < eveningLength }

    /// Whether an instant is within ``dayHours``.
    static func isByDay(_ minute: Double) -> Bool { dayHours.contains(Int(DayCycle.minuteOfDay(minute) / 60)) }

    /// The model of the length of a sleep, from its beginning.
    ///
    /// Features: 0 ln(5 + minutes awake before it), 1 sleeps since 04:00, 2 minutes asleep in the last 24 hours, 3 in
    /// the last 12.
    static let wakeUp = RecurrenceModel(
        experts: [
            KernelExpert(
                recency: 7, clockWidth: 0.8, conditions: [KernelExpert.Condition(feature: 0, width: 0.4)],
                intensity: .none, share: 0.2),
            KernelExpert(recency: 14, clockWidth: 1.3, intensity: .half, share: 0.2),
            KernelExpert(
                recency: 14, clockWidth: 0.8, conditions: [KernelExpert.Condition(feature: 3, width: 80)],
                intensity: .half, share: 0.2),
            KernelExpert(
                recency: 7, clockWidth: 1.3, conditions: [KernelExpert.Condition(feature: 1, width: 1.2)],
                intensity: .one, share: 0.2),
            KernelExpert(recency: 7, clockWidth: 1, clockShift: 0.4, intensity: .none, share: 0.2),
        ],
        intervals: 10...960,
        history: RecurrenceModel.History(capacity: 160, featureSteps: [1.0 / 1024, 1.0 / 16, 1.0 / 16, 1.0 / 16]),
        mainHours: dayHours,
        coldStart: RecurrenceModel.ColdStart(
            backgroundShare: 0.3, backgroundClockWidth: 4, priorWeight: 1.5, priorHalfLife: 10,
            spread: PriorSpread(middle: 0.85, below: 0.5, above: 0.65),
            otherSpread: PriorSpread(middle: 0.75, below: 1, above: 0.5), doubt: unknownAgeSpread))

    /// The model of the time from a waking by day to the beginning of the night: bedtime has a regular clock time,
    /// shifted a little by a late waking.
    ///
    /// No expert has conditions, since they did not change the error.
    static let bedtime = RecurrenceModel(
        experts: [
            KernelExpert(recency: 5, clockWidth: 24, clockShift: 1, intensity: .none, share: 1),
            KernelExpert(recency: 10, clockWidth: 24, clockShift: 1, intensity: .none, share: 1),
            KernelExpert(recency: 10, clockWidth: 4, clockShift: 0.9, intensity: .none, share: 1),
            KernelExpert(recency: 10, clockWidth: 2, clockShift: 0.8, intensity: .none, share: 1),
            KernelExpert(recency: 14, clockWidth: 1, clockShift: 0.6, intensity: .none, share: 1),
            KernelExpert(recency: 10, clockWidth: 1, intensity: .none, share: 1),
        ],
        intervals: 15...1080,
        history: RecurrenceModel.History(capacity: 90, featureSteps: [1.0 / 1024, 1.0 / 16, 1.0 / 16, 1.0 / 16]),
        mainHours: dayHours,
        coldStart: RecurrenceModel.ColdStart(
            backgroundShare: 0.3, backgroundClockWidth: 4, priorWeight: 1.5, priorHalfLife: 10,
            spread: PriorSpread(below: 0.5, above: 0.5, longest: 150)))
}
