// A combination of filters is an expression. Its sets of ids and functions are conditions on the id. So it is resolved,
// prepared and copied into separate lists like any other expression.

extension SearchFilter {
    /// A filter that allows the vectors with these names, in an index whose vectors have names.
    ///
    /// Names without a vector are ignored. A search finds the ids of the names first, in 0.1 to 1 µs each.
    public static func names(_ names: some Sequence<String>) -> SearchFilter {
        .matching(.isIn(AttributeSchema.id, names.map { .text($0) }))
    }

    /// A filter that allows the vectors that both filters allow.
    ///
    ///     let others = SearchFilter.matching(inRome) && !.ids(seen)
    public static func && (a: SearchFilter, b: SearchFilter) -> SearchFilter {
        .matching(a.expression && b.expression)
    }

    /// A filter that allows the vectors that at least one of the filters allows.
    public static func || (a: SearchFilter, b: SearchFilter) -> SearchFilter {
        .matching(a.expression || b.expression)
    }

    /// A filter that allows the vectors that the filter does not allow.
    public static prefix func ! (a: SearchFilter) -> SearchFilter { .matching(!a.expression) }

    /// Requires that a search accepts a combination of filters.
    ///
    /// - Throws: `.capacityExceeded` for more than ``FilterExpression/largestStepCount`` conditions and operators.
    package func requireFewSteps() throws(KinError) { try expression.requireFewSteps() }

    private var expression: FilterExpression {
        switch kind {
        case .all: .isPresent(AttributeSchema.id)
        case .ids, .bitmap, .predicate, .selection: .isAllowed(by: self)
        case .expression(let expression): expression
        case .prepared(let prepared): prepared.expression
        case .subset(let subset): subset.filter.expression
        }
    }
}
