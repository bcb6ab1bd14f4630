import CKinKernels
import KinCore
import Testing

@Suite("Scans")
struct ScanTests {
    @Test("the first NaN or infinity is found at any position", arguments: KernelTable.all)
    func firstNotFinite(table: KernelTable) {
        var random = SeededGenerator(seed: 7000)
        let bad: [Float] = [.nan, .signalingNaN, .infinity, -.infinity, Float(bitPattern: 0xFFFF_FFFF)]
        // Pieces of 1,024 numbers are checked as one.
        for n in [0, 1, 2, 7, 16, 63, 64, 65, 200, 1000, 1024, 1025, 2048, 5000] {
            var values = (0..<n).map { _ in Float(random.uniform() - 0.5) * .greatestFiniteMagnitude }
            #expect(unsafe table.functions.first_not_finite(values, n) == n)
            guard n > 0 else { continue }
            for _ in 0..<20 {
                let first = random.below(n)
                let kept = values
                values[first] = bad[random.below(bad.count)]
                values[first + random.below(n - first)] = .infinity
                #expect(unsafe table.functions.first_not_finite(values, n) == first, "n \(n), seed 7000")
                values = kept
            }
        }
    }

    /// CRC-32C by its definition: the remainder of the reflected polynomial 0x82F63B78, one bit at a time.
    private func crc32c(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
        return ~crc
    }

    @Test("CRC-32C gives the check values of RFC 3720, B.4", arguments: KernelTable.all)
    func checkValues(table: KernelTable) {
        let values: [([UInt8], UInt32)] = [
            ([], 0),
            (Array("123456789".utf8), 0xE306_9283),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            ((0..<32).map { UInt8($0) }, 0x46DD_794E),
            ((0..<32).reversed().map { UInt8($0) }, 0x113F_DB5C),
        ]
        for (bytes, crc) in values { #expect(unsafe table.functions.crc32c(0, bytes, bytes.count) == crc) }
    }

    @Test("CRC-32C is correct for any length and start, in one or two pieces", arguments: KernelTable.all)
    func lengths(table: KernelTable) {
        var random = SeededGenerator(seed: 7100)
        for n in [1, 7, 8, 9, 100, 1023, 3071, 3072, 3073, 24_575, 24_576, 24_577, 60_001] {
            let bytes = (0..<(n + 9)).map { _ in UInt8(random.below(256)) }
            let start = random.below(9)
            let piece = Array(bytes[start..<(start + n)])
            let cut = random.below(n + 1)
            let expected = crc32c(piece)
            unsafe bytes.withUnsafeBytes { buffer in
                let base = unsafe buffer.baseAddress! + start
                let whole = unsafe table.functions.crc32c(0, base, n)
                let head = unsafe table.functions.crc32c(0, base, cut)
                let joined = unsafe table.functions.crc32c(head, base + cut, n - cut)
                #expect(whole == expected, "n \(n), start \(start), seed 7100")
                #expect(joined == expected, "n \(n), start \(start), cut \(cut), seed 7100")
            }
        }
    }
}
