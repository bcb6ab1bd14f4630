import KinLinearAlgebra

/// The bytes with the checksums of table and header corrected.
func resealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 64 else { return bytes }
    var bytes = bytes
    let table = Int(clamping: bytes[32..<40].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    if table >= 64, table <= bytes.count { seal(table..<bytes.count, at: 44, in: &bytes) }
    seal(0..<60, at: 60, in: &bytes)
    return bytes
}

private func seal(_ range: Range<Int>, at offset: Int, in bytes: inout [UInt8]) {
    let checksum = unsafe CRC32C.of(bytes.span.bytes.extracting(range))
    for i in 0..<4 { bytes[offset + i] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(i))) }
}
