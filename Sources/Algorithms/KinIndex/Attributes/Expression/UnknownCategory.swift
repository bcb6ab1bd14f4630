/// A category or tag that an expression compares an attribute with but that no row has: probably a typo.
public struct UnknownCategory: Sendable, Hashable, CustomStringConvertible {
    /// The name of the attribute.
    public let attribute: String
    /// The category or tag in the expression.
    public let value: String
    /// The category or tag of the table with the most similar spelling; nil if none is similar.
    public let nearest: String?
    /// Whether the value is a tag.
    let isTag: Bool

    /// A sentence with the suggestion.
    public var description: String {
        "no row has \(attribute) \(isTag ? "with" : "=") \(FilterText.quoted(value))"
            + (nearest.map { "; did you mean \(FilterText.quoted($0))?" } ?? "")
    }
}

extension AttributeTable {
    /// The largest number of categories that are searched for suggestions.
    private static let mostSuggestions = 10_000

    /// The categories and tags in an expression that no row has ever had, in the order of the expression.
    ///
    /// - Throws: `.invalidArgument` if the expression does not match the ``schema``.
    /// - Complexity: O(conditions), plus O(categories of the attribute, at most 10,000, or its tags) for each result.
    public func unknownCategories(in expression: FilterExpression) throws(KinError) -> [UnknownCategory] {
        try expression.check(against: schema)
        var unknown: [UnknownCategory] = []
        for case .condition(let condition) in expression.steps {
            guard let index = schema.attributes.firstIndex(where: { $0.name == condition.attribute }),
                schema.attributes[index].kind.isCoded
            else { continue }
            let dictionary = dictionaries[store.layout.firstColumns[index]]
            let isTag = schema.attributes[index].kind == .tags
            for case .text(let value) in condition.literals
            where isTag ? dictionary.codes(containing: value).isEmpty : dictionary.code(of: value) == nil {
                let known =
                    isTag
                    ? Array(dictionary.tags.sorted().prefix(Self.mostSuggestions))
                    : (1...UInt64(max(1, min(dictionary.count, Self.mostSuggestions)))).compactMap(dictionary.string)
                let category = UnknownCategory(
                    attribute: condition.attribute, value: value, nearest: Spelling.nearest(to: value, in: known),
                    isTag: isTag)
                if !unknown.contains(category) { unknown.append(category) }
            }
        }
        return unknown
    }
}
