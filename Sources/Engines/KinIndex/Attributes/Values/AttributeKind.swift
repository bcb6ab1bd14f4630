/// What the values of an attribute are.
public enum AttributeKind: String, Sendable, Hashable, CaseIterable {
    /// 64-bit signed integers.
    case integer
    /// Finite double-precision numbers.
    case number
    /// Strings of which there are few beside the rows, such as a user or a state; stored as 32-bit numbers and compared so.
    case category
    /// Instants, to the microsecond.
    case time
    /// True or false.
    case boolean
    /// Spans from one instant to another, such as a session.
    case timeRange = "time-range"
}
