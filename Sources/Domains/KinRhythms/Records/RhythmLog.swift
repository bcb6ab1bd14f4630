public import KinCore

/// A baby's log: rows in the order of their beginnings.
public struct RhythmLog: Sendable, Hashable {
    /// Whose log it is.
    public let baby: RhythmLog.Baby
    /// The rows, in the order of their beginnings.
    public let records: [RhythmRecord]
    /// The rows that count, without what is impossible in them (``RhythmCleaning``).
    package let counted: [RhythmRecord]
    /// The baby, without a day of birth that its log contradicts.
    let countedBaby: RhythmLog.Baby
    /// What was made of rows while they were read; rows that were left out are in none of the lists above.
    package let readingRepairs: [RhythmRepair]
    let observations: [RhythmObservation]

    /// The log of these rows, which may come in any order and be as untidy as parents are.
    public init(_ records: [RhythmRecord], baby: RhythmLog.Baby = Baby()) {
        self.init(records, baby: baby, readingRepairs: [])
    }

    /// The log of rows that were read with these repairs.
    package init(_ records: [RhythmRecord], baby: RhythmLog.Baby, readingRepairs: [RhythmRepair]) {
        self.baby = baby
        self.readingRepairs = readingRepairs
        self.records = records.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
        let clean = RhythmCleaning(self.records, baby: baby)
        counted = clean.records
        countedBaby = clean.baby
        observations = RhythmObservation.observations(of: clean.records)
    }

    /// The log with another day of birth.
    package func with(born: Timestamp) -> RhythmLog {
        RhythmLog(records, baby: RhythmLog.Baby(name: baby.name, born: born), readingRepairs: readingRepairs)
    }

    /// What a baby's past comes to, by everything known at an instant; nothing that became known later is looked at.
    public func state(at now: Timestamp) -> RhythmState {
        var state = RhythmState(baby: countedBaby)
        let minute = now.localMinutes
        for observation in observations {
            if observation.known > minute { break }
            state.observe(observation)
        }
        return state
    }

    /// The forecast at an instant, by what was known then; nil where ``RhythmState/outlook(_:at:coverage:)`` has a reason instead.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func forecast(
        _ kind: RhythmKind, at now: Timestamp, coverage: Double = 0.8
    ) throws(KinError) -> RhythmForecast? {
        try outlook(kind, at: now, coverage: coverage).forecast
    }

    /// The forecast at an instant, by what was known then, or the reason why there is none.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func outlook(
        _ kind: RhythmKind, at now: Timestamp, coverage: Double = 0.8
    ) throws(KinError) -> RhythmOutlook {
        try state(at: now).outlook(kind, at: now, coverage: coverage)
    }

    /// The forecasts at many instants, in one walk through the log; each is the one of ``forecast(_:at:coverage:)``.
    ///
    /// - Returns: for each instant, in its order, a forecast or nil.
    public func forecasts(
        _ kind: RhythmKind, at instants: [Timestamp], coverage: Double = 0.8
    ) throws(KinError) -> [RhythmForecast?] {
        try outlooks(kind, at: instants, coverage: coverage).map(\.forecast)
    }

    /// The outlooks at many instants, in one walk through the log; each is the one of ``outlook(_:at:coverage:)``.
    ///
    /// - Throws: `.invalidArgument` for a coverage that is not between 0 and 1.
    public func outlooks(
        _ kind: RhythmKind, at instants: [Timestamp], coverage: Double = 0.8
    ) throws(KinError) -> [RhythmOutlook] {
        var outlooks = instants.map { RhythmOutlook.unavailable(.nothingLogged, at: $0) }
        var state = RhythmState(baby: countedBaby)
        var next = 0
        for position in instants.indices.sorted(by: { instants[$0] < instants[$1] }) {
            let minute = instants[position].localMinutes
            while next < observations.count, observations[next].known <= minute {
                state.observe(observations[next])
                next += 1
            }
            outlooks[position] = try state.outlook(kind, at: instants[position], coverage: coverage)
        }
        return outlooks
    }
}

extension RhythmLog {
    /// The last instant that anything is known of; nil for an empty log.
    public var latest: Timestamp? { observations.last.map { Timestamp(localMinutes: $0.known) } }

    /// Sleeps of at least 10 minutes in the order of their beginnings, those nearer than 15 minutes made one.
    var sleeps: [RhythmState.Block] {
        var blocks: [RhythmState.Block] = []
        for record in counted {
            guard case .sleep(let sleep) = record.event, let end = sleep.end else { continue }
            let block = RhythmState.Block(start: record.start.localMinutes, end: end.localMinutes)
            guard block.end - block.start >= RhythmModels.shortestSleep else { continue }
            if let last = blocks.last, block.start - last.end < RhythmModels.sleepGap {
                blocks[blocks.count - 1].end = max(last.end, block.end)
            } else {
                blocks.append(block)
            }
        }
        return blocks
    }

    /// Beginnings of meals: feeds that begin less than 45 minutes after the one before belong to its meal.
    var meals: [Double] {
        var meals: [Double] = []
        var last = -Double.infinity
        for record in counted {
            guard case .feed = record.event else { continue }
            let start = record.start.localMinutes
            if start - last >= RhythmModels.feedGap { meals.append(start) }
            last = start
        }
        return meals
    }
}

extension RhythmLog {
    /// Whose log it is.
    public struct Baby: Sendable, Hashable {
        /// The name; nothing depends on it.
        public var name: String
        /// Midnight of the day of birth, by the local clock; nil when it is not known.
        public var born: Timestamp?

        /// A baby, with what is known of it.
        public init(name: String = "", born: Timestamp? = nil) {
            self.name = name
            self.born = born
        }

        /// Age in days at an instant; nil when the day of birth is not known or still to come.
        public func ageInDays(at now: Timestamp) -> Double? {
            guard let born, born <= now else { return nil }
            return Double(now.microseconds - born.microseconds) / 86_400e6
        }
    }
}
