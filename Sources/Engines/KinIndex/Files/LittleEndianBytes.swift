// Sections are handed out as they lie in the file, so the host must be little-endian as the file is. Every platform
// that Swift supports is.
#if _endian(big)
    #error("Kin files are little-endian and read in place; this platform is big-endian")
#endif

extension [UInt8] {
    /// The little-endian number at a byte offset, at any alignment.
    func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type, at offset: Int) -> Number {
        var number: Number = 0
        for i in (0..<MemoryLayout<Number>.size).reversed() {
            number = number << 8 | Number(self[offset + i])
        }
        return number
    }

    /// Appends the bytes of a number, lowest first.
    mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
        for i in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (8 * i)))
        }
    }

    mutating func append(zeros count: Int) {
        append(contentsOf: repeatElement(0, count: count))
    }
}
