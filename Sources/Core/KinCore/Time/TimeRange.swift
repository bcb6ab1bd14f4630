/// A half-open range of instants [start, end); with start = end it is that instant alone.
public struct TimeRange: Sendable, Hashable {
    /// The first instant of the range.
    public let start: Timestamp
    /// The first instant after the range, or its only one.
    public let end: Timestamp

    /// Creates the range from `start` to before `end`; nil when `end` comes first.
    public init?(from start: Timestamp, to end: Timestamp) {
        guard start <= end else { return nil }
        self.init(unchecked: start, end)
    }

    /// Creates a range whose `start` is known not to come after its `end`.
    package init(unchecked start: Timestamp, _ end: Timestamp) {
        self.start = start
        self.end = end
    }

    /// Whether two ranges have an instant in common.
    public func overlaps(_ other: TimeRange) -> Bool {
        start == other.start || (start < other.end && other.start < end)
    }
}

extension TimeRange: CustomStringConvertible {
    public var description: String { "[\(start), \(end))" }
}
