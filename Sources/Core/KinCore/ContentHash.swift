/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923). It detects changes and is not cryptographic.
package struct ContentHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no parts.
    package init() {}

    /// Mixes in a text and its end, so that "ab" + "c" differs from "a" + "bc".
    package mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// The value in hexadecimal, 16 digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
