/// An expression checked against the attributes of a table and translated to its columns and codes.
///
/// It is valid for the table's state at that time: it does not include the codes of categories added later.
struct BoundFilter: Sendable {
    let steps: [FilterStep<ColumnTest>]
    /// The largest number of results on the evaluation stack.
    let height: Int

    /// Translates an expression to the columns of a table.
    ///
    /// - Parameter names: The ids of texts; nil if ids are numbers.
    /// - Throws: `.invalidArgument` naming the attribute and its kind, or `.capacityExceeded`.
    init(_ expression: FilterExpression, _ table: AttributeTable, names: NameTable? = nil) throws(KinError) {
        try expression.requireFewSteps()
        var waiting = 0
        var height = 0
        steps = try expression.steps.map { step throws(KinError) in
            switch step {
            case .condition(let condition):
                waiting += 1
                height = max(height, waiting)
                return .condition(try condition.bound(to: table, names))
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

    /// A set of ids that includes every id that the filter allows, in no particular order; nil if the conditions give
    /// no such set, or one of more than `limit` ids.
    func candidates(atMost limit: Int) -> [VectorID]? {
        guard steps.contains(where: { if case .condition(let test) = $0 { test.limitsIDs } else { false } }) else {
            return nil
        }
        var stack: [[VectorID]?] = []
        for step in steps {
            switch step {
            case .condition(let test): stack.append(test.ids(atMost: limit))
            case .not: stack[stack.count - 1] = nil
            case .and(let count):
                let smallest = stack.suffix(count).compactMap(\.self).min { $0.count < $1.count }
                stack.removeLast(count)
                stack.append(smallest)
            case .or(let count):
                let parts = stack.suffix(count)
                let all = parts.contains { $0 == nil } ? nil : parts.flatMap { $0 ?? [] }
                stack.removeLast(count)
                stack.append(all.flatMap { $0.count <= limit ? $0 : nil })
            }
        }
        return stack[0]
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
    /// A condition on an id: the filter allows it.
    case allowedIDs(AllowedIDs)
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
        case .constant, .idRange, .idList, .allowedIDs: true
        default: false
        }
    }

    fileprivate var limitsIDs: Bool {
        switch self {
        case .idList, .allowedIDs: true
        default: false
        }
    }

    /// All ids that can pass the test; nil if they are unknown or more than `limit`.
    fileprivate func ids(atMost limit: Int) -> [VectorID]? {
        switch self {
        case .idList(let words): words.count <= limit ? words.map { VectorID($0) } : nil
        case .allowedIDs(let ids): ids.filter.ids(atMost: limit)
        default: nil
        }
    }
}
