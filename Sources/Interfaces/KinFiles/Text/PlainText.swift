extension String {
    /// The text with the digits of all scripts as 0 to 9, letters and signs of time in full width as those of ASCII, usual
    /// spaces, and no invisible marks of direction or width.
    var plain: String {
        guard utf8.contains(where: { $0 > 0x7F }) else { return self }
        var plain = UnicodeScalarView()
        for scalar in unicodeScalars {
            let properties = scalar.properties
            switch scalar.isASCII ? .unassigned : properties.generalCategory {
            case .decimalNumber: plain.append(contentsOf: "\(Int(properties.numericValue ?? 0))".unicodeScalars)
            case .spaceSeparator: plain.append(" ")
            // Joiners are within words and emoji.
            case .format where !("\u{200C}"..."\u{200D}").contains(scalar) && scalar.value < 0x10000: break
            case _ where ("\u{FF21}"..."\u{FF5A}").contains(scalar) && properties.isAlphabetic:
                plain.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            default: plain.append(scalar.isASCII ? scalar : Self.signs[scalar] ?? scalar)
            }
        }
        return String(plain)
    }

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = ["：": ":", "－": "-", "−": "-", "／": "/", "．": "."]
}
