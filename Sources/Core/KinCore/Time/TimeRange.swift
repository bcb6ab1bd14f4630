/// A half-open range of instants [start, end); if start = end, it is that single instant.
public struct TimeRange: Sendable, Hashable {
    /// The first instant of the range.
    public let start: Timestamp
    /// The first instant after the range; the only instant if the range is a single one.
    public let end: Timestamp

    /// Creates the range from `start` to before `end`; nil if `end` is before `start`.
    public init?(from start: Timestamp, to end: Timestamp) {
        guard start <= end else { return nil }
        self.init(unchecked: start, end)
    }

    /// Creates a range whose `start` is known to be at or before its `end`.
    package init(unchecked start: Timestamp, _ end: Timestamp) {
        self.start = start
        self.end = end
    }
}

extension TimeRange: CustomStringConvertible {
    public var description: String { "[\(start), \(end))" }
}
