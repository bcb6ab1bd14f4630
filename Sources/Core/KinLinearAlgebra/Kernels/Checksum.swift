import CKinKernels

/// The CRC-32C (Castagnoli) checksum of a stream of bytes, computed by a CPU instruction if available.
///
/// Polynomial 0x1EDC6F41, reflected, initial value and final exclusive-or 0xFFFFFFFF, as in RFC 3720 (appendix B.4):
/// the nine bytes `123456789` give 0xE3069283. The stream may be divided into pieces anywhere.
package struct CRC32C: Sendable, Hashable {
    /// The checksum of all bytes so far; 0 before the first.
    package private(set) var value: UInt32 = 0

    /// Creates the checksum of an empty stream.
    package init() {}

    /// Continues the checksum over `bytes`. O(n), no allocation.
    package mutating func update(_ bytes: borrowing RawSpan) {
        let crc = value
        value = unsafe bytes.withUnsafeBytes { buffer in
            unsafe kin_kernels_active().pointee.crc32c(crc, buffer.baseAddress, buffer.count)
        }
    }

    /// The checksum of one piece of bytes.
    package static func of(_ bytes: borrowing RawSpan) -> UInt32 {
        var checksum = CRC32C()
        checksum.update(bytes)
        return checksum.value
    }
}
