/// One value of one attribute; a missing value is nil instead.
public enum AttributeValue: Sendable, Hashable {
    /// A value of an integer attribute.
    case integer(Int64)
    /// A finite value of a number attribute.
    case number(Double)
    /// A value of a category.
    case category(String)
    /// A value of a time attribute.
    case time(Timestamp)
    /// A value of a boolean attribute.
    case boolean(Bool)
    /// A value of a time range attribute.
    case timeRange(TimeRange)
    /// A value of a tags attribute.
    case tags(TagSet)
}

extension AttributeValue {
    /// The attribute kind of the value.
    public var kind: AttributeKind {
        switch self {
        case .integer: .integer
        case .number: .number
        case .category: .category
        case .time: .time
        case .boolean: .boolean
        case .timeRange: .timeRange
        case .tags: .tags
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
        case .tags(let value): "\(value)"
        }
    }
}

/// The values of one attribute for many rows; nil for a missing value.
public enum AttributeColumn: Sendable, Hashable {
    /// The values of an integer attribute.
    case integers([Int64?])
    /// The finite values of a number attribute.
    case numbers([Double?])
    /// The values of a category.
    case categories([String?])
    /// The values of a time attribute.
    case times([Timestamp?])
    /// The values of a boolean attribute.
    case booleans([Bool?])
    /// The values of a time range attribute.
    case timeRanges([TimeRange?])
    /// The values of a tags attribute.
    case tags([TagSet?])
}

extension AttributeColumn {
    /// The attribute kind of the values.
    public var kind: AttributeKind {
        switch self {
        case .integers: .integer
        case .numbers: .number
        case .categories: .category
        case .times: .time
        case .booleans: .boolean
        case .timeRanges: .timeRange
        case .tags: .tags
        }
    }

    /// The number of values, one for each row.
    public var count: Int {
        switch self {
        case .integers(let values): values.count
        case .numbers(let values): values.count
        case .categories(let values): values.count
        case .times(let values): values.count
        case .booleans(let values): values.count
        case .timeRanges(let values): values.count
        case .tags(let values): values.count
        }
    }

    /// Creates a column of values, all of one kind.
    package init(_ kind: AttributeKind, _ values: [AttributeValue?]) {
        switch kind {
        case .integer: self = .integers(values.map { if case .integer(let value)? = $0 { value } else { nil } })
        case .number: self = .numbers(values.map { if case .number(let value)? = $0 { value } else { nil } })
        case .category: self = .categories(values.map { if case .category(let value)? = $0 { value } else { nil } })
        case .time: self = .times(values.map { if case .time(let value)? = $0 { value } else { nil } })
        case .boolean: self = .booleans(values.map { if case .boolean(let value)? = $0 { value } else { nil } })
        case .timeRange: self = .timeRanges(values.map { if case .timeRange(let value)? = $0 { value } else { nil } })
        case .tags: self = .tags(values.map { if case .tags(let value)? = $0 { value } else { nil } })
        }
    }
}

/// The kind of the values of an attribute.
public enum AttributeKind: String, Sendable, Hashable, CaseIterable {
    /// Whole numbers, as 64-bit signed integers.
    case integer
    /// Finite numbers in double precision.
    case number
    /// Strings with few different values compared with the number of rows, such as a user or a state. Stored and
    /// compared as 32-bit numbers.
    case category
    /// Instants, to the microsecond.
    case time
    /// Booleans, true or false.
    case boolean
    /// Spans between two instants, such as a session.
    case timeRange = "time-range"
    /// Sets of texts, such as the tags of a document; each tag has a posting list. Equal sets are stored once.
    case tags

    /// Whether values are stored as the codes of strings in a ``CategoryDictionary``.
    var isCoded: Bool { self == .category || self == .tags }

    /// The kind with its article.
    package var inWords: String {
        switch self {
        case .integer: "an integer"
        case .number, .category, .time, .boolean, .timeRange: "a \(rawValue)"
        case .tags: "a set of tags"
        }
    }
}
