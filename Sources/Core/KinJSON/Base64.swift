/// The base64 encoding (RFC 4648, section 4).
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Encodes bytes, with padding.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? letters[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text with padding.
    ///
    /// - Throws: `.malformedInput`.
    package static func bytes(_ text: String) throws(KinError) -> [UInt8] {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        var input = ArraySlice(text.utf8)
        guard input.count % 4 == 0 else { throw KinError(.malformedInput, "base64 comes in groups of four characters") }
        let padding = input.suffix(2).count { $0 == UInt8(ascii: "=") }
        input = input.dropLast(padding)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(input.count / 4 * 3)
        var (group, bits) = (0, 0)
        for letter in input {
            let value = values[Int(letter)]
            guard value < 64 else { throw KinError(.malformedInput, "this is not base64") }
            group = (group << 6 | Int(value)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
            }
        }
        return bytes
    }
}
