/// A condition on the attributes of a row, written as text or built in Swift; both give the same value.
///
///     let recent = try FilterExpression(parsing: #"user = "u42" and start >= 2026-01-01"#)
///     let same = .equals("user", "u42") && .compare("start", .greaterOrEqual, .time(newYear))
///
/// Comparisons with a missing value are false, including `!=`, and `not` negates the result. So `not user = "u42"`
/// holds for a row without a user, while `user != "u42"` does not. ``init(parsing:)`` describes the language.
public struct FilterExpression: Sendable, Hashable {
    /// The conditions and operators in postfix order, so that nested expressions are never traversed recursively, no
    /// matter how they were built.
    let steps: [FilterStep<FilterCondition>]

    /// A value to compare with.
    public enum Literal: Sendable, Hashable {
        /// A whole number, with room for every integer and id, so that comparisons are exact.
        case integer(Int128)
        /// A finite double-precision number.
        case number(Double)
        /// A string to compare with a category or a tag.
        case text(String)
        /// An instant, to the microsecond.
        case time(Timestamp)
        /// A boolean, true or false.
        case boolean(Bool)
    }

    /// A comparison operator of a condition.
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        /// The values are the same. Categories and booleans support only this and ``notEqual``.
        case equal = "="
        /// The value is present and different.
        case notEqual = "!="
        /// The value is smaller, or earlier.
        case less = "<"
        /// The value is smaller, earlier or the same.
        case lessOrEqual = "<="
        /// The value is larger, or later.
        case greater = ">"
        /// The value is larger, later or the same.
        case greaterOrEqual = ">="
    }

    /// The largest number of conditions and operators in an expression that a search accepts.
    public static let largestStepCount = 10_000

    /// Requires that a search accepts the number of conditions and operators.
    ///
    /// - Throws: `.capacityExceeded`.
    func requireFewSteps() throws(KinError) {
        guard steps.count <= Self.largestStepCount else {
            throw KinError(
                .capacityExceeded,
                "the filter has \(steps.count) conditions and operators, at most \(Self.largestStepCount) are taken; "
                    + "use 'in' for many values")
        }
    }

    /// The conditions, if the expression is a single condition or a conjunction of conditions; otherwise nil.
    package var conjunction: [FilterCondition]? {
        let operands: ArraySlice<FilterStep<FilterCondition>>
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

/// A condition, or an operator on the results of the steps before it.
enum FilterStep<Condition: Sendable>: Sendable {
    case condition(Condition)
    case not
    /// Joins this number of results, 2 or more.
    case and(Int)
    case or(Int)
}

extension FilterStep: Equatable where Condition: Equatable {}
extension FilterStep: Hashable where Condition: Hashable {}

/// A set of ids, or a function of an id, as a part of an expression.
package final class AllowedIDs: Sendable, Hashable {
    let filter: SearchFilter

    init(_ filter: SearchFilter) { self.filter = filter }

    package static func == (a: AllowedIDs, b: AllowedIDs) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Joining

extension FilterExpression {
    /// The conjunction of two expressions: both hold.
    public static func && (a: Self, b: Self) -> Self { joined([a, b], isAnd: true) }

    /// The disjunction of two expressions: at least one holds.
    public static func || (a: Self, b: Self) -> Self { joined([a, b], isAnd: false) }

    /// The negation of an expression: it does not hold.
    public static prefix func ! (a: Self) -> Self { Self(steps: a.steps + [.not]) }

    /// Joins two or more expressions. Operands already joined by the same operator are merged, so that `a and b and c`
    /// is the same value regardless of grouping.
    static func joined(_ parts: [FilterExpression], isAnd: Bool) -> FilterExpression {
        var steps: [FilterStep<FilterCondition>] = []
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

    /// The same expression, with each text that an attribute is compared with converted.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute.
    ///   - convert: Returns the text that replaces a text.
    /// - Throws: The errors of `convert`.
    package func converting(
        textsOf attribute: String, _ convert: (String) throws(KinError) -> String
    ) throws(KinError) -> FilterExpression {
        var steps = steps
        for (place, step) in steps.enumerated() {
            guard case .condition(let condition) = step, condition.attribute == attribute else { continue }
            steps[place] = .condition(
                try condition.converting { value throws(KinError) in
                    guard case .text(let text) = value else { return value }
                    return .text(try convert(text))
                })
        }
        return FilterExpression(steps: steps)
    }

    /// Checks that every attribute exists and is compared with values of its kind.
    ///
    /// - Throws: `.invalidArgument` with the attribute, its kind and the value; `.capacityExceeded` for more than
    ///   ``largestStepCount`` conditions and operators.
    public func check(against schema: AttributeSchema) throws(KinError) {
        _ = try BoundFilter(self, AttributeTable(schema: schema))
    }
}

// MARK: - Literals

extension FilterExpression.Literal: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates a string of a category or a tag.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(Int128(value)) }
    /// Creates a double-precision number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a boolean, true or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// An id, to compare `id` with.
    public static func id(_ id: VectorID) -> Self { .integer(Int128(id.rawValue)) }
}
