/// The rules by which the clocks of a place go: when they are set forward and back, in the past and the future.
///
/// A zone comes from the system's IANA database (``init(named:)``), from the bytes of one of its files (``init(name:tzif:)``), or is a
/// fixed distance from UTC. It is a value and answers without touching a file again.
///
/// Where the clock is set forward, some readings never come; where it is set back, some come twice. ``instant(on:at:)`` and
/// ``start(of:)`` say which instant is meant then.
public struct LocalZone: Sendable, Hashable {
    /// Its name: `Europe/Berlin`, `UTC`, `+02:00`.
    public let name: String
    /// Seconds since 1970 at which the distance from UTC changes, ascending.
    let transitions: [Int64]
    /// Seconds east of UTC before the first transition and after each.
    let offsets: [Int]
    /// The rule that holds from ``footerStart`` on; nil when nothing changes any more after the last transition.
    let footer: ClockRule?
    /// The second from which the footer holds. It is not before the last of ``transitions`` and may be later, where the footer
    /// begins with the offset that holds already.
    let footerStart: Int64

    /// - Precondition: at `footerStart` the footer has the last of `offsets`.
    init(name: String, transitions: [Int64], offsets: [Int], footer: ClockRule?, footerStart: Int64 = .min) {
        precondition(offsets.count == transitions.count + 1, "there is an offset on either side of a transition")
        precondition(footer == nil || footerStart >= transitions.last ?? .min, "the footer comes after all transitions")
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.footer = footer
        self.footerStart = footerStart
    }

    /// Coordinated universal time.
    public static let utc = LocalZone(name: "UTC", transitions: [], offsets: [0], footer: nil)

    /// How many seconds the clock is ahead of UTC at an instant; negative in the west.
    ///
    /// - Complexity: O(log transitions).
    public func offsetSeconds(at instant: Timestamp) -> Int { offset(atSecond: instant.second) }

    /// The offset at a second since 1970.
    func offset(atSecond second: Int64) -> Int {
        if second >= footerStart, let footer { return footer.offset(atSecond: second) }
        return offsets[transitionCount(upTo: second)]
    }

    /// How many transitions come before or at a second; by bisection.
    private func transitionCount(upTo second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first second after this one at which the offset changes, and what it is from then on.
    func nextTransition(after second: Int64) -> (second: Int64, offset: Int)? {
        let place = transitionCount(upTo: second)
        if place < transitions.count { return (transitions[place], offsets[place + 1]) }
        return footer?.nextTransition(after: max(second, footerStart))
    }
}

extension Timestamp {
    /// The whole second that it lies in.
    var second: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
