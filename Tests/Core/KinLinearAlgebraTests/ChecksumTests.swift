import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite("CRC-32C")
struct ChecksumTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 { CRC32C.of(unsafe bytes.span.bytes) }

    /// The examples of RFC 3720, appendix B.4, and the customary check value.
    @Test func checksumsEqualPublishedValues() {
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum(Array((0..<32).reversed())) == 0x113F_DB5C)
        #expect(checksum([]) == 0)
    }

    @Test func piecesGiveTheChecksumOfTheWhole() {
        var random = SeededGenerator(seed: 3)
        let bytes = (0..<10_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let whole = checksum(bytes)
        for _ in 0..<100 {
            let cut = random.below(bytes.count)
            let second = cut + random.below(bytes.count - cut)
            var pieces = CRC32C()
            for piece in [bytes[..<cut], bytes[cut..<second], bytes[second...]] {
                pieces.update(unsafe piece.span.bytes)
            }
            #expect(pieces.value == whole, "cuts at \(cut) and \(second)")
        }
    }
}
