/// The message authentication code HMAC-SHA256 (RFC 2104 over FIPS 180-4).
///
/// Kin uses cryptography only for the naming key and the assignment of experiments. A library would add 375 files of
/// C++, a third of the time of a first build, for the forty lines below. Tests compare them with the vectors of NIST
/// and RFC 4231, and with a second implementation at every length up to 300 bytes. The code has no branch and no table
/// look-up that depends on a byte of the key or the message.
package struct HMACSHA256: Sendable {
    /// The states after the inner and the outer key block.
    private let inner: SHA256
    private let outer: SHA256

    /// Prepares a key of any length.
    package init(key: [UInt8]) {
        var block = key.count > SHA256.blockLength ? SHA256.digest(key) : key
        block += [UInt8](repeating: 0, count: SHA256.blockLength - block.count)
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
        (self.inner, self.outer) = (inner, outer)
    }

    /// The code of a message, 32 bytes; O(n).
    package func code(of message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.update(message)
        outer.update(inner.finish())
        return outer.finish()
    }
}

/// The hash function SHA-256 (FIPS 180-4, § 6.2).
package struct SHA256: Sendable {
    /// The number of bytes in a block.
    package static let blockLength = 64

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes, then the hash of the blocks so far.
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// The hash of a message, 32 bytes.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(message)
        return hash.finish()
    }

    /// Continues with more bytes of the message.
    package mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Self.blockLength {
            mix(rest[start..<start + Self.blockLength])
            start += Self.blockLength
        }
        rest.removeFirst(start)
    }

    /// Ends the message with a 1 bit, zeros and its length in bits, and returns its hash.
    package mutating func finish() -> [UInt8] {
        let bits = byteCount * 8
        let zeros = (2 * Self.blockLength - 9 - rest.count) % Self.blockLength
        update(
            [0x80] + [UInt8](repeating: 0, count: zeros)
                + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private mutating func mix(_ block: ArraySlice<UInt8>) {
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        var schedule = [UInt32](repeating: 0, count: 64)
        for (place, byte) in block.enumerated() { schedule[place / 4] = schedule[place / 4] << 8 | UInt32(byte) }
        for t in 16..<64 {
            let (a, b) = (schedule[t - 15], schedule[t - 2])
            let low = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
            let high = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
            schedule[t] = schedule[t - 16] &+ low &+ schedule[t - 7] &+ high
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for t in 0..<64 {
            let first =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ (e & f ^ ~e & g) &+ Self.constants[t]
                &+ schedule[t]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
    }
}
