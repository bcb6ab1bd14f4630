/// A time zone: the offsets of local clocks from UTC, in the past and the future.
///
///     let berlin = try LocalZone(named: "Europe/Berlin")
///     let start = try Timestamp(parsing: "2026-07-01T22:30Z")
///     berlin.day(at: start)                // 2026-07-02
///     berlin.timeOfDay(at: start)          // 00:30
///     berlin.offsetSeconds(at: start)      // 7200
///
/// A zone comes from the system's IANA database (``init(named:)``), from the bytes of one of its files
/// (``init(name:tzif:)``), or is a fixed offset. It is a value; after its creation no file is read.
///
/// If the clock is set forward, some readings never occur; if it is set back, some occur twice. ``instant(on:at:)`` and
/// ``start(of:)`` define the instant for such readings.
public struct LocalZone: Sendable, Hashable, CustomStringConvertible {
    /// The name of the zone, such as `Europe/Berlin`, `UTC` or `+02:00`.
    public let name: String
    /// The changes of the offset, in seconds since 1970, ascending.
    let transitions: [Int64]
    /// The offsets before the first transition and after each, in seconds ahead of UTC.
    let offsets: [Int]
    /// The rule in force from ``footerStart`` on; nil if the offset never changes after the last transition.
    let footer: ClockRule?
    /// The second when the footer comes into force: at or after the last of ``transitions``. It may be later if the
    /// footer begins with the offset that is already in force.
    let footerStart: Int64

    /// Creates a zone from its transitions and the rule after them.
    ///
    /// - Precondition: At `footerStart` the footer has the last of `offsets`.
    init(name: String, transitions: [Int64], offsets: [Int], footer: ClockRule?, footerStart: Int64 = .min) {
        precondition(offsets.count == transitions.count + 1, "there is an offset on either side of a transition")
        precondition(footer == nil || footerStart >= transitions.last ?? .min, "the footer comes after all transitions")
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.footer = footer
        self.footerStart = footerStart
    }

    /// The name of the zone.
    public var description: String { name }

    /// Coordinated universal time, UTC.
    public static let utc = LocalZone(name: "UTC", transitions: [], offsets: [0], footer: nil)

    /// The offset from UTC at an instant, in seconds; negative in the west.
    ///
    /// - Complexity: O(log transitions).
    public func offsetSeconds(at instant: Timestamp) -> Int { offset(atSecond: instant.second) }

    /// The offset from UTC at a second since 1970, in seconds.
    func offset(atSecond second: Int64) -> Int {
        if second >= footerStart, let footer { return footer.offset(atSecond: second) }
        return offsets[transitionCount(upTo: second)]
    }

    /// The number of transitions at or before a second since 1970.
    private func transitionCount(upTo second: Int64) -> Int {
        transitions.partition { $0 <= second }
    }

    /// The first change of the offset after a second since 1970, with the new offset; nil if the offset never changes
    /// again.
    func nextTransition(after second: Int64) -> (second: Int64, offset: Int)? {
        let place = transitionCount(upTo: second)
        if place < transitions.count { return (transitions[place], offsets[place + 1]) }
        return footer?.nextTransition(after: max(second, footerStart))
    }
}

extension Timestamp {
    /// The whole second since 1970 that contains the instant.
    var second: Int64 { microseconds.dividingRoundingDown(by: 1_000_000).quotient }
}
