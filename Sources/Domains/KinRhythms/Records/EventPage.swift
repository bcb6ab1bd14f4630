/// A page of a log's events: their types, times and number.
public struct EventPage: Sendable, Hashable {
    /// The types of events; nil for all.
    public var types: Set<RhythmRecord.EventType>?
    /// The earliest start of an event; nil for the start of the log.
    public var start: LoggedTime?
    /// The end of the range of starts, exclusive; nil for the end of the log.
    public var end: LoggedTime?
    /// Whether the page has the events as analyses count them: without impossible values, and with one event for
    /// several records of it by different caregivers or apps. Otherwise it has all events as they were logged, including those
    /// marked as removed.
    public var isRepaired = false
    /// The largest number of events, 0 or more.
    public var count = 50
    /// The id of the last event of the previous page; nil for the first page.
    public var last: String?

    /// Creates the first page of all events as they were logged.
    public init() {}

    /// The events of the page, newest first.
    ///
    /// - Parameter rows: The rows by ascending start.
    /// - Throws: As ``RhythmLog/events(_:)``.
    /// - Complexity: O(count) for the first page of all types, otherwise O(rows).
    fileprivate func events(among rows: [RhythmRecord], by clock: LogClock) throws(KinError) -> [RhythmRecord] {
        try KinError.requireCount(count, "count")
        func position(_ time: LoggedTime) -> Int {
            let time = clock.asked(time)
            return rows.partition { $0.start < time }
        }
        let first = start.map(position) ?? 0
        var next = end.map(position) ?? rows.count
        if let last {
            let matches = rows.indices.filter { rows[$0].note?.id == last }
            guard let place = matches.first else {
                throw KinError(.unknownID, "the log has no event \(last); read the first page again")
            }
            guard matches.count == 1 else {
                throw KinError(
                    .invalidArgument,
                    "\(matches.count) events of the log have the id \(last); give each an id of its own")
            }
            next = min(next, place)
        }
        var events: [RhythmRecord] = []
        while next > first, events.count < count {
            next -= 1
            if types?.contains(rows[next].type) ?? true { events.append(rows[next]) }
        }
        return events
    }
}

extension RhythmLog {
    /// A page of the log's events, newest first.
    ///
    /// - Throws: `.unknownID` if no event has the id ``EventPage/last``, `.invalidArgument` if several do or the page's
    ///   count is negative.
    /// - Complexity: O(count) for the first page of all types as they were logged, otherwise O(events).
    public func events(_ page: EventPage) throws(KinError) -> [RhythmRecord] {
        // An event that was logged several times has the earliest start of its records.
        try page.events(among: page.isRepaired ? counted.sorted { $0.start < $1.start } : records, by: clock)
    }
}

extension RhythmForecaster {
    /// A page of the stored events, newest first.
    ///
    /// - Throws: As ``RhythmLog/events(_:)``.
    /// - Complexity: O(count) for the first page of all types as they were logged, otherwise O(events); O(n log n) for
    ///   repaired events.
    public func events(_ page: EventPage) throws(KinError) -> [RhythmRecord] {
        page.isRepaired ? try log.events(page) : try page.events(among: records, by: clock)
    }
}
