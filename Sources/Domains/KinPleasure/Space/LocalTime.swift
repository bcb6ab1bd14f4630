public import KinCore

/// A time of day by the clock on the wall, in minutes after midnight: 0 to below 1440.
public struct LocalTime: Sendable, Hashable {
    /// Minutes after midnight.
    public let minutes: Double

    /// A time of day.
    ///
    /// - Throws: `.notFinite`, or `.invalidArgument` outside 0 to below 1440.
    public init(minutes: Double) throws(KinError) {
        guard minutes.isFinite else { throw KinError(.notFinite, "\(minutes) minutes are not a time of day") }
        guard (0..<1440).contains(minutes) else {
            throw KinError(.invalidArgument, "a time of day is 0 to below 1440 minutes after midnight, not \(minutes)")
        }
        self.minutes = minutes
    }

    /// A time of day by the clock.
    ///
    /// - Throws: `.invalidArgument` unless it is 0:00 to 23:59.
    public init(hour: Int, minute: Int = 0) throws(KinError) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else {
            throw KinError(.invalidArgument, "there is no time of day \(hour):\(minute)")
        }
        minutes = Double(hour * 60 + minute)
    }

    /// What the clock shows at an instant, where it is `offset` minutes ahead of UTC.
    ///
    /// - Throws: `.invalidArgument` for an offset of a day or more.
    public init(of instant: Timestamp, offsetMinutes offset: Int = 0) throws(KinError) {
        guard abs(offset) < 1440 else {
            throw KinError(.invalidArgument, "a clock is less than a day from UTC, not \(offset) minutes")
        }
        let day: Int64 = 86_400_000_000
        let local = (instant.microseconds + Int64(offset) * 60_000_000) % day
        minutes = Double(local < 0 ? local + day : local) / 60e6
    }
}

extension LocalTime: CustomStringConvertible {
    /// `06:30`.
    public var description: String {
        let whole = Int(minutes)
        return "\(whole / 600)\(whole / 60 % 10):\(whole % 60 / 10)\(whole % 10)"
    }
}

extension LocalTime {
    /// The middle of a time slot.
    public init(middleOf slot: TimeSlot) {
        let begin = TimeSlot.beginnings[slot.rawValue]
        let end = slot == .night ? TimeSlot.beginnings[0] + 1440 : TimeSlot.beginnings[slot.rawValue + 1]
        minutes = ((begin + end) / 2).truncatingRemainder(dividingBy: 1440)
    }
}
