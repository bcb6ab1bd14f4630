import KinCore

/// A state of a database: the number of its last change, and a digest of everything that was ever changed until then.
///
/// The number alone would not do: a database that was restored from an old copy counts on from there and comes to the same
/// numbers by other ways. Equal stamps mean equal records, but for one chance in 2⁶³.
public struct StoreVersion: Sendable, Hashable {
    /// Counts the changes; larger is later.
    public let number: Int64
    let chain: Int64

    init(number: Int64, chain: Int64) {
        self.number = number
        self.chain = chain
    }
}

extension StoreVersion: CustomStringConvertible {
    public var description: String { "change \(number)" }
}

extension StoreVersion {
    /// The version as an index file carries it: both numbers, eight bytes each, the lowest first.
    var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (number.littleEndian, chain.littleEndian)) { unsafe Array($0) }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let numbers = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: (Int64, Int64).self) }
        self.init(number: Int64(littleEndian: numbers.0), chain: Int64(littleEndian: numbers.1))
    }
}

/// Mixes numbers into one; the finalizer is that of SplitMix64.
struct HashChain: Sendable {
    private(set) var value: UInt64

    init(_ start: Int64) { value = UInt64(bitPattern: start) }

    mutating func mix(_ number: some FixedWidthInteger) {
        var z = (value ^ UInt64(truncatingIfNeeded: number)) &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        value = z ^ (z >> 31)
    }

    mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        mix(text.utf8.count)
    }

    /// As a column holds it.
    var column: Int64 { Int64(bitPattern: value >> 1) }
}
