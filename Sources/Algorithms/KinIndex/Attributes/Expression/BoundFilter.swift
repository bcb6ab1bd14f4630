import KinCore

/// An expression checked against the attributes of a table and translated to its columns and codes.
///
/// It is valid for the table's state at that time: it does not include the codes of categories added later.
struct BoundFilter: Sendable {
    let steps: [FilterStep<ColumnTest>]
    /// The largest number of results on the evaluation stack.
    let height: Int

    /// Translates an expression to the columns of a table.
    ///
    /// - Throws: `.invalidArgument` naming the attribute and its kind, or `.capacityExceeded`.
    init(_ expression: FilterExpression, _ table: AttributeTable) throws(KinError) {
        guard expression.steps.count <= FilterExpression.largestStepCount else {
            throw KinError(
                .capacityExceeded,
                "the filter has \(expression.steps.count) conditions and operators, at most "
                    + "\(FilterExpression.largestStepCount) are taken; use 'in' for many values")
        }
        var waiting = 0
        var height = 0
        steps = try expression.steps.map { step throws(KinError) in
            switch step {
            case .condition(let condition):
                waiting += 1
                height = max(height, waiting)
                return .condition(try condition.bound(to: table))
            case .not: return .not
            case .and(let count):
                waiting -= count - 1
                return .and(count)
            case .or(let count):
                waiting -= count - 1
                return .or(count)
            }
        }
        self.height = height
    }

    /// Whether no condition reads an attribute, so that ids alone decide.
    var looksAtIDsOnly: Bool {
        steps.allSatisfy { if case .condition(let test) = $0 { test.looksAtIDsOnly } else { true } }
    }
}

/// One condition on the stored bits of a column.
enum ColumnTest: Sendable {
    /// Holds for every row, or for no row.
    case constant(Bool)
    case presence(column: Int, isPresent: Bool)
    case idRange(WordRange, isNegated: Bool)
    /// A condition on an id: it is in the list, which is ascending.
    case idList([UInt64])
    case wordRange(column: Int, WordRange, isNegated: Bool)
    /// A condition on a word: it is in the list, which is ascending.
    case wordList(column: Int, [UInt64])
    case numberRange(column: Int, ClosedRange<Double>, isNegated: Bool)
    case code(column: Int, UInt32, isNegated: Bool)
    /// A condition on a code: the bit with its number is set.
    case codeSet(column: Int, [UInt64])
    case bit(column: Int, isSet: Bool)
    /// A condition on a time range in this column and the next.
    case overlap(column: Int, start: Int64, end: Int64)

    fileprivate var looksAtIDsOnly: Bool {
        switch self {
        case .constant, .idRange, .idList: true
        default: false
        }
    }
}
