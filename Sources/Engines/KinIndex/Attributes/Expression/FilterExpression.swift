public import KinCore

/// A condition on the attributes of a row, written as text or built in Swift; both give the same value.
///
///     let recent = try FilterExpression(parsing: #"user = "u42" and start >= 2026-01-01"#)
///     let same = .equals("user", "u42") && .compare("start", .greaterOrEqual, .time(newYear))
///
/// Comparisons with a missing value are false, `!=` too, and `not` turns false into true: `not user = "u42"` holds for a
/// row without a user, `user != "u42"` does not. The language is described in ``init(parsing:)``.
public struct FilterExpression: Sendable, Hashable {
    /// The conditions and what joins them, operands before operators: nothing that is nested has to be walked by recursion,
    /// however it was made.
    let steps: [Step]

    enum Step: Sendable, Hashable {
        case condition(FilterCondition)
        case not
        /// Joins so many of the results before it, 2 or more.
        case and(Int)
        case or(Int)
    }

    init(steps: [Step]) { self.steps = steps }

    private init(_ attribute: String, _ test: FilterCondition.Test) {
        steps = [.condition(FilterCondition(attribute: attribute, test: test))]
    }

    /// A value to compare with.
    public enum Literal: Sendable, Hashable {
        /// A whole number; large enough for every integer and id, so that comparing is exact.
        case integer(Int128)
        /// A finite number.
        case number(Double)
        /// A category.
        case text(String)
        /// An instant.
        case time(Timestamp)
        /// True or false.
        case boolean(Bool)
    }

    /// How a value is compared.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// Whether both are the same; what categories and booleans can be compared by, as by ``notEqual``.
        case equal = "="
        /// Whether the value is there and another.
        case notEqual = "!="
        /// Whether the value is smaller, or earlier.
        case less = "<"
        /// Whether the value is smaller, earlier or the same.
        case lessOrEqual = "<="
        /// Whether the value is larger, or later.
        case greater = ">"
        /// Whether the value is larger, later or the same.
        case greaterOrEqual = ">="
    }

    /// The most conditions and operators that a search takes.
    public static let largestStepCount = 10_000

    /// The conditions that have to hold together, when the expression is one or several of them and no more.
    package var conjunction: [FilterCondition]? {
        let operands: ArraySlice<Step>
        switch steps.last {
        case .and(let count)? where count == steps.count - 1: operands = steps.dropLast()
        case .condition? where steps.count == 1: operands = steps[...]
        default: return nil
        }
        var conditions: [FilterCondition] = []
        for case .condition(let condition) in operands { conditions.append(condition) }
        return conditions.count == operands.count ? conditions : nil
    }
}

/// One condition on one attribute.
package struct FilterCondition: Sendable, Hashable {
    /// Its name, or `id`, or the name of a time range with `.start` or `.end`.
    package let attribute: String
    package let test: Test

    package enum Test: Sendable, Hashable {
        case compare(FilterExpression.Comparison, FilterExpression.Literal)
        case isIn([FilterExpression.Literal])
        case between(FilterExpression.Literal, FilterExpression.Literal)
        case overlaps(TimeRange)
        case isMissing
        case isPresent
    }
}

// MARK: - Building

extension FilterExpression {
    /// `attribute = value`.
    public static func equals(_ attribute: String, _ value: Literal) -> FilterExpression {
        compare(attribute, .equal, value)
    }

    /// `attribute < value` and the like.
    public static func compare(_ attribute: String, _ comparison: Comparison, _ value: Literal) -> FilterExpression {
        FilterExpression(attribute, .compare(comparison, value))
    }

    /// `attribute in (…)`: whether the value is one of some; never for none.
    public static func isIn(_ attribute: String, _ values: [Literal]) -> FilterExpression {
        FilterExpression(attribute, .isIn(values))
    }

    /// `attribute between low and high`, both ends included.
    public static func between(_ attribute: String, _ low: Literal, _ high: Literal) -> FilterExpression {
        FilterExpression(attribute, .between(low, high))
    }

    /// `attribute overlaps [start, end)`: whether a time range has an instant in common with another.
    public static func overlaps(_ attribute: String, _ range: TimeRange) -> FilterExpression {
        FilterExpression(attribute, .overlaps(range))
    }

    /// `attribute is missing`.
    public static func isMissing(_ attribute: String) -> FilterExpression { FilterExpression(attribute, .isMissing) }

    /// `attribute is present`.
    public static func isPresent(_ attribute: String) -> FilterExpression { FilterExpression(attribute, .isPresent) }

    /// Whether both hold.
    public static func && (a: FilterExpression, b: FilterExpression) -> FilterExpression {
        joined([a, b], isAnd: true)
    }

    /// Whether at least one holds.
    public static func || (a: FilterExpression, b: FilterExpression) -> FilterExpression {
        joined([a, b], isAnd: false)
    }

    /// Whether it does not hold.
    public static prefix func ! (a: FilterExpression) -> FilterExpression {
        FilterExpression(steps: a.steps + [.not])
    }

    /// Joins two or more expressions; those that are joined in the same way already are taken apart, so that
    /// `a and b and c` is one value however it was put together.
    static func joined(_ parts: [FilterExpression], isAnd: Bool) -> FilterExpression {
        var steps: [Step] = []
        var count = 0
        for part in parts {
            switch (part.steps.last, isAnd) {
            case (.and(let n), true), (.or(let n), false):
                steps += part.steps.dropLast()
                count += n
            default:
                steps += part.steps
                count += 1
            }
        }
        steps.append(isAnd ? .and(count) : .or(count))
        return FilterExpression(steps: steps)
    }

    /// Whether every attribute exists and is compared with what it can be compared with.
    ///
    /// - Throws: `.invalidArgument` naming the attribute, its kind and the value; `.capacityExceeded` for more than
    ///   ``largestStepCount`` conditions and operators.
    public func check(against schema: AttributeSchema) throws(KinError) {
        _ = try BoundFilter(self, AttributeTable(schema: schema))
    }
}

// MARK: - Literals

extension FilterExpression.Literal: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// A category.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(Int128(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// An id, to compare `id` with.
    public static func id(_ id: VectorID) -> Self { .integer(Int128(id.rawValue)) }
}
