/// A baby's stored events and the state of the forecasts after them, updated event by event.
///
/// Forecasts are bit-identical to those of a ``RhythmLog`` of the same events by ascending start, then by id. A
/// forecaster is a value: a copy is a snapshot.
///
///     var forecaster = RhythmForecaster(events, of: baby)
///     forecaster.upsert(event)                         // some 20 µs for the latest event
///     let next = try forecaster.outlook(.nap, at: now)
public struct RhythmForecaster: Sendable {
    /// The baby of the events.
    public private(set) var baby: RhythmLog.Baby
    /// The rows by ascending start, then by id.
    private(set) var records: [RhythmRecord] = []
    /// The start of each row, by id.
    private var starts: [String: LoggedTime] = [:]
    /// The observations of the counted rows, in order.
    private var observations: [RhythmObservation] = []
    /// The states after every ``stride`` observations.
    private var checkpoints: [RhythmState] = []
    /// The state after all observations.
    private var latestState = RhythmState()
    /// The number of observations in ``latestState``.
    private var observedCount = 0
    /// The day of birth used for ``observations``; nil for none, or if most rows contradict it.
    private var countedBirth: LocalDateTime?
    /// The times of the rows that count for ``observations``.
    private var span = RhythmCleaning.Span([])
    /// The zone whose clocks show the events; nil if unknown.
    public let zone: LocalZone?
    /// The clock that reads the events.
    private(set) var clock: LogClock

    /// The number of observations between two checkpoints. A checkpoint takes about 8 KB, an observation about 10 µs.
    private static let stride = 128

    /// Creates a forecaster of stored events.
    ///
    /// - Parameters:
    ///   - events: The events of one baby, in any order; the last of several with one id counts.
    ///   - baby: The baby.
    ///   - zone: The zone whose clocks show the events; nil if unknown.
    /// - Complexity: O(n log n).
    public init(
        _ events: some Sequence<CareEvent>, of baby: RhythmLog.Baby = RhythmLog.Baby(), zone: LocalZone? = nil
    ) {
        self.baby = baby
        self.zone = zone
        clock = LogClock(zone: zone, of: [])
        var latest: [String: RhythmRecord] = [:]
        for event in events { latest[event.id] = event.record }
        records = Array(latest.values)
        rebuild()
    }

    /// The number of events.
    public var count: Int { records.count }

    /// The log of all events. O(n log n).
    public var log: RhythmLog { RhythmLog(records, baby: baby, zone: zone) }

    /// The instant of the last observation; nil without one.
    public var latest: LoggedTime? { observations.last.map(\.time) }

    /// The instant of the last observation up to the present; of the last one if all are later; nil without one.
    ///
    /// - Parameter present: The present instant. A device's clock may be an hour ahead of it.
    public func latest(by present: Timestamp) -> LoggedTime? { observations.latest(by: present) }

    /// An estimate of the memory that the forecaster takes, in bytes.
    public var byteCount: Int {
        let record = MemoryLayout<RhythmRecord>.stride + 2 * MemoryLayout<(String, LoggedTime)>.stride
        return records.count * record + observations.count * MemoryLayout<RhythmObservation>.stride
            + (checkpoints.count + 1) * 8192
    }

    /// Adds an event, or replaces the one with its id.
    ///
    /// - Complexity: Constant for the latest event, else O(observations since, and up to 128 before).
    public mutating func upsert(_ event: CareEvent) {
        var first = observations.count
        let record = clock.read(event.record)
        let ends = wrongEnds(around: record)
        if let start = starts[event.id] {
            let other = records[position(of: event.id, at: start)]
            guard other != record else { return }
            if !wrongEnds(around: other).isEmpty { first = -1 }
            first = min(first, removeRow(event.id))
        }
        starts[event.id] = record.start
        records.insert(record, at: position(of: event.id, at: record.start))
        guard first >= 0, isSpanCurrent(after: record), ends.isEmpty, wrongEnds(around: record).isEmpty else {
            return rebuild()
        }
        for observation in counted(record) {
            let place = observations.partition { !observation.precedes($0) }
            observations.insert(observation, at: place)
            first = min(first, place)
        }
        replay(from: first)
    }

    /// Removes an event and its influence.
    ///
    /// - Returns: Whether the event was there.
    /// - Complexity: As ``upsert(_:)``.
    @discardableResult
    public mutating func remove(_ id: String) -> Bool {
        guard let start = starts[id] else { return false }
        let row = records[position(of: id, at: start)]
        let hadWrongEnds = !wrongEnds(around: row).isEmpty
        let first = removeRow(id)
        guard !hadWrongEnds, isSpanCurrent(after: row) else {
            rebuild()
            return true
        }
        replay(from: first)
        return true
    }

    /// Sets the baby's name and day of birth. O(n) if the day of birth changes.
    public mutating func set(_ baby: RhythmLog.Baby) {
        let isSame = self.baby.born == baby.born
        self.baby = baby
        if !isSame { rebuild() }
    }

    /// Forecasts at an instant from the observations known by then, or returns the reason why there is no forecast, as
    /// ``RhythmLog/outlook(_:at:coverage:)`` does.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    /// - Complexity: Constant after the last observation; for earlier instants up to 128 observations are replayed.
    public func outlook(_ kind: RhythmKind, at now: LoggedTime, coverage: Double = 0.8) throws(KinError)
        -> RhythmOutlook
    {
        try withState(at: now) { state, now, clock throws(KinError) in
            try state.outlook(kind, at: now, coverage: coverage, in: clock.zone).noted(clock.remark(on: records))
        }
    }

    /// Forecasts the next nap and the next feed from the observations known at an instant.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    /// - Complexity: As ``outlook(_:at:coverage:)``.
    public func predictions(at now: LoggedTime, coverage: Double = 0.8) throws(KinError) -> RhythmPredictions {
        try withState(at: now) { state, now, clock throws(KinError) in
            var answer = try state.predictions(at: now, coverage: coverage, in: clock.zone)
            (answer.remark, answer.zone) = (clock.remark(on: records), clock.zone)
            return answer
        }
    }

    /// The state from all observations known at an instant.
    public func state(at now: LoggedTime) -> RhythmState { withState(at: now) { state, _, _ in state } }

    /// Runs a body on the state at an instant, that instant by the log's clock, and the clock. The latest state is not
    /// copied.
    private func withState<Result, Failure>(
        at now: LoggedTime, _ body: (RhythmState, LoggedTime, LogClock) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let clock = clock.at(now, among: records)
        let now = clock.asked(now)
        guard let last = observations.last, last.known > now.minute else {
            return try body(latestState, now, clock)
        }
        let end = observations.partition { $0.known <= now.minute }
        let known = min(end / Self.stride, checkpoints.count)
        var state = known > 0 ? checkpoints[known - 1] : RhythmState(born: countedBirth?.localMinutes)
        for place in (known * Self.stride)..<end {
            state.observe(observations[place], after: place > 0 ? observations[place - 1] : nil)
        }
        return try body(state, now, clock)
    }

    /// The position of a row.
    private func position(of id: String, at start: LoggedTime) -> Int {
        records.partition { ($0.start, $0.eventID) < (start, id) }
    }

    /// Removes a row and its observations.
    ///
    /// - Returns: The position of the first of its observations, or the number of remaining ones.
    private mutating func removeRow(_ id: String) -> Int {
        guard let start = starts.removeValue(forKey: id) else { return observations.count }
        var first = Int.max
        for observation in counted(records.remove(at: position(of: id, at: start))) {
            // Any of several equal observations may be removed.
            let place = observations.partition { $0.precedes(observation) }
            observations.remove(at: place)
            first = min(first, place)
        }
        return min(first, observations.count)
    }

    /// The observations of a row, if the row counts.
    private func counted(_ record: RhythmRecord) -> [RhythmObservation] {
        if let countedBirth, record.start.reading < countedBirth { return [] }
        guard span.contains(record.start) else { return [] }
        return RhythmObservation.observations(of: RhythmCleaning([record], baby: RhythmLog.Baby()).records, stopped: [])
    }

    /// The ids of the sleeps with a wrong end (``WrongEnd``) that may contain the beginning of a row.
    private func wrongEnds(around row: RhythmRecord) -> [String] {
        let earliest = row.start.minute - RhythmModels.longestSleep
        let end = records.partition { $0.start <= row.start }
        return (0..<end).reversed().prefix { records[$0].start.minute >= earliest }
            .filter { WrongEnd.isWrong($0, in: records) }.map { records[$0].eventID }
    }

    /// Whether the day of birth, the span and the clock are still those of the observations.
    ///
    /// - Parameter row: The row that was added or removed.
    private func isSpanCurrent(after row: RhythmRecord) -> Bool {
        let mayHaveSetClock = clock.hasInstants || row.start.written != nil || row.end?.written != nil
        return countedBirth == usableBirth && span == RhythmCleaning.Span(records)
            && (!mayHaveSetClock || clock == LogClock(zone: zone, of: records))
    }

    /// The day of birth, unless at least half of the rows come before it (``RhythmCleaning``).
    private var usableBirth: LocalDateTime? {
        guard let born = baby.born else { return nil }
        let before = records.partition { $0.start.reading < born }
        return before > 0 && 2 * before >= records.count ? nil : born
    }

    /// Recomputes the observations and states.
    private mutating func rebuild() {
        // The first row may determine the clock.
        records.sort { ($0.start, $0.eventID) < ($1.start, $1.eventID) }
        clock = LogClock(zone: zone, of: records)
        records = records.map(clock.read)
        records.sort { ($0.start, $0.eventID) < ($1.start, $1.eventID) }
        starts = Dictionary(records.map { ($0.eventID, $0.start) }) { $1 }
        countedBirth = usableBirth
        span = RhythmCleaning.Span(records)
        observations = RhythmLog(sorted: records, baby: baby, readingRepairs: [], clock: clock).observations
        checkpoints = []
        replay(from: 0)
    }

    /// Updates the states after a change of the observations from a position on.
    private mutating func replay(from first: Int) {
        let isAppended = first > 0 && observedCount == first
        var count = first
        if !isAppended {
            checkpoints.removeLast(max(0, checkpoints.count - first / Self.stride))
            count = checkpoints.count * Self.stride
            latestState = checkpoints.last ?? RhythmState(born: countedBirth?.localMinutes)
        }
        while count < observations.count {
            latestState.observe(observations[count], after: count > 0 ? observations[count - 1] : nil)
            count += 1
            if count % Self.stride == 0 { checkpoints.append(latestState) }
        }
        observedCount = count
    }
}

extension RhythmRecord {
    /// The id of a stored event.
    fileprivate var eventID: String { note?.id ?? "" }
}
