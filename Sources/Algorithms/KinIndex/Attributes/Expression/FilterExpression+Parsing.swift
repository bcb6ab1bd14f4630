/// The words of the filter language. As names they must be in quotes.
enum FilterWord: String, CaseIterable {
    case and, or, not, `in`, between, `is`, missing, present, overlaps, contains
    case `true`, `false`
    /// The word of other languages for a missing value, for errors.
    case null

    /// The words of conditions that may follow `not`.
    static let memberships: [FilterWord] = [.in, .between, .overlaps, .contains]

    /// Creates the word, ignoring case.
    init?(_ text: String) {
        guard text.utf8.count <= 8 else { return nil }
        self.init(rawValue: text.lowercased())
    }
}

extension FilterExpression {
    /// Parses an expression from text.
    ///
    ///     user = "u42" and start >= 2026-01-01 and state in (drift, mastery)
    ///     not (score < 0.5 or note is missing) and visit overlaps [2026-01-01, 2026-02-01)
    ///     tags contains garden and tags not overlaps (busy, loud)
    ///
    /// - A condition compares an attribute by `=`, `!=`, `<`, `<=`, `>`, `>=`, `in (…)`, `between a and b` (ends
    ///   included), `is missing` or `is present`. `id` is the row's id.
    /// - A time range is compared by `overlaps [from, to)`; `visit.start` and `visit.end` are the ends of the time range
    ///   `visit`. A set of tags is compared by `contains tag`, or by `overlaps (…)`: it has at least one of the tags.
    /// - `not` can stand before `in`, `between`, `overlaps` and `contains`. Such a condition is false for a missing value.
    /// - `not` binds tightest, then `and`, then `or`; parentheses nest up to ``largestDepth`` deep.
    /// - Values are numbers, times (ISO 8601, at least a date, UTC without an offset), `true`, `false`, and strings. A
    ///   string is in single or double quotes with `\" \' \\ \n \t \r \u{…}`, where a doubled quote is one quote, or a
    ///   bare word of letters, digits, `_`, `-` and points.
    /// - Attribute names that are not bare words must be in quotes. Names and strings are case-sensitive; the
    ///   language's own words are not.
    ///
    /// - Throws: `.malformedInput` with the character; `.capacityExceeded` for text longer than ``largestTextBytes``,
    ///   too deep nesting, or more conditions than a search accepts.
    public init(parsing text: String) throws(KinError) {
        do throws(FilterSyntaxError) {
            self = try Self.parse(text)
        } catch {
            throw error.error
        }
    }

    /// Examples of conditions, for help in a terminal.
    package static let examples = """
        It compares attributes, and `id`:
          user = u42   user != "a b"   visits >= 3   visits between 3 and 5
          state in (drift, mastery)      start >= 2026-01-01T06:30:00Z
          stay overlaps [2026-01-01, 2026-02-01)   note is missing   done = true
          tags contains garden           tags overlaps (red, blue)
        joined by `and`, `or`, `not` and parentheses. A comparison with a missing value is false.
        """

    /// The largest length of a text, in bytes of UTF-8.
    public static let largestTextBytes = 1 << 20

    /// The largest depth of nested parentheses and `not` in a text.
    public static let largestDepth = 100

    /// Parses an expression from text. The error has the range of the invalid characters, for callers that show the
    /// text.
    package static func parse(_ text: String) throws(FilterSyntaxError) -> FilterExpression {
        guard text.utf8.count <= largestTextBytes else {
            throw FilterSyntaxError(
                message: "the filter has \(text.utf8.count) bytes, at most \(largestTextBytes) are read", range: 0..<1,
                hint: "give long lists of ids as a set of ids", isTooLarge: true)
        }
        var parser = FilterParser(FilterLexer(text))
        return try parser.whole()
    }
}

extension FilterCondition: CustomStringConvertible {
    package var description: String {
        let name = FilterText.name(attribute)
        return switch test {
        case .compare(let comparison, let value): "\(name) \(comparison.rawValue) \(value)"
        case .isIn(let values): "\(name) in (\(values.map(\.description).joined(separator: ", ")))"
        case .between(let low, let high): "\(name) between \(low) and \(high)"
        case .overlaps(let range): "\(name) overlaps \(range)"
        case .contains(let tags) where tags.count == 1: "\(name) contains \(tags[0])"
        case .contains(let tags): "\(name) overlaps (\(tags.map(\.description).joined(separator: ", ")))"
        case .isMissing: "\(name) is missing"
        case .isPresent: "\(name) is present"
        case .isAllowed(let ids):
            ids.filter.largestCount.map { "\(name) in <\($0) ids>" } ?? "\(name) in <a function>"
        }
    }
}

/// Parses the tokens of a text into an expression, by recursive descent with a limited depth.
private struct FilterParser {
    private var lexer: FilterLexer
    private var token = FilterToken(kind: .end, range: 0..<0)
    private var depth = 0
    private var conditions = 0

    init(_ lexer: FilterLexer) { self.lexer = lexer }

    mutating func whole() throws(FilterSyntaxError) -> FilterExpression {
        try advance()
        let expression = try alternatives()
        guard token.kind == .end else {
            throw unexpected("'and', 'or' or the end", [.and, .or])
        }
        return expression
    }

    private mutating func alternatives() throws(FilterSyntaxError) -> FilterExpression {
        var parts = [try conjunction()]
        while try take(.or) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .joined(parts, isAnd: false)
    }

    private mutating func conjunction() throws(FilterSyntaxError) -> FilterExpression {
        var parts = [try negation()]
        while try take(.and) { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .joined(parts, isAnd: true)
    }

    private mutating func negation() throws(FilterSyntaxError) -> FilterExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= FilterExpression.largestDepth + 1 else {
            throw lexer.error(
                "parentheses and 'not' are nested more than \(FilterExpression.largestDepth) deep here", token.range,
                isTooLarge: true)
        }
        if try take(.not) { return try !negation() }
        guard token.kind == .open else { return try condition() }
        try advance()
        let inner = try alternatives()
        guard token.kind == .close else { throw unexpected("'and', 'or' or the closing )", [.and, .or]) }
        try advance()
        return inner
    }

    private mutating func condition() throws(FilterSyntaxError) -> FilterExpression {
        conditions += 1
        guard conditions <= FilterExpression.largestStepCount / 4 else {
            throw lexer.error(
                "there are more than \(FilterExpression.largestStepCount / 4) conditions here", token.range,
                hint: "use 'in (…)'", isTooLarge: true)
        }
        let name = try attribute()
        if case .comparison(let comparison) = token.kind {
            try advance()
            return .compare(name, comparison, try value())
        }
        if try take(.is) { return try presence(name) }
        let isNegated = try take(.not)
        guard let positive = try membership(name) else {
            let words = FilterWord.memberships.map(\.rawValue).joined(separator: " ")
            let expected = isNegated ? "one of the words (\(words))" : "a comparison (= != < <= > >= is \(words))"
            throw unexpected("\(expected) after \(FilterText.name(name))", FilterWord.memberships + [.is])
        }
        // A missing value is neither in a list nor outside it, just as it is neither equal nor unequal to a value.
        return isNegated ? .isPresent(name) && !positive : positive
    }

    /// Parses `in`, `between`, `overlaps` or `contains` and its operands; nil if the next token is a different one.
    private mutating func membership(_ name: String) throws(FilterSyntaxError) -> FilterExpression? {
        if try take(.in) { return .isIn(name, try list()) }
        if try take(.contains) { return .contains(name, try value()) }
        if try take(.overlaps) {
            return token.kind == .open ? .overlaps(name, try list()) : .overlaps(name, try range())
        }
        guard try take(.between) else { return nil }
        let low = try value()
        guard try take(.and) else { throw unexpected("'and' and the upper end", [.and]) }
        return .between(name, low, try value())
    }

    private mutating func presence(_ name: String) throws(FilterSyntaxError) -> FilterExpression {
        let isNegated = try take(.not)
        if try take(.missing) { return isNegated ? .isPresent(name) : .isMissing(name) }
        let isNull = if case .word(let text) = token.kind { FilterWord(text) == .null } else { false }
        guard try take(.present) else {
            throw unexpected(
                "'missing' or 'present'", [.missing, .present],
                hint: isNull ? "write `is missing` or `is not missing`" : nil)
        }
        return isNegated ? .isMissing(name) : .isPresent(name)
    }

    // MARK: Parts

    private mutating func attribute() throws(FilterSyntaxError) -> String {
        let name: String
        switch token.kind {
        case .word(let text) where FilterWord(text) == nil: name = text
        case .quoted(let text, let part) where !text.isEmpty: name = text + part
        case .literal: throw unexpected("the name of an attribute", [], hint: "write the value after the comparison")
        default: throw unexpected("the name of an attribute", [])
        }
        try advance()
        return name
    }

    private mutating func value() throws(FilterSyntaxError) -> FilterExpression.Literal {
        let literal: FilterExpression.Literal
        switch token.kind {
        case .literal(let value): literal = value
        case .quoted(let text, let part) where part.isEmpty: literal = .text(text)
        case .word(let text):
            switch FilterWord(text) {
            case nil: literal = .text(text)
            case .true: literal = .boolean(true)
            case .false: literal = .boolean(false)
            case .null: throw unexpected("a value", [], hint: "write `is missing`, or the text \(text) in quotes")
            default: throw unexpected("a value", [], hint: "as a category, \(text) must be in quotes")
            }
        default: throw unexpected("a value", [])
        }
        try advance()
        return literal
    }

    private mutating func list() throws(FilterSyntaxError) -> [FilterExpression.Literal] {
        guard token.kind == .open else { throw unexpected("( and a list of values", []) }
        try advance()
        var values: [FilterExpression.Literal] = []
        while token.kind != .close {
            values.append(try value())
            if token.kind == .close { break }
            guard token.kind == .comma else { throw unexpected("a comma or the closing )", []) }
            try advance()
        }
        try advance()
        return values
    }

    private mutating func range() throws(FilterSyntaxError) -> TimeRange {
        let hint = "write [2026-01-01, 2026-02-01), or (red, blue) for tags"
        let first = token.range.lowerBound
        guard token.kind == .openRange else { throw unexpected("a range of time", [], hint: hint) }
        try advance()
        let start = try time(hint)
        guard token.kind == .comma else { throw unexpected("a comma", [], hint: hint) }
        try advance()
        let end = try time(hint)
        guard token.kind == .close else {
            throw unexpected(")", [], hint: "the end does not belong to a range of time: \(hint)")
        }
        guard let range = TimeRange(from: start, to: end) else {
            throw lexer.error("the range ends before it begins", first..<token.range.upperBound)
        }
        try advance()
        return range
    }

    private mutating func time(_ hint: String) throws(FilterSyntaxError) -> Timestamp {
        let time: Timestamp
        switch token.kind {
        case .literal(.time(let value)): time = value
        case .quoted(let text, let part) where part.isEmpty:
            do {
                time = try Timestamp(parsing: text)
            } catch {
                throw lexer.error(error.message, token.range)
            }
        default: throw unexpected("a time", [], hint: hint)
        }
        try advance()
        return time
    }

    // MARK: Tokens

    private mutating func advance() throws(FilterSyntaxError) { token = try lexer.next() }

    private mutating func take(_ word: FilterWord) throws(FilterSyntaxError) -> Bool {
        guard case .word(let text) = token.kind, FilterWord(text) == word else { return false }
        try advance()
        return true
    }

    private func unexpected(_ expected: String, _ words: [FilterWord], hint: String? = nil) -> FilterSyntaxError {
        guard token.kind != .end else {
            return lexer.error("\(expected) is missing at the end", token.range, hint: hint)
        }
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: lexer.scalars[token.range].prefix(40))
        var near: String?
        if case .word(let text) = token.kind { near = Spelling.nearest(to: text, in: words.map(\.rawValue)) }
        return lexer.error(
            "\(expected) is expected here, not \(String(shown))", token.range,
            hint: hint ?? near.map { "did you mean \($0)?" })
    }
}

/// A syntax error in a filter expression: its cause and its position.
package struct FilterSyntaxError: Error, Equatable {
    package let message: String
    /// The invalid characters, counted from the start of the text.
    package let range: Range<Int>
    package let hint: String?
    /// Whether the text is too long or too deep rather than wrong.
    package let isTooLarge: Bool

    /// The error for users who do not see the text; it gives the number of the character, counted from 1.
    package var error: KinError {
        KinError(isTooLarge ? .capacityExceeded : .malformedInput, message + (hint.map { "; \($0)" } ?? ""))
            .within("character", range.lowerBound + 1)
    }
}
