public import KinCore

/// One value of one attribute. A missing value is a nil in its place.
public enum AttributeValue: Sendable, Hashable {
    /// Of an integer attribute.
    case integer(Int64)
    /// Of a number attribute; finite.
    case number(Double)
    /// Of a category.
    case category(String)
    /// Of a time attribute.
    case time(Timestamp)
    /// Of a boolean attribute.
    case boolean(Bool)
    /// Of a time range attribute.
    case timeRange(TimeRange)
}

extension AttributeValue {
    /// What kind of attribute it is a value of.
    public var kind: AttributeKind {
        switch self {
        case .integer: .integer
        case .number: .number
        case .category: .category
        case .time: .time
        case .boolean: .boolean
        case .timeRange: .timeRange
        }
    }
}

extension AttributeValue: CustomStringConvertible {
    public var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .category(let value): value
        case .time(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .timeRange(let value): "\(value)"
        }
    }
}

/// The values of one attribute for many rows, nil where a value is missing.
public enum AttributeColumn: Sendable, Hashable {
    /// Of an integer attribute.
    case integers([Int64?])
    /// Of a number attribute; finite.
    case numbers([Double?])
    /// Of a category.
    case categories([String?])
    /// Of a time attribute.
    case times([Timestamp?])
    /// Of a boolean attribute.
    case booleans([Bool?])
    /// Of a time range attribute.
    case timeRanges([TimeRange?])
}

extension AttributeColumn {
    /// What kind of attribute these are values of.
    public var kind: AttributeKind {
        switch self {
        case .integers: .integer
        case .numbers: .number
        case .categories: .category
        case .times: .time
        case .booleans: .boolean
        case .timeRanges: .timeRange
        }
    }

    /// How many rows there are.
    public var count: Int {
        switch self {
        case .integers(let values): values.count
        case .numbers(let values): values.count
        case .categories(let values): values.count
        case .times(let values): values.count
        case .booleans(let values): values.count
        case .timeRanges(let values): values.count
        }
    }

    /// A column of values, all of one kind.
    package init(_ kind: AttributeKind, _ values: [AttributeValue?]) {
        switch kind {
        case .integer: self = .integers(values.map { if case .integer(let value)? = $0 { value } else { nil } })
        case .number: self = .numbers(values.map { if case .number(let value)? = $0 { value } else { nil } })
        case .category: self = .categories(values.map { if case .category(let value)? = $0 { value } else { nil } })
        case .time: self = .times(values.map { if case .time(let value)? = $0 { value } else { nil } })
        case .boolean: self = .booleans(values.map { if case .boolean(let value)? = $0 { value } else { nil } })
        case .timeRange: self = .timeRanges(values.map { if case .timeRange(let value)? = $0 { value } else { nil } })
        }
    }
}

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
