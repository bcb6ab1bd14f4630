/// One value of one attribute. A missing value is a nil in its place.
public enum AttributeValue: Sendable, Hashable {
    case integer(Int64)
    case number(Double)
    case category(String)
    case time(Timestamp)
    case boolean(Bool)
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
    case integers([Int64?])
    case numbers([Double?])
    case categories([String?])
    case times([Timestamp?])
    case booleans([Bool?])
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
    init(_ kind: AttributeKind, _ values: [AttributeValue?]) {
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
