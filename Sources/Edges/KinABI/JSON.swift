/// A JSON value, written without Foundation, whose size and starting time a C library should not have to carry.
enum JSON {
    case text(String)
    case integer(Int)
    case id(UInt64)
    /// A finite number.
    case number(Double)
    case boolean(Bool)
    case array([JSON])
    case object([(String, JSON)])
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object; its keys keep their order.
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
}

extension JSON: CustomStringConvertible {
    var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .text(let value): Self.write(value, to: &text)
        case .integer(let value): text += String(value)
        case .id(let value): text += String(value)
        case .number(let value):
            precondition(value.isFinite, "JSON has no NaN and no infinity")
            text += String(value)
        case .boolean(let value): text += value ? "true" : "false"
        case .array(let values):
            text += "["
            for (place, value) in values.enumerated() {
                if place > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (place, member) in members.enumerated() {
                if place > 0 { text += "," }
                Self.write(member.0, to: &text)
                text += ":"
                member.1.write(to: &text)
            }
            text += "}"
        }
    }

    /// RFC 8259, section 7: quotation marks, backslashes and the control characters below U+0020 are escaped.
    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
