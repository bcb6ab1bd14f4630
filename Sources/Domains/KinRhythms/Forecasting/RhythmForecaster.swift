public import KinCore

/// A baby's stored events with the state of the forecasts at their end, kept up to date event by event.
///
/// Forecasts are those of a ``RhythmLog`` of the same events by ascending start, then by id, to the bit. A forecaster is a value: a copy is
/// a snapshot.
///
///     var forecaster = RhythmForecaster(events, of: baby)
///     forecaster.upsert(event)                         // some 20 µs for the latest event
///     let next = try forecaster.outlook(.nap, at: now)
public struct RhythmForecaster: Sendable {
    /// The baby that the events are of.
    public private(set) var baby: RhythmLog.Baby
    /// The rows by ascending start, then by id.
    private var records: [RhythmRecord] = []
    /// The start of each row, by id.
    private var starts: [String: LocalDateTime] = [:]
    /// The observations of the rows that count, in order.
    private var observations: [RhythmObservation] = []
    /// The states after each ``stride`` observations.
    private var checkpoints: [RhythmState] = []
    /// The state after all observations.
    private var latestState = RhythmState()
    /// The number of observations in ``latestState``.
    private var observedCount = 0
    /// The day of birth that ``observations`` go by; nil for none, or where most rows contradict it.
    private var countedBirth: LocalDateTime?
    /// The beginning of the first row that lies far beyond all others, from which on ``observations`` leave rows out; nil for none.
    private var horizon: LocalDateTime?

    /// The number of observations between two checkpoints: a checkpoint takes some 8 KB, an observation some 10 µs.
    private static let stride = 128

    /// Creates a forecaster of stored events.
    ///
    /// - Parameters:
    ///   - events: The events of one baby, in any order; of several with one id the last counts.
    ///   - baby: The baby.
    /// - Complexity: O(n log n).
    public init(_ events: some Sequence<CareEvent>, of baby: RhythmLog.Baby = RhythmLog.Baby()) {
        self.baby = baby
        var latest: [String: RhythmRecord] = [:]
        for event in events { latest[event.id] = event.record }
        starts = latest.mapValues(\.start)
        records = latest.values.sorted { ($0.start, $0.eventID) < ($1.start, $1.eventID) }
        rebuild()
    }

    /// The number of events.
    public var count: Int { records.count }

    /// The log of all events. O(n log n).
    public var log: RhythmLog { RhythmLog(records, baby: baby) }

    /// The instant of the last observation; nil without one.
    public var latest: LocalDateTime? { observations.last.map { LocalDateTime(localMinutes: $0.known) } }

    /// An estimate of the memory that the forecaster takes, in bytes.
    public var byteCount: Int {
        let record = MemoryLayout<RhythmRecord>.stride + 2 * MemoryLayout<(String, LocalDateTime)>.stride
        return records.count * record + observations.count * MemoryLayout<RhythmObservation>.stride
            + (checkpoints.count + 1) * 8192
    }

    /// Adds an event, or replaces the one with its id.
    ///
    /// - Complexity: Constant for the latest event, else O(observations since, and up to 128 before).
    public mutating func upsert(_ event: CareEvent) {
        var first = observations.count
        if let start = starts[event.id] {
            guard records[position(of: event.id, at: start)] != event.record else { return }
            first = min(first, removeRow(event.id))
        }
        starts[event.id] = event.record.start
        records.insert(event.record, at: position(of: event.id, at: event.record.start))
        guard isSpanCurrent else { return rebuild() }
        for observation in counted(event.record) {
            let place = observations.partition { !observation.precedes($0) }
            observations.insert(observation, at: place)
            first = min(first, place)
        }
        replay(from: first)
    }

    /// Removes an event and its influence.
    ///
    /// - Returns: Whether it was there.
    /// - Complexity: As ``upsert(_:)``.
    @discardableResult
    public mutating func remove(_ id: String) -> Bool {
        guard starts[id] != nil else { return false }
        let first = removeRow(id)
        guard isSpanCurrent else {
            rebuild()
            return true
        }
        replay(from: first)
        return true
    }

    /// Sets the baby's name and day of birth. O(n) for another day of birth.
    public mutating func set(_ baby: RhythmLog.Baby) {
        let isSame = self.baby.born == baby.born
        self.baby = baby
        if !isSame { rebuild() }
    }

    /// Forecasts at an instant from the observations known by then, or gives the reason why there is no forecast, as
    /// ``RhythmLog/outlook(_:at:coverage:)`` does.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    /// - Complexity: Constant from the last observation on; for earlier instants up to 128 observations are replayed.
    public func outlook(_ kind: RhythmKind, at now: LocalDateTime, coverage: Double = 0.8) throws(KinError)
        -> RhythmOutlook
    {
        try state(at: now).outlook(kind, at: now, coverage: coverage)
    }

    /// Forecasts the next nap and the next feed from the observations known at an instant.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    /// - Complexity: As ``outlook(_:at:coverage:)``.
    public func predictions(at now: LocalDateTime, coverage: Double = 0.8) throws(KinError) -> RhythmPredictions {
        try state(at: now).predictions(at: now, coverage: coverage)
    }

    /// The state from all observations known at an instant.
    public func state(at now: LocalDateTime) -> RhythmState {
        let minute = now.localMinutes
        guard let last = observations.last, last.known > minute else { return latestState }
        let end = observations.partition { $0.known <= minute }
        let known = min(end / Self.stride, checkpoints.count)
        var state = known > 0 ? checkpoints[known - 1] : RhythmState(born: countedBirth?.localMinutes)
        for observation in observations[(known * Self.stride)..<end] { state.observe(observation) }
        return state
    }

    /// The position of a row.
    private func position(of id: String, at start: LocalDateTime) -> Int {
        records.partition { ($0.start, $0.eventID) < (start, id) }
    }

    /// Removes a row and its observations.
    ///
    /// - Returns: The position of the first of its observations, or the number of those left.
    private mutating func removeRow(_ id: String) -> Int {
        guard let start = starts.removeValue(forKey: id) else { return observations.count }
        var first = Int.max
        for observation in counted(records.remove(at: position(of: id, at: start))) {
            // Of equal observations any may go.
            let place = observations.partition { $0.precedes(observation) }
            observations.remove(at: place)
            first = min(first, place)
        }
        return min(first, observations.count)
    }

    /// The observations of a row that count.
    private func counted(_ record: RhythmRecord) -> [RhythmObservation] {
        if let countedBirth, record.start < countedBirth { return [] }
        if let horizon, record.start >= horizon { return [] }
        return RhythmObservation.observations(of: RhythmCleaning([record], baby: RhythmLog.Baby()).records)
    }

    /// Whether the rows count from the same day of birth and up to the same horizon as the observations.
    private var isSpanCurrent: Bool { countedBirth == usableBirth && horizon == RhythmCleaning.horizon(of: records) }

    /// The day of birth, unless half of the rows or more come before it (``RhythmCleaning``).
    private var usableBirth: LocalDateTime? {
        guard let born = baby.born else { return nil }
        let before = records.partition { $0.start < born }
        return before > 0 && 2 * before >= records.count ? nil : born
    }

    /// Makes the observations and states anew.
    private mutating func rebuild() {
        countedBirth = usableBirth
        horizon = RhythmCleaning.horizon(of: records)
        let log = RhythmLog(records, baby: baby)
        observations = log.observations
        checkpoints = []
        replay(from: 0)
    }

    /// Brings the states up to date after a change of the observations from a position on.
    private mutating func replay(from first: Int) {
        let isAppended = first > 0 && observedCount == first
        var count = first
        if !isAppended {
            checkpoints.removeLast(max(0, checkpoints.count - first / Self.stride))
            count = checkpoints.count * Self.stride
            latestState = checkpoints.last ?? RhythmState(born: countedBirth?.localMinutes)
        }
        for observation in observations[count...] {
            latestState.observe(observation)
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
