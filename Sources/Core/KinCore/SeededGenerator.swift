/// A fast seeded generator of random numbers: the same seed gives the same sequence on every machine.
///
///     var generator = SeededGenerator(seed: 7)
///     let share = generator.uniform()                       // from 0 to below 1
///     let hour = generator.below(24)                        // 0 to 23
///     let order = (0..<10).shuffled(using: &generator)      // with the standard library's functions
///     var second = SeededGenerator.stream(1, of: 7)         // independent numbers for a second thread
///
/// This is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021,
/// doi:10.1145/3460772), its state filled by SplitMix64 from one 64-bit seed as the authors advise. Period 2²⁵⁶ − 1.
/// Not for cryptography: anonymous names and tokens use keyed hashes.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    /// Creates the generator for a seed; all seeds are equally good.
    public init(seed: UInt64) {
        var mixer = SplitMix64(state: seed)
        a = mixer.next()
        b = mixer.next()
        c = mixer.next()
        d = mixer.next()
    }

    /// The 256 bits that determine all later numbers.
    package var state: [UInt64] { [a, b, c, d] }

    /// Creates a generator that continues from a ``state``; nil for an invalid state.
    package init?(state: [UInt64]) {
        guard state.count == 4, state.contains(where: { $0 != 0 }) else { return nil }
        (a, b, c, d) = (state[0], state[1], state[2], state[3])
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        let sum = a &+ d
        let result = ((sum << 23) | (sum >> 41)) &+ a
        let shifted = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << 45) | (d >> 19)
        return result
    }
}

extension SeededGenerator {
    /// A generator for one part of a larger job, independent of the generators of the other parts.
    ///
    /// Work that is split over threads gives every part its own stream, so the result does not depend on the split.
    public static func stream(_ index: UInt64, of seed: UInt64) -> SeededGenerator {
        var mixer = SplitMix64(state: seed ^ (index &+ 1) &* 0xD134_2543_DE82_EF95)
        return SeededGenerator(seed: mixer.next())
    }

    /// A uniform number in [0, 1): the top 53 bits of one draw.
    public mutating func uniform() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A uniform integer in 0 ..< `bound` without modulo bias (Lemire 2019, doi:10.1145/3230636).
    ///
    /// - Precondition: `bound > 0`.
    public mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "the bound must be positive")
        let range = UInt64(bound)
        var product = next().multipliedFullWidth(by: range)
        if product.low < range {
            let threshold = (0 &- range) % range
            while product.low < threshold { product = next().multipliedFullWidth(by: range) }
        }
        return Int(product.high)
    }

    /// An index drawn with a probability proportional to its weight.
    ///
    /// - Parameters:
    ///   - weights: Finite numbers of at least 0, one of them positive.
    ///   - total: The sum of the weights; nil to compute it.
    /// - Returns: The index of a positive weight.
    package mutating func index(weights: [Double], total: Double? = nil) -> Int {
        var rest = uniform() * (total ?? weights.reduce(0, +))
        var last = weights.count - 1
        for (i, weight) in weights.enumerated() where weight > 0 {
            last = i
            rest -= weight
            if rest < 0 { break }
        }
        return last
    }
}

/// A mixer of any seed, even 0 or 1, into well-distributed bits (Steele, Lea and Flood 2014,
/// doi:10.1145/2660193.2660195).
private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SeededGenerator {
    /// A standard normal deviate, with the same bits on every machine.
    ///
    /// The usual methods call `log` or `cos`, whose last bits differ between C libraries. This method only adds and
    /// multiplies, which IEEE 754 defines to the bit. It sums twelve 16-bit uniforms, exact as integers; the sum has
    /// mean 6 and variance 1 − 2⁻³². Teichroew's odd polynomial in y = (Σ − 6) ∕ 4 then corrects its light tails to the
    /// normal's, within 2·10⁻⁴ for |x| < 3 (Abramowitz and Stegun 1964, 26.8.6a(3)). Three 64-bit numbers per deviate,
    /// no branch. Beyond ±4 the tails are shorter than the normal's, which is irrelevant for profiles in 0…1.
    package mutating func normalDeviate() -> Double {
        var sum = 0
        for _ in 0..<3 {
            let bits = next()
            sum += Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
        }
        // Each part is the middle of its interval of width 2^-16: twelve halves give the 6.
        let y = (Double(sum + 6) * 0x1p-16 - 6) * 0.25
        let s = y * y
        return
            ((((0.029899776 * s + 0.008355968) * s + 0.076542912) * s + 0.252408784) * s + 3.949846138) * y
    }
}
