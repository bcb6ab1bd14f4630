extension FilterExpression: CustomStringConvertible {
    /// The expression as text. Parsing it gives an equal value, unless it contains a set of ids or a function.
    public var description: String {
        // An operand is put in parentheses if its operator binds less tightly than the operator that joins it.
        var stack: [(text: String, strength: Int)] = []
        for step in steps {
            switch step {
            case .condition(let condition): stack.append((condition.description, 4))
            case .not:
                let (text, strength) = stack.removeLast()
                stack.append(("not " + (strength < 3 ? "(\(text))" : text), 3))
            case .and(let count): Self.join(&stack, count, " and ", strength: 2)
            case .or(let count): Self.join(&stack, count, " or ", strength: 1)
            }
        }
        return stack.last?.text ?? ""
    }

    private static func join(
        _ stack: inout [(text: String, strength: Int)], _ count: Int, _ word: String, strength: Int
    ) {
        let text = stack.suffix(count).map { $0.strength <= strength ? "(\($0.text))" : $0.text }.joined(
            separator: word)
        stack.removeLast(count)
        stack.append((text, strength))
    }
}

extension FilterExpression.Literal: CustomStringConvertible {
    /// The value as written in an expression.
    public var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): BareWord.isBare(value) ? value : FilterText.quoted(value)
        case .time(let value): "\(value)"
        case .boolean(let value): "\(value)"
        }
    }
}

enum FilterText {
    /// The name of an attribute, in quotes if necessary; `.start` and `.end` of a time range stay outside the quotes.
    static func name(_ name: String) -> String {
        if BareWord.isBare(name) { return name }
        for part in [".start", ".end"] where name.hasSuffix(part) && name != part {
            let range = String(name.dropLast(part.count))
            return (BareWord.isBare(range) ? range : quoted(range)) + part
        }
        return quoted(name)
    }

    /// A text in quotes, with escapes for quotes, backslashes and control characters.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default:
                if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                    quoted += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }
}
