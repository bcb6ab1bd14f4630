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

    /// A column of one value.
    init(_ value: AttributeValue) {
        switch value {
        case .integer(let value): self = .integers([value])
        case .number(let value): self = .numbers([value])
        case .category(let value): self = .categories([value])
        case .time(let value): self = .times([value])
        case .boolean(let value): self = .booleans([value])
        case .timeRange(let value): self = .timeRanges([value])
        }
    }

    /// A column of one missing value.
    init(missing kind: AttributeKind) {
        switch kind {
        case .integer: self = .integers([nil])
        case .number: self = .numbers([nil])
        case .category: self = .categories([nil])
        case .time: self = .times([nil])
        case .boolean: self = .booleans([nil])
        case .timeRange: self = .timeRanges([nil])
        }
    }
}
