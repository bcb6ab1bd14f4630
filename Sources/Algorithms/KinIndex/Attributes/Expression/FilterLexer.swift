/// A token of a filter expression.
struct FilterToken {
    enum Kind: Equatable {
        case word(String)
        /// Text in quotes; `part` is `.start` or `.end` if it follows, otherwise empty.
        case quoted(String, part: String)
        case literal(FilterExpression.Literal)
        case comparison(FilterExpression.Comparison)
        case open, close, openRange, closeRange, comma
        case end
    }

    let kind: Kind
    /// The range of the token in the text, in Unicode scalars.
    let range: Range<Int>
}

/// Splits a filter expression into tokens, one at a time.
struct FilterLexer {
    let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The next token; always `.end` at the end of the text.
    mutating func next() throws(FilterSyntaxError) -> FilterToken {
        while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
        let start = index
        guard index < scalars.count else { return FilterToken(kind: .end, range: start..<start) }
        let kind = try kind()
        return FilterToken(kind: kind, range: start..<index)
    }

    private mutating func kind() throws(FilterSyntaxError) -> FilterToken.Kind {
        let scalar = scalars[index]
        switch scalar {
        case "(": return one(.open)
        case ")": return one(.close)
        case "[": return one(.openRange)
        case "]": return one(.closeRange)
        case ",": return one(.comma)
        case "=", "!", "<", ">": return try comparison()
        case "\"", "'": return try quoted(scalar)
        case "0"..."9", "+", "-": return try number()
        default:
            guard BareWord.begins(with: scalar) else {
                throw error(
                    "the character \(scalar) has no meaning here", index..<index + 1, hint: Self.advice(on: scalar))
            }
            return .word(take { BareWord.continues(with: $0) })
        }
    }

    /// The next step after a character that has no meaning outside of strings.
    private static func advice(on scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "“", "”", "„", "‘", "’", "«", "»", "`": "strings must be in straight quotes, \"…\""
        case "&": "write `and` between conditions; strings with & need quotes"
        case "|": "write `or` between conditions; strings with | need quotes"
        case ".": "write 0.5 for .5; strings with such characters need quotes"
        default: "strings with such characters need quotes"
        }
    }

    private mutating func one(_ kind: FilterToken.Kind) -> FilterToken.Kind {
        index += 1
        return kind
    }

    private mutating func comparison() throws(FilterSyntaxError) -> FilterToken.Kind {
        let start = index
        let text = take { "=!<>".unicodeScalars.contains($0) }
        switch text {
        case "==": return .comparison(.equal)
        case "<>": return .comparison(.notEqual)
        default:
            guard let comparison = FilterExpression.Comparison(rawValue: text) else {
                throw error(
                    "\(text.prefix(8)) is not a comparison", start..<index,
                    hint: text == "!" ? "write `not` before a condition" : "there are = != < <= > >=")
            }
            return .comparison(comparison)
        }
    }

    private mutating func quoted(_ quote: Unicode.Scalar) throws(FilterSyntaxError) -> FilterToken.Kind {
        let start = index
        index += 1
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            if scalars[index] == quote {
                // A doubled quote is one quote, as in SQL.
                guard index + 1 < scalars.count, scalars[index + 1] == quote else { break }
                text.append(quote)
                index += 2
            } else if scalars[index] == "\\" {
                text.append(try escape())
            } else {
                text.append(scalars[index])
                index += 1
            }
        }
        guard index < scalars.count else {
            throw error(
                "this quote is never closed", start..<start + 1, hint: "a quote inside a string is doubled")
        }
        index += 1
        var part = ""
        for suffix in [".start", ".end"] where scalars[index...].starts(with: suffix.unicodeScalars) {
            part = suffix
        }
        index += part.unicodeScalars.count
        return .quoted(String(text), part: part)
    }

    private mutating func escape() throws(FilterSyntaxError) -> Unicode.Scalar {
        let start = index
        index += 2
        switch start + 1 < scalars.count ? scalars[start + 1] : " " {
        case "\"": return "\""
        case "'": return "'"
        case "\\": return "\\"
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u":
            if index < scalars.count, scalars[index] == "{" {
                index += 1
                let digits = take { $0.properties.isASCIIHexDigit }
                if digits.utf8.count <= 8, index < scalars.count, scalars[index] == "}",
                    let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
                {
                    index += 1
                    return scalar
                }
            }
        default: break
        }
        throw error(
            "this is not an escape", start..<min(index, scalars.count),
            hint: "there are \\\" \\' \\\\ \\n \\t \\r and \\u{1F600}")
    }

    /// Parses a number or a time: the longest run of their characters, which must then be one of them.
    private mutating func number() throws(FilterSyntaxError) -> FilterToken.Kind {
        let start = index
        if scalars[index] == "+" || scalars[index] == "-" { index += 1 }
        var text = ""
        // A sign is part of a number after an exponent's e, and part of a time.
        while index < scalars.count,
            BareWord.continues(with: scalars[index]) || ":+".unicodeScalars.contains(scalars[index])
        {
            index += 1
        }
        text.unicodeScalars.append(contentsOf: scalars[start..<index])
        if let integer = Int128(text) { return .literal(.integer(integer)) }
        if Self.isDecimal(text), let number = Double(text) {
            guard number.isFinite else { throw error("\(text.prefix(40)) is too large for a number", start..<index) }
            return .literal(.number(number))
        }
        if text.utf8.dropFirst(4).first == 0x2D {
            do {
                return .literal(.time(try Timestamp(parsing: text)))
            } catch {
                throw self.error(error.message, start..<index)
            }
        }
        throw error(
            "\(text.prefix(40)) is neither a number nor a time", start..<index,
            hint: "a category that begins with a digit or a sign must be in quotes")
    }

    /// Whether the text has only digits, a point and an exponent; `Double` accepts more, such as 0x1p3.
    private static func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while index < scalars.count, belongs(scalars[index]) {
            text.append(scalars[index])
            index += 1
        }
        return String(text)
    }

    /// An error at a range of scalars, converted to a range of characters.
    func error(
        _ message: String, _ range: Range<Int>, hint: String? = nil, isTooLarge: Bool = false
    ) -> FilterSyntaxError {
        var before = String.UnicodeScalarView()
        before.append(contentsOf: scalars[..<range.lowerBound])
        var at = String.UnicodeScalarView()
        at.append(contentsOf: scalars[range])
        let start = String(before).count
        return FilterSyntaxError(
            message: message, range: start..<start + max(1, String(at).count), hint: hint, isTooLarge: isTooLarge)
    }
}
