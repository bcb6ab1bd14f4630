import Synchronization

/// A version of a store: the number of its last change, and a digest of all changes up to it.
///
/// The number alone is not enough: a database restored from a copy reaches the same numbers by different changes. Equal
/// versions mean equal records, except with probability 2⁻⁶³.
public struct StoreVersion: Sendable, Hashable {
    /// The number of the last change, ascending with time.
    public let number: Int64
    let chain: Int64
}

extension StoreVersion: CustomStringConvertible {
    public var description: String { "change \(number)" }
}

extension StoreVersion {
    /// The version in an index file: number and digest, eight bytes each, little-endian.
    var bytes: [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(number)
        writer.write(chain)
        return writer.bytes
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var reader = LittleEndianReader(bytes, of: "a version of a store")
        guard let number = try? reader.read(Int64.self), let chain = try? reader.read(Int64.self) else { return nil }
        self.init(number: number, chain: chain)
    }
}

/// A version that many threads read without a lock while one thread at a time changes it; nil if unknown.
final class KnownVersion: Sendable {
    /// −1 without a version and during a change.
    private let number = Atomic<Int64>(-1)
    private let chain = Atomic<Int64>(0)

    var version: StoreVersion? {
        get {
            let number = number.load(ordering: .acquiring)
            let chain = chain.load(ordering: .acquiring)
            guard number >= 0, number == self.number.load(ordering: .relaxed) else { return nil }
            return StoreVersion(number: number, chain: chain)
        }
        set {
            number.store(-1, ordering: .sequentiallyConsistent)
            guard let newValue else { return }
            chain.store(newValue.chain, ordering: .releasing)
            number.store(newValue.number, ordering: .releasing)
        }
    }
}

/// A hash chain over numbers and texts: 64 bits, mixed by the finalizer of SplitMix64 (Steele et al., 2014).
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

    /// The value in the database column: the upper 63 bits.
    var column: Int64 { Int64(bitPattern: value >> 1) }
}
