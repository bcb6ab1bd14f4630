package import KinCore

/// Appends integers and floating-point numbers to a byte array, little-endian.
package struct StateWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer without bytes.
    package init() {}

    /// Appends an integer, its lowest byte first.
    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends the bit pattern of a float.
    package mutating func write(_ number: Float) { write(number.bitPattern) }

    /// Appends the bit pattern of a double.
    package mutating func write(_ number: Double) { write(number.bitPattern) }
}

/// Reads numbers that ``StateWriter`` wrote; any other bytes throw an error and never trap.
package struct StateReader: Sendable {
    private let bytes: [UInt8]
    private var offset = 0

    /// Creates a reader at the beginning of the bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// True when all bytes have been read.
    package var isAtEnd: Bool { offset == bytes.count }

    /// Reads one little-endian integer.
    ///
    /// - Throws: `.corruptFile` when fewer bytes are left.
    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(KinError) -> Number
    {
        let count = Number.bitWidth / 8
        guard bytes.count - offset >= count else { throw Self.damaged("it ends too early") }
        var number: Number = 0
        for index in 0..<count { number |= Number(truncatingIfNeeded: bytes[offset + index]) &<< (8 * index) }
        offset += count
        return number
    }

    /// Reads a float of magnitude at most 10⁹.
    ///
    /// - Throws: `.corruptFile` for any other number, NaN included.
    package mutating func readFloat() throws(KinError) -> Float {
        let number = Float(bitPattern: try read())
        guard abs(number) <= 1e9 else { throw Self.damaged("a number in it is out of range") }
        return number
    }

    /// Reads a double of magnitude at most 5 · 10⁹, the year 9999 in minutes.
    ///
    /// - Parameter allowsNaN: True when NaN is accepted, as for unknown features.
    /// - Throws: `.corruptFile` for any other number.
    package mutating func readDouble(allowsNaN: Bool = false) throws(KinError) -> Double {
        let number = Double(bitPattern: try read())
        guard abs(number) <= 5e9 || (allowsNaN && number.isNaN) else {
            throw Self.damaged("a number in it is out of range")
        }
        return number
    }

    /// Reads a 16-bit count of at most `limit`.
    ///
    /// - Throws: `.corruptFile` for a larger count.
    package mutating func readCount(limit: Int) throws(KinError) -> Int {
        let count = Int(try read(UInt16.self))
        guard count <= limit else { throw Self.damaged("it counts \(count) where \(limit) are the most") }
        return count
    }

    /// The `.corruptFile` error for a state whose bytes contradict the format.
    package static func damaged(_ reason: String) -> KinError {
        KinError(
            .corruptFile, "the bytes are not a state of this release: \(reason); build the state anew from the log")
    }
}
