internal import CCeilings

/// The measured limits of this machine, for comparison with a search's figures.
///
/// A rate depends on the machine's other work and on its current clock. Measure the ceilings in the same run as the
/// figures and quote the ratio.
public struct Ceilings: Sendable, Codable {
    /// Multiply-adds per second in registers, all threads together, at one instruction set level.
    public struct Arithmetic: Sendable, Codable {
        /// "avx2", "avx512vnni", "neon", "neondot" or "neoni8mm".
        public var level: String
        public var threads: Int
        public var floatInstruction: String
        public var floatMultiplyAdds: Double
        public var byteInstruction: String
        public var byteMultiplyAdds: Double
    }

    /// Bytes per second that all threads together read, each from a separate range of memory.
    public struct Reading: Sendable, Codable {
        /// The location of the bytes.
        public enum Place: String, Sendable, Codable {
            case level2 = "L2", level3 = "L3", memory = "DRAM"
            /// Depends on the caller's number of bytes.
            case given
        }
        public var place: Place
        public var threads: Int
        public var bytesPerThread: Int
        public var bytesPerSecond: Double
    }

    public var arithmetic: [Arithmetic]
    public var reading: [Reading]

    /// Measures everything.
    ///
    /// - Parameters:
    ///   - threads: the thread counts to measure.
    ///   - seconds: the time of one round; each figure is the best of five rounds.
    ///   - bytes: further numbers of bytes to read, divided among the threads.
    public static func measure(threads: [Int] = [1, 2], seconds: Double = 0.05, bytes: [Int] = []) -> Ceilings {
        Ceilings(
            arithmetic: threads.flatMap { count in levels.map { arithmetic(level: $0, threads: count, seconds) } },
            reading: threads.flatMap { count in
                places.map { reading($0.place, $0.bytes, threads: count, seconds) }
                    + bytes.map { reading(.given, $0 / count, threads: count, seconds) }
            }
        )
    }

    /// The levels that this machine runs, best last; empty on a processor without vector units known here.
    public static let levels: [String] = {
        var found: [String] = []
        while let name = unsafe ceiling_level(found.count) { found.append(unsafe String(cString: name)) }
        return found
    }()

    private static func arithmetic(level: String, threads: Int, _ seconds: Double) -> Arithmetic {
        Arithmetic(
            level: level,
            threads: threads,
            floatInstruction: unsafe ceiling_float_instruction(level).map { unsafe String(cString: $0) } ?? "",
            floatMultiplyAdds: unsafe ceiling_float(level, Int32(threads), seconds),
            byteInstruction: unsafe ceiling_byte_instruction(level).map { unsafe String(cString: $0) } ?? "",
            byteMultiplyAdds: unsafe ceiling_byte(level, Int32(threads), seconds)
        )
    }

    private static func reading(_ place: Reading.Place, _ bytes: Int, threads: Int, _ seconds: Double) -> Reading {
        Reading(
            place: place,
            threads: threads,
            bytesPerThread: bytes,
            bytesPerSecond: ceiling_read(bytes, Int32(threads), seconds)
        )
    }

    /// Half of the second cache; eight times the second cache, well inside a third cache shared with others; and more
    /// than any cache holds.
    private static let places: [(place: Reading.Place, bytes: Int)] = {
        let second = ceiling_cache_bytes(2) == 0 ? 512 << 10 : ceiling_cache_bytes(2)
        let third = ceiling_cache_bytes(3)
        return [(.level2, second / 2), (.level3, second * 8), (.memory, max(512 << 20, third * 2))]
    }()
}

extension Ceilings {
    /// The arithmetic ceiling of a kernel table by name; nil for a table without one ("serial").
    public func arithmetic(level: String, threads: Int) -> Arithmetic? {
        arithmetic.first { $0.level == level && $0.threads == threads }
    }

    /// Measures how fast the threads together read `bytes`, each its own share, repeatedly. This is the bound of a scan
    /// over that number of bytes, in cache or memory.
    public static func readingRate(bytes: Int, threads: Int, seconds: Double = 0.05) -> Double {
        ceiling_read(bytes / threads, Int32(threads), seconds)
    }
}
