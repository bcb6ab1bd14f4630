/// A baby's log: rows by ascending beginning.
///
///     let log = RhythmLog(rows, baby: RhythmLog.Baby(name: "Mia"))
///     let now = try LoggedTime(parsing: "2026-03-05T10:00")
///     if let nap = try log.forecast(.nap, at: now) {
///         print(nap.point, nap.lower, nap.upper)    // the median and an interval of 80 %
///     }
public struct RhythmLog: Sendable, Hashable {
    /// The baby of the log.
    public let baby: RhythmLog.Baby
    /// The rows by ascending beginning.
    public let records: [RhythmRecord]
    /// The counted rows, without impossible values (``RhythmCleaning``), with an event that was logged several times as
    /// one row (``CaregiverMerge``).
    package let counted: [RhythmRecord]
    /// The baby, without a day of birth that the log contradicts.
    let countedBaby: RhythmLog.Baby
    /// The repairs made while rows were read; rows left out are in none of the lists above.
    package let readingRepairs: [RhythmRepair]
    /// The clock that reads the rows.
    package let clock: LogClock
    let observations: [RhythmObservation]

    /// Creates a log from rows in any order, which may contain human errors.
    ///
    /// - Parameters:
    ///   - records: The rows.
    ///   - baby: The baby.
    ///   - zone: The zone whose clocks show the rows' instants; nil if unknown.
    public init(_ records: [RhythmRecord], baby: RhythmLog.Baby = Baby(), zone: LocalZone? = nil) {
        self.init(records, baby: baby, readingRepairs: [], zone: zone)
    }

    /// Creates a log from rows that were read with repairs.
    package init(
        _ records: [RhythmRecord], baby: RhythmLog.Baby, readingRepairs: [RhythmRepair], zone: LocalZone? = nil
    ) {
        let clock = LogClock(zone: zone, of: records)
        let rows = records.map(clock.read)
        self.init(
            sorted: rows.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
                .map(\.element),
            baby: baby, readingRepairs: readingRepairs + clock.repairs(of: rows), clock: clock)
    }

    /// Creates a log from the rows that its clock read, by ascending beginning.
    init(sorted rows: [RhythmRecord], baby: RhythmLog.Baby, readingRepairs: [RhythmRepair], clock: LogClock) {
        self.baby = baby
        self.clock = clock
        self.readingRepairs = readingRepairs
        records = rows
        let clean = RhythmCleaning(rows, baby: baby)
        counted = CaregiverMerge(clean.records).records
        countedBaby = clean.baby
        observations = RhythmObservation.observations(of: clean.records, stopped: clean.stopped)
    }

    /// A copy of the log with a different day of birth.
    package func with(born: LocalDateTime) -> RhythmLog {
        RhythmLog(
            sorted: records, baby: RhythmLog.Baby(name: baby.name, born: born, zone: baby.zone),
            readingRepairs: readingRepairs,
            clock: clock)
    }

    /// The state from all observations known at an instant.
    public func state(at now: LoggedTime) -> RhythmState {
        var state = RhythmState(baby: countedBaby)
        let minute = clock.at(now, among: records).asked(now).minute
        var last: RhythmObservation?
        for observation in observations {
            if observation.known > minute { break }
            state.observe(observation, after: last)
            last = observation
        }
        return state
    }

    /// Forecasts at an instant from the observations known by then; nil if ``RhythmState/outlook(_:at:coverage:in:)``
    /// returns a reason.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func forecast(
        _ kind: RhythmKind, at now: LoggedTime, coverage: Double = 0.8
    ) throws(KinError) -> RhythmForecast? {
        try outlook(kind, at: now, coverage: coverage).forecast
    }

    /// Forecasts at an instant from the observations known by then, or returns the reason for a missing forecast.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func outlook(
        _ kind: RhythmKind, at now: LoggedTime, coverage: Double = 0.8
    ) throws(KinError) -> RhythmOutlook {
        let clock = clock.at(now, among: records)
        return try state(at: now).outlook(kind, at: clock.asked(now), coverage: coverage, in: clock.zone)
            .noted(clock.remark(on: records))
    }

    /// Forecasts the next event of each kind from the observations known at an instant.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func predictions(at now: LoggedTime, coverage: Double = 0.8) throws(KinError) -> RhythmPredictions {
        let clock = clock.at(now, among: records)
        var answer = try state(at: now).predictions(at: clock.asked(now), coverage: coverage, in: clock.zone)
        (answer.remark, answer.zone) = (clock.remark(on: records), clock.zone)
        return answer
    }

    /// Forecasts at many instants in one pass; each forecast equals that of ``forecast(_:at:coverage:)``.
    ///
    /// - Returns: A forecast or nil for each instant, in its order.
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func forecasts(
        _ kind: RhythmKind, at instants: [LoggedTime], coverage: Double = 0.8
    ) throws(KinError) -> [RhythmForecast?] {
        try outlooks(kind, at: instants, coverage: coverage).map(\.forecast)
    }

    /// Forecasts at many instants in one pass, with reasons; each outlook equals that of ``outlook(_:at:coverage:)``.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1; `.cancelled` (see
    ///   `withProgressHandler`; a unit is an instant).
    public func outlooks(
        _ kind: RhythmKind, at instants: [LoggedTime], coverage: Double = 0.8
    ) throws(KinError) -> [RhythmOutlook] {
        let clocks = instants.map { clock.at($0, among: records) }
        let instants = zip(clocks, instants).map { $0.asked($1) }
        var outlooks = instants.map { RhythmOutlook.unavailable(kind, .nothingLogged, at: $0) }
        var state = RhythmState(baby: countedBaby)
        var next = 0
        let work = LongWork(of: instants.count)
        for position in instants.indices.sorted(by: { instants[$0] < instants[$1] }) {
            let minute = instants[position].minute
            while next < observations.count, observations[next].known <= minute {
                state.observe(observations[next], after: next > 0 ? observations[next - 1] : nil)
                next += 1
                if next % 64 == 0 { try work.step(by: 0) }
            }
            outlooks[position] = try state.outlook(
                kind, at: instants[position], coverage: coverage, in: clocks[position].zone)
            try work.step()
        }
        return outlooks
    }
}

extension RhythmLog {
    /// The instant of the last observation; nil for an empty log.
    public var latest: LoggedTime? { observations.last.map(\.time) }

    /// The instant of the last observation up to the present; of the last one if all are later; nil for an empty log.
    ///
    /// - Parameter present: The present instant. A device's clock may be an hour ahead of it.
    public func latest(by present: Timestamp) -> LoggedTime? { observations.latest(by: present) }

    /// The time at minutes since 1970, as ``LoggedTime/minute``, by a clock with a lead in minutes.
    func time(_ minute: Double, _ shift: Double) -> LoggedTime {
        let offset = clock.hasInstants ? Int32(shift * 60) : nil
        return LoggedTime(LocalDateTime(localMinutes: minute + shift), offset: offset, written: offset)
    }

    /// The sleeps of at least 10 minutes in order; sleeps less than 15 minutes apart are joined.
    var sleeps: [RhythmState.Block] {
        var blocks: [RhythmState.Block] = []
        for record in counted {
            guard case .sleep(let sleep) = record.event, let end = sleep.end else { continue }
            let block = RhythmState.Block(from: record.start, to: end)
            guard block.end - block.start >= RhythmModels.shortestSleep else { continue }
            if let last = blocks.last, block.start - last.end < RhythmModels.sleepGap {
                if block.end > last.end { blocks[blocks.count - 1].wake(at: block) }
            } else {
                blocks.append(block)
            }
        }
        return blocks
    }

    /// The beginnings of meals: a feed less than 45 minutes after the previous one belongs to its meal.
    var meals: [LoggedTime] {
        var meals: [LoggedTime] = []
        var last = -Double.infinity
        for record in counted {
            guard case .feed = record.event else { continue }
            let start = record.start.minute
            if start - last >= RhythmModels.feedGap { meals.append(record.start) }
            last = start
        }
        return meals
    }
}

extension RhythmLog {
    /// The baby that a log is about.
    public struct Baby: Sendable, Hashable {
        /// The name, for display only.
        public var name: String
        /// The midnight of the day of birth by the local clock; nil if unknown.
        public var born: LocalDateTime?

        /// The zone whose clocks show the times of the log; nil if unknown.
        public var zone: LocalZone?

        /// Creates a baby from name, day of birth and time zone.
        public init(name: String = "", born: LocalDateTime? = nil, zone: LocalZone? = nil) {
            self.name = name
            self.born = born
            self.zone = zone
        }

        /// The age in days at an instant; nil before birth or without a day of birth.
        public func ageInDays(at now: LoggedTime) -> Double? {
            guard let born, born <= now.reading else { return nil }
            return Timestamp(unchecked: now.microseconds).days(since: Timestamp(unchecked: born.microseconds))
        }
    }
}
