/// A span of time [start, end): the start belongs to it, the end does not. One with start = end is that instant alone.
public struct TimeRange: Sendable, Hashable {
    /// The first instant.
    public let start: Timestamp
    /// The first instant after it.
    public let end: Timestamp

    /// The span from `start` to `end`, or nil when `end` comes first.
    public init?(from start: Timestamp, to end: Timestamp) {
        guard start <= end else { return nil }
        self.init(unchecked: start, end)
    }

    package init(unchecked start: Timestamp, _ end: Timestamp) {
        self.start = start
        self.end = end
    }

    /// Whether the two have an instant in common.
    public func overlaps(_ other: TimeRange) -> Bool {
        start == other.start || (start < other.end && other.start < end)
    }
}

extension TimeRange: CustomStringConvertible {
    public var description: String { "[\(start), \(end))" }
}
