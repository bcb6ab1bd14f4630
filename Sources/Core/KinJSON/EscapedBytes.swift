/// The bytes that a string in JSON must escape (RFC 8259, section 7): quotation marks, backslashes and control
/// characters.
///
/// Strings are scanned eight bytes at a time.
enum EscapedBytes {
    /// Whether a byte must be escaped.
    static func contains(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    /// Finds the bytes to escape among eight.
    ///
    /// - Parameter word: Eight bytes, the first of them in the lowest bits.
    /// - Returns: The top bit of the first byte to escape, and possibly of bytes after it; 0 if no byte needs an escape.
    static func mask(of word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // The top bit of a byte is set if the byte is 0 (or less than 0x20). A borrow can set further top bits only
        // above the first correct one, and only the first counts (Warren, Hacker's Delight, 6-1).
        let special =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
        return special & topBits
    }

    /// The top bit of each of eight bytes.
    static let topBits: UInt64 = 0x8080_8080_8080_8080
}
