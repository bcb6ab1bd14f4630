/// A four-character code: four printable ASCII characters that name a kind of file or of section.
///
/// In a file the first character is stored first; as a number it is the lowest byte.
package struct FourCharacterCode: Hashable, Sendable {
    package let rawValue: UInt32

    /// Creates the code with these bytes; nil if one of them is not a printable ASCII character (0x20 … 0x7E).
    package init?(rawValue: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            guard (0x20...0x7E).contains(rawValue >> UInt32(shift) & 0xFF) else { return nil }
        }
        self.rawValue = rawValue
    }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
    /// Creates a code from a literal.
    ///
    /// - Precondition: the literal is four printable ASCII characters.
    package init(stringLiteral text: String) {
        let bytes = Array(text.utf8)
        precondition(bytes.count == 4, "a four-character code has four characters, not \"\(text)\"")
        let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let code = FourCharacterCode(rawValue: number) else {
            preconditionFailure("a four-character code is printable ASCII")
        }
        self = code
    }
}

extension FourCharacterCode: CustomStringConvertible {
    package var description: String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32($0))) }, as: UTF8.self)
    }
}
