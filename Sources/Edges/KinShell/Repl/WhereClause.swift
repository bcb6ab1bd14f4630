import Kin

/// The filter expression at the end of a line, which has a grammar of its own.
struct WhereClause {
    /// The line up to the expression, without the word before it.
    let command: String
    /// The expression and where it begins, in characters; nil when the line has none.
    let expression: (text: String, start: Int)?

    /// Finds `where` in a `near` or `within`, or what follows `filter`.
    init(_ line: String) {
        let characters = Array(line)
        let words = WhereClause.words(characters)
        let name = words.first.map { String(characters[$0]).lowercased() }
        let marker: Range<Int>? =
            switch name {
            case "near", "within": words.first { String(characters[$0]).lowercased() == "where" }
            case "filter": words.first
            default: nil
            }
        guard let marker else {
            command = line
            expression = nil
            return
        }
        let isFilter = name == "filter"
        command = String(characters[..<(isFilter ? marker.upperBound : marker.lowerBound)])
        let rest = WhereClause.withoutComment(characters[marker.upperBound...])
        let start = rest.firstIndex { !$0.isWhitespace } ?? rest.endIndex
        let end = (rest.lastIndex { !$0.isWhitespace } ?? start - 1) + 1
        expression = (String(rest[start..<max(start, end)]), start)
    }

    /// The expression, with errors that point into the line.
    func parsed() throws(CommandError) -> FilterExpression? {
        guard let (text, start) = expression else { return nil }
        do throws(FilterSyntaxError) {
            return try FilterExpression.parse(text)
        } catch {
            throw CommandError(
                message: error.message, range: error.range.lowerBound + start..<error.range.upperBound + start,
                hint: error.hint ?? "`help filter` shows the language")
        }
    }

    /// The words between blanks, outside quotes and before a comment; not those that `=` follows, which are names.
    private static func words(_ characters: [Character]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = 0
        while index < characters.count {
            if characters[index].isWhitespace {
                index += 1
                continue
            }
            if characters[index] == "#" { break }
            let start = index
            var isQuoted = false
            while index < characters.count, isQuoted || !characters[index].isWhitespace {
                if characters[index] == "\"" { isQuoted.toggle() }
                index += 1
            }
            let next = characters[index...].first { !$0.isWhitespace }
            if next != "=" { words.append(start..<index) }
        }
        return words
    }

    /// The part of a line before a `#` outside quotes.
    private static func withoutComment(_ characters: ArraySlice<Character>) -> ArraySlice<Character> {
        var quote: Character?
        var isEscaped = false
        for (index, character) in zip(characters.indices, characters) {
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                if character == "\\" { isEscaped = true } else if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" {
                return characters[..<index]
            }
        }
        return characters
    }
}
