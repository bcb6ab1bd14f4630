/// One condition on one attribute.
package struct FilterCondition: Sendable, Hashable {
    /// Its name, `id`, or the name of a time range with `.start` or `.end`.
    package let attribute: String
    package let test: Test

    /// Indirect, so that a condition is copied fast: joining expressions one by one copies each many times.
    package indirect enum Test: Sendable, Hashable {
        case compare(FilterExpression.Comparison, FilterExpression.Literal)
        case isIn([FilterExpression.Literal])
        case between(FilterExpression.Literal, FilterExpression.Literal)
        case overlaps(TimeRange)
        /// A condition on a set of tags: it contains at least one of these.
        case contains([FilterExpression.Literal])
        case isMissing
        case isPresent
        /// A condition on the id: the filter allows it.
        case isAllowed(AllowedIDs)
    }

    /// The values in the condition.
    var literals: [FilterExpression.Literal] {
        switch test {
        case .compare(_, let value): [value]
        case .isIn(let values), .contains(let values): values
        case .between(let low, let high): [low, high]
        case .overlaps, .isMissing, .isPresent, .isAllowed: []
        }
    }
}

// MARK: - Building

extension FilterExpression {
    private init(_ attribute: String, _ test: FilterCondition.Test) {
        steps = [.condition(FilterCondition(attribute: attribute, test: test))]
    }

    /// The condition `attribute = value`.
    public static func equals(_ attribute: String, _ value: Literal) -> Self { compare(attribute, .equal, value) }

    /// The condition `attribute < value`, or the same with a different comparison.
    public static func compare(_ attribute: String, _ comparison: Comparison, _ value: Literal) -> Self {
        Self(attribute, .compare(comparison, value))
    }

    /// The condition `attribute in (…)`: the value is in the list; never holds for an empty list.
    public static func isIn(_ attribute: String, _ values: [Literal]) -> Self { Self(attribute, .isIn(values)) }

    /// The condition `attribute between low and high`, both ends included.
    public static func between(_ attribute: String, _ low: Literal, _ high: Literal) -> Self {
        Self(attribute, .between(low, high))
    }

    /// The condition `attribute overlaps [start, end)`: the two time ranges have an instant in common.
    public static func overlaps(_ attribute: String, _ range: TimeRange) -> Self { Self(attribute, .overlaps(range)) }

    /// The condition `attribute contains tag`.
    public static func contains(_ attribute: String, _ tag: Literal) -> Self { Self(attribute, .contains([tag])) }

    /// The condition `attribute overlaps (…)`: the set contains at least one of the tags; never holds for an empty list.
    public static func overlaps(_ attribute: String, _ tags: [Literal]) -> Self { Self(attribute, .contains(tags)) }

    /// The condition `attribute is missing`.
    public static func isMissing(_ attribute: String) -> Self { Self(attribute, .isMissing) }

    /// The condition `attribute is present`.
    public static func isPresent(_ attribute: String) -> Self { Self(attribute, .isPresent) }

    /// The condition that a filter of ids, or by a function, allows the id.
    static func isAllowed(by filter: SearchFilter) -> Self {
        Self(AttributeSchema.id, .isAllowed(AllowedIDs(filter)))
    }
}

// MARK: - Binding

extension FilterCondition {
    /// Translates the condition to a table's columns.
    ///
    /// - Parameter names: The ids of texts; nil if ids are numbers.
    /// - Throws: `.invalidArgument` with the attribute, its kind and the value it was compared with.
    func bound(to table: AttributeTable, _ names: NameTable?) throws(KinError) -> ColumnTest {
        if attribute == AttributeSchema.id { return try boundToID(names) }
        let (index, part) = try index(in: table.schema)
        let column = table.store.layout.firstColumns[index]
        switch test {
        case .isMissing: return .presence(column: column, isPresent: false)
        case .isPresent: return .presence(column: column, isPresent: true)
        default: break
        }
        let kind = table.schema.attributes[index].kind
        switch (kind, part) {
        case (.integer, nil): return try boundToWords(column, kind)
        case (.time, nil): return try withTimes().boundToWords(column, kind)
        case (.timeRange, let part?): return try withTimes().boundToWords(column + (part == .end ? 1 : 0), .time)
        case (.number, nil): return try boundToNumbers(column)
        case (.category, nil): return try boundToCodes(column, table.dictionaries[column])
        case (.boolean, nil): return try boundToBits(column)
        case (.tags, nil): return try boundToTags(column, table.dictionaries[column])
        default:
            guard case .overlaps(let range) = test else {
                throw mismatch(
                    kind, hint: "compare \(attribute).start or \(attribute).end, or use 'overlaps [from, to)'")
            }
            return .overlap(column: column, start: range.start.microseconds, end: range.end.microseconds)
        }
    }

    private enum RangePart { case start, end }

    /// The attribute with the condition's name and, for a time range, the end that the condition names.
    private func index(in schema: AttributeSchema) throws(KinError) -> (index: Int, part: RangePart?) {
        if let index = schema.index(of: attribute) { return (index, nil) }
        for (suffix, part) in [(".start", RangePart.start), (".end", RangePart.end)] where attribute.hasSuffix(suffix) {
            let name = String(attribute.dropLast(suffix.count))
            guard let index = schema.index(of: name) else { throw schema.unknown(name) }
            guard schema.attributes[index].kind == .timeRange else {
                throw KinError(
                    .invalidArgument,
                    "\(name) is \(schema.attributes[index].kind.inWords); only time ranges have a \(suffix)")
            }
            return (index, part)
        }
        throw schema.unknown(attribute)
    }

    // MARK: By kind

    private func boundToID(_ names: NameTable?) throws(KinError) -> ColumnTest {
        switch test {
        case .isMissing: return .constant(false)
        case .isPresent: return .constant(true)
        case .isAllowed(let ids): return .allowedIDs(ids)
        default: break
        }
        // An index without vectors has ids of neither kind.
        let hasTexts = literals.contains { if case .text = $0 { true } else { false } }
        if let names, !names.isEmpty || hasTexts { return try boundToNames(names) }
        for case .integer(let number) in literals where number < 0 && number >= Int64.min {
            switch test {
            case .compare(.equal, _), .compare(.notEqual, _), .isIn:
                throw KinError(
                    .invalidArgument,
                    "ids in conditions have no sign: write \(UInt64(bitPattern: Int64(number))) for the id \(number), in \(excerpt)"
                )
            default: break
            }
        }
        return try bound(
            .integer, { $0.range($1, of: UInt64.self) }, none: { .constant($0 == .notEqual) },
            test: {
                $0.lowerBound == $0.upperBound && !$1
                    ? .idList([$0.lowerBound]) : .idRange(WordRange($0), isNegated: $1)
            },
            list: { .idList(ascending($0)) })
    }

    /// Translates a condition on ids that are texts. A text without a vector is the id of no row.
    private func boundToNames(_ names: NameTable) throws(KinError) -> ColumnTest {
        switch test {
        case .compare(.equal, let value): return .idList(try ids(of: [value], names))
        case .compare(.notEqual, let value):
            let id = try ids(of: [value], names).first
            return id.map { .idRange(WordRange($0...$0), isNegated: true) } ?? .constant(true)
        case .isIn(let values): return .idList(ascending(try ids(of: values, names)))
        default:
            throw KinError(.invalidArgument, "ids that are texts have no order: use = != or in, in \(excerpt)")
        }
    }

    private func ids(of values: [FilterExpression.Literal], _ names: NameTable) throws(KinError) -> [UInt64] {
        var ids: [UInt64] = []
        for value in values {
            guard case .text(let name) = value else {
                throw KinError(
                    .invalidArgument,
                    "the ids of this index are texts and cannot be compared with \(value.inWords), in \(excerpt); "
                        + "write \(FilterText.quoted(value.description))")
            }
            if let id = names.id(of: name) { ids.append(id.rawValue) }
        }
        return ids
    }

    /// Translates a condition on integers or times, which are stored in the same way.
    private func boundToWords(_ column: Int, _ kind: AttributeKind) throws(KinError) -> ColumnTest {
        try bound(
            kind, { $0.range($1, of: Int64.self) }, none: { none(column, $0) },
            test: { .wordRange(column: column, WordRange($0), isNegated: $1) },
            list: { .wordList(column: column, ascending($0.map { UInt64(bitPattern: $0) })) })
    }

    private func boundToNumbers(_ column: Int) throws(KinError) -> ColumnTest {
        try bound(
            .number, { $0.range($1) }, none: { none(column, $0) },
            test: { .numberRange(column: column, $0, isNegated: $1) },
            // Columns never contain −0, so equal numbers have equal bits.
            list: { .wordList(column: column, ascending($0.map { ($0 + 0).bitPattern })) })
    }

    /// Translates a condition on ordered values.
    ///
    /// - Parameters:
    ///   - range: The values that satisfy a comparison with a literal; for `!=`, the values that do not.
    ///   - none: The test if the range is empty.
    ///   - test: The test for a range, or for all values outside it.
    ///   - list: The test for a list of values.
    private func bound<Value: Comparable>(
        _ kind: AttributeKind,
        _ range: (FilterExpression.Literal, FilterExpression.Comparison) -> ClosedRange<Value>?,
        none: (FilterExpression.Comparison) -> ColumnTest, test: (ClosedRange<Value>, Bool) -> ColumnTest,
        list: ([Value]) -> ColumnTest
    ) throws(KinError) -> ColumnTest {
        switch self.test {
        case .compare(let comparison, let value):
            try requireNumbers([value], kind)
            return range(value, comparison).map { test($0, comparison == .notEqual) } ?? none(comparison)
        case .between(let low, let high):
            try requireNumbers([low, high], kind)
            guard let from = range(low, .greaterOrEqual)?.lowerBound, let to = range(high, .lessOrEqual)?.upperBound,
                from <= to
            else { return .constant(false) }
            return test(from...to, false)
        case .isIn(let values):
            try requireNumbers(values, kind)
            return list(values.compactMap { range($0, .equal)?.lowerBound })
        default: throw mismatch(kind)
        }
    }

    private func boundToCodes(_ column: Int, _ dictionary: CategoryDictionary) throws(KinError) -> ColumnTest {
        switch test {
        case .compare(let comparison, let value) where comparison == .equal || comparison == .notEqual:
            guard let code = dictionary.code(of: try text(value, .category)) else { return none(column, comparison) }
            return .code(column: column, code, isNegated: comparison == .notEqual)
        case .compare: throw mismatch(.category, hint: "categories have no order: use = != or in")
        case .isIn(let values):
            var codes: [UInt32] = []
            for value in values {
                if let code = dictionary.code(of: try text(value, .category)) { codes.append(code) }
            }
            return .codes(codes, column: column)
        default: throw mismatch(.category)
        }
    }

    private func boundToTags(_ column: Int, _ dictionary: CategoryDictionary) throws(KinError) -> ColumnTest {
        guard case .contains(let values) = test else {
            throw mismatch(.tags, hint: "write \(FilterText.name(attribute)) contains red, or overlaps (red, blue)")
        }
        var codes: [UInt32] = []
        for value in values { codes += dictionary.codes(containing: try text(value, .tags)) }
        return .codes(codes, column: column)
    }

    private func boundToBits(_ column: Int) throws(KinError) -> ColumnTest {
        guard case .compare(let comparison, .boolean(let value)) = test,
            comparison == .equal || comparison == .notEqual
        else { throw mismatch(.boolean, hint: "write \(FilterText.name(attribute)) = true") }
        return .bit(column: column, isSet: value == (comparison == .equal))
    }

    // MARK: Values

    /// The test for a comparison with a value that no row can have: `=` and order comparisons never hold, `!=` holds
    /// for every present value.
    private func none(_ column: Int, _ comparison: FilterExpression.Comparison) -> ColumnTest {
        comparison == .notEqual ? .presence(column: column, isPresent: true) : .constant(false)
    }

    private func ascending(_ words: [UInt64]) -> [UInt64] { Array(Set(words)).sorted() }

    private func text(_ value: FilterExpression.Literal, _ kind: AttributeKind) throws(KinError) -> String {
        guard case .text(let text) = value else {
            throw mismatch(kind, value, hint: "write \(FilterText.quoted(value.description))")
        }
        return text
    }

    private func requireNumbers(_ values: [FilterExpression.Literal], _ kind: AttributeKind) throws(KinError) {
        for value in values {
            switch (value, kind) {
            case (.time, .time), (.integer, .integer), (.integer, .number): continue
            case (.number(let number), .integer), (.number(let number), .number):
                guard number.isFinite else {
                    throw KinError(
                        .notFinite, "\(FilterText.name(attribute)) is compared with \(number), which is not a number")
                }
            default:
                throw mismatch(kind, value, hint: kind == .time ? "write a time such as 2026-01-01" : nil)
            }
        }
    }

    /// The same condition, with times in place of the texts that are times.
    private func withTimes() throws(KinError) -> FilterCondition {
        try converting { value throws(KinError) in try time(value) }
    }

    /// The same condition, with each value of its comparison, range or list converted.
    func converting(
        _ convert: (FilterExpression.Literal) throws(KinError) -> FilterExpression.Literal
    ) throws(KinError) -> FilterCondition {
        let test: Test
        switch self.test {
        case .compare(let comparison, let value): test = .compare(comparison, try convert(value))
        case .between(let low, let high): test = .between(try convert(low), try convert(high))
        case .isIn(let values):
            var converted: [FilterExpression.Literal] = []
            for value in values { converted.append(try convert(value)) }
            test = .isIn(converted)
        default: test = self.test
        }
        return FilterCondition(attribute: attribute, test: test)
    }

    private func time(_ value: FilterExpression.Literal) throws(KinError) -> FilterExpression.Literal {
        guard case .text(let text) = value else { return value }
        do throws(KinError) {
            return .time(try Timestamp(parsing: text))
        } catch {
            throw KinError(.invalidArgument, "\(FilterText.name(attribute)) is a time, and \(error.message)")
        }
    }

    // MARK: Errors

    /// The beginning of the condition, for messages.
    private var excerpt: String { "\"\(description.prefix(80))\"" }

    private func mismatch(
        _ kind: AttributeKind, _ value: FilterExpression.Literal? = nil, hint: String? = nil
    ) -> KinError {
        let what = value.map { " with \($0.inWords)" } ?? " so"
        return KinError(
            .invalidArgument,
            "\(FilterText.name(attribute)) is \(kind.inWords) and cannot be compared\(what), in "
                + excerpt + (hint.map { "; \($0)" } ?? ""))
    }
}

extension ColumnTest {
    /// The condition that a code is one of some codes, in any order.
    fileprivate static func codes(_ codes: [UInt32], column: Int) -> ColumnTest {
        if codes.count == 1 { return .code(column: column, codes[0], isNegated: false) }
        var bits = [UInt64](repeating: 0, count: codes.max().map { Int($0) / 64 + 1 } ?? 0)
        for code in codes { bits[Int(code) / 64] |= 1 << UInt64(code % 64) }
        return .codeSet(column: column, bits)
    }
}

extension FilterExpression.Literal {
    fileprivate var inWords: String {
        switch self {
        case .integer, .number: "the number \(self)"
        case .text: "the text \(self)"
        case .time: "the time \(self)"
        case .boolean: "\(self)"
        }
    }
}
