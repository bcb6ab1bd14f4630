/// The rule for names and categories without quotes: a letter or `_`, then letters, digits, `_`, `-` and points.
enum BareWord {
    static func begins(with scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        default: scalar.value >= 0x80 && scalar.properties.isAlphabetic
        }
    }

    static func continues(with scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "-", ".": return true
        default:
            if begins(with: scalar) { return true }
            guard scalar.value >= 0x80 else { return false }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber: return true
            default: return false
            }
        }
    }

    /// Whether a text needs no quotes.
    static func isBare(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, begins(with: first), scalars.allSatisfy(continues) else { return false }
        return FilterWord(text) == nil
    }
}
