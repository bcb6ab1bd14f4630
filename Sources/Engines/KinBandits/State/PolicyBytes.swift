import KinCore

/// A writer of numbers in little-endian order.
struct PolicyWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ numbers: [Double]) {
        bytes.reserveCapacity(bytes.count + numbers.count * 8)
        for number in numbers { write(number) }
    }
}

/// A reader of the bytes of a ``PolicyWriter``; any other bytes are an error, never a trap.
struct PolicyReader: ~Copyable {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes that are left.
    var rest: Int { bytes.count - offset }

    mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(KinError) -> Number {
        let count = Number.bitWidth / 8
        guard rest >= count else { throw Self.damaged("it ends too early") }
        var number: Number = 0
        for index in 0..<count { number |= Number(truncatingIfNeeded: bytes[offset + index]) &<< (8 * index) }
        offset += count
        return number
    }

    mutating func readDouble() throws(KinError) -> Double { Double(bitPattern: try read()) }

    mutating func readDoubles(count: Int) throws(KinError) -> [Double] {
        // Checked before memory is allocated: no more than the bytes that are left.
        guard count >= 0, count <= rest / 8 else { throw Self.damaged("it ends too early") }
        var numbers: [Double] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try readDouble()) }
        return numbers
    }

    static func damaged(_ reason: String) -> KinError {
        KinError(.corruptFile, "the bytes are not a policy's state: \(reason)")
    }
}
