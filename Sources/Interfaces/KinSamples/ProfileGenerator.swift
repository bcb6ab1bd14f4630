/// A generator of synthetic profiles from a seed: the same rows on every machine, at any number of threads.
///
/// Rows are generated in blocks of ``blockRows``; each block draws from its own stream of the seed, so blocks are
/// independent. Coordinates are multiples of a millionth in 0…1: with six decimals they are exact, and CSV, NPY and
/// fvecs files of one seed contain the same floats.
public struct ProfileGenerator: Sendable {
    /// The number of rows that share one random stream.
    public static let blockRows = 4096

    /// The number of profiles.
    public let count: Int
    /// The number of coordinates of each profile.
    public let dimension: Int
    private let seed: UInt64
    private let sampler: ProfileSampler

    /// Creates a generator of one shape.
    ///
    /// - Parameters:
    ///   - shape: The distribution of the profiles in the unit cube.
    ///   - count: The number of profiles, at least 1.
    ///   - dimension: The number of coordinates of each profile, 1 to 4096.
    ///   - seed: Any number; the same seed gives the same profiles.
    /// - Throws: `.invalidArgument` for numbers outside their ranges.
    public init(_ shape: ProfileShape, count: Int, dimension: Int, seed: UInt64) throws(KinError) {
        func check(_ isRight: Bool, _ message: String) throws(KinError) {
            guard isRight else { throw KinError(.invalidArgument, message) }
        }
        try check(count > 0, "count must be at least 1")
        try check((1...4096).contains(dimension), "dimension must be from 1 to 4096")
        switch shape {
        case .uniform: break
        case .clustered(let clusters):
            try check((1...1_000_000).contains(clusters), "clusters must be from 1 to 1,000,000")
        case .correlated(let factors, let noise):
            try check((1...dimension).contains(factors), "factors must be from 1 to the dimension, \(dimension)")
            try check((0...1).contains(noise), "noise must be from 0 to 1")
        }
        self.count = count
        self.dimension = dimension
        self.seed = seed
        var generator = SeededGenerator.stream(0, of: seed)
        sampler = ProfileSampler(shape, dimension: dimension, generator: &generator)
    }

    /// The number of blocks of rows.
    var blocks: Int { (count + ProfileGenerator.blockRows - 1) / ProfileGenerator.blockRows }

    /// The coordinates of one block, row after row, in millionths.
    func block(_ block: Int) -> [UInt32] {
        let first = block * ProfileGenerator.blockRows
        let rows = min(ProfileGenerator.blockRows, count - first)
        var generator = SeededGenerator.stream(UInt64(block) + 1, of: seed)
        var point = [Double](repeating: 0, count: dimension)
        var millionths: [UInt32] = []
        millionths.reserveCapacity(rows * dimension)
        for _ in 0..<rows {
            sampler.draw(into: &point, using: &generator)
            for value in point { millionths.append(UInt32(value * 1e6 + 0.5)) }
        }
        return millionths
    }

    /// Converts a coordinate from millionths to a float.
    static func coordinate(_ millionths: UInt32) -> Float { Float(Double(millionths) / 1e6) }

    /// Calls `body` with every block in order; several blocks are generated at once.
    func forEachBlock<E: Error>(threads: Int, _ body: (_ block: Int, _ millionths: [UInt32]) throws(E) -> Void)
        throws(E)
    {
        let wave = min(threads, 1 << 16) * 4
        for first in stride(from: 0, to: blocks, by: wave) {
            let made = concurrentMap(threads, min(wave, blocks - first), memory: {}) { offset, _ in
                block(first + offset)
            }
            for (offset, millionths) in made.enumerated() { try body(first + offset, millionths) }
        }
    }

    /// All rows as floats, row after row.
    ///
    /// - Parameter threads: The most threads to use; the rows do not depend on it.
    /// - Precondition: `threads` is 1 or more.
    public func elements(threads: Int) -> [Float] {
        precondition(threads >= 1, "threads must be 1 or more")
        var elements: [Float] = []
        elements.reserveCapacity(count * dimension)
        forEachBlock(threads: threads) { _, millionths in
            for value in millionths { elements.append(ProfileGenerator.coordinate(value)) }
        }
        return elements
    }
}
