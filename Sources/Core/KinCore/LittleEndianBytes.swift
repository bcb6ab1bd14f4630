/// Appends integers and floating-point numbers to a byte array, lowest byte first.
package struct LittleEndianWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer without bytes.
    package init() {}

    /// Appends an integer of at most 64 bits.
    package mutating func write(_ number: some FixedWidthInteger) {
        append(UInt64(truncatingIfNeeded: number), count: number.bitWidth / 8)
    }

    /// Appends the bit pattern of a float, 4 bytes; NaN and −0 are preserved.
    package mutating func write(_ number: Float) { append(UInt64(number.bitPattern), count: 4) }

    /// Appends the bit pattern of a double, 8 bytes; NaN and −0 are preserved.
    package mutating func write(_ number: Double) { append(number.bitPattern, count: 8) }

    /// Appends the bit patterns of doubles in sequence.
    package mutating func write(_ numbers: [Double]) {
        unsafe numbers.map { $0.bitPattern.littleEndian }.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends bytes without their count.
    package mutating func write(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    private mutating func append(_ word: UInt64, count: Int) {
        for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word &>> (8 * i))) }
    }
}

/// Reads numbers written by a ``LittleEndianWriter``; too few bytes throw an error and never trap.
package struct LittleEndianReader: Sendable {
    private let bytes: [UInt8]
    private let subject: String
    private let advice: String?
    private var offset: Int

    /// Creates a reader of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to read.
    ///   - offset: The first byte to read, 0 or more.
    ///   - subject: The noun for the bytes in errors: "the bytes are not `subject`".
    ///   - advice: The advice at the end of errors; nil for none.
    package init(_ bytes: [UInt8], from offset: Int = 0, of subject: String, advice: String? = nil) {
        self.bytes = bytes
        self.subject = subject
        self.advice = advice
        self.offset = offset
    }

    /// The number of remaining bytes.
    package var rest: Int { bytes.count - offset }

    /// Reads an integer of at most 64 bits.
    ///
    /// - Throws: `.corruptFile` if fewer bytes remain.
    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(KinError) -> Number
    {
        Number(truncatingIfNeeded: try word(count: Number.bitWidth / 8))
    }

    /// Reads the bit pattern of a float, for any value.
    ///
    /// - Throws: `.corruptFile` if fewer bytes remain.
    package mutating func read(_ type: Float.Type = Float.self) throws(KinError) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: try word(count: 4)))
    }

    /// Reads the bit pattern of a double, for any value.
    ///
    /// - Throws: `.corruptFile` if fewer bytes remain.
    package mutating func read(_ type: Double.Type = Double.self) throws(KinError) -> Double {
        Double(bitPattern: try word(count: 8))
    }

    /// Reads `count` doubles; allocates memory only for doubles that the bytes contain.
    ///
    /// - Throws: `.corruptFile` if `count` is negative or fewer bytes remain.
    package mutating func readDoubles(count: Int) throws(KinError) -> [Double] {
        guard count >= 0, count <= rest / 8 else { throw damaged("it ends too early") }
        defer { offset += 8 * count }
        return unsafe bytes.withUnsafeBytes { bytes in
            (0..<count).map { k in
                let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8 * k, as: UInt64.self)
                return Double(bitPattern: UInt64(littleEndian: bits))
            }
        }
    }

    /// Reads `count` bytes unchanged.
    ///
    /// - Throws: `.corruptFile` if `count` is negative or fewer bytes remain.
    package mutating func readBytes(count: Int) throws(KinError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest else { throw damaged("it ends too early") }
        offset += count
        return bytes[offset - count..<offset]
    }

    private mutating func word(count: Int) throws(KinError) -> UInt64 {
        guard count <= rest else { throw damaged("it ends too early") }
        var word: UInt64 = 0
        for i in 0..<count { word |= UInt64(bytes[offset + i]) &<< (8 * i) }
        offset += count
        return word
    }

    /// The `.corruptFile` error for bytes that violate the format.
    package func damaged(_ reason: String) -> KinError {
        KinError(.corruptFile, "the bytes are not \(subject): \(reason)" + (advice.map { "; \($0)" } ?? ""))
    }
}
