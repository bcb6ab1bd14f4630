package import KinCore

/// Writes numbers one after the other, little-endian.
package struct StateWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    package mutating func write(_ number: Float) { write(number.bitPattern) }

    package mutating func write(_ number: Double) { write(number.bitPattern) }
}

/// Reads what ``StateWriter`` wrote; any other bytes are an error, never a trap.
package struct StateReader: Sendable {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { place == bytes.count }

    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(KinError) -> Number
    {
        let count = Number.bitWidth / 8
        guard bytes.count - place >= count else { throw Self.damaged("it ends too early") }
        var number: Number = 0
        for index in 0..<count { number |= Number(truncatingIfNeeded: bytes[place + index]) &<< (8 * index) }
        place += count
        return number
    }

    package mutating func readFloat() throws(KinError) -> Float {
        let number = Float(bitPattern: try read())
        guard abs(number) <= 1e9 else { throw Self.damaged("a number in it is out of range") }
        return number
    }

    /// A number of at most the year 9999 in minutes.
    ///
    /// - Parameter allowsNaN: whether the number may be NaN, as unknown features are.
    package mutating func readDouble(allowsNaN: Bool = false) throws(KinError) -> Double {
        let number = Double(bitPattern: try read())
        guard abs(number) <= 5e9 || (allowsNaN && number.isNaN) else {
            throw Self.damaged("a number in it is out of range")
        }
        return number
    }

    /// A count that may be at most `limit`.
    package mutating func readCount(limit: Int) throws(KinError) -> Int {
        let count = Int(try read(UInt16.self))
        guard count <= limit else { throw Self.damaged("it counts \(count) where \(limit) are the most") }
        return count
    }

    package static func damaged(_ reason: String) -> KinError {
        KinError(
            .corruptFile, "the bytes are not a state of this release: \(reason); build the state anew from the log")
    }
}
