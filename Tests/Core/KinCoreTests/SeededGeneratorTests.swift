import KinCore
import KinTestSupport
import Testing

/// The authors' own code (prng.di.unimi.it), translated literally. It is checked against their published outputs, and
/// the library against it.
private struct Reference {
    var state: (UInt64, UInt64, UInt64, UInt64)

    mutating func next() -> UInt64 {
        func rotl(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
        let result = rotl(state.0 &+ state.3, 23) &+ state.0
        let t = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= t
        state.3 = rotl(state.3, 45)
        return result
    }

    static func splitMix(_ x: inout UInt64) -> UInt64 {
        x &+= 0x9E37_79B9_7F4A_7C15
        var z = x
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct SeededGeneratorTests {
    @Test func theReferenceGivesThePublishedNumbers() {
        var generator = Reference(state: (1, 2, 3, 4))
        let published: [UInt64] = [
            41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205,
            9_973_669_472_204_895_162, 14_011_001_112_246_962_877, 12_406_186_145_184_390_807,
            15_849_039_046_786_891_736, 10_450_023_813_501_588_000,
        ]
        #expect(published.map { _ in generator.next() } == published)

        var state: UInt64 = 1_234_567
        let mixed: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(mixed.map { _ in Reference.splitMix(&state) } == mixed)
    }

    @Test(arguments: [0, 1, 42, .max, 1_234_567])
    func isTheReferenceSeededBySplitMix(seed: UInt64) {
        var state = seed
        var reference = Reference(state: (0, 0, 0, 0))
        reference.state.0 = Reference.splitMix(&state)
        reference.state.1 = Reference.splitMix(&state)
        reference.state.2 = Reference.splitMix(&state)
        reference.state.3 = Reference.splitMix(&state)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 { #expect(generator.next() == reference.next()) }
    }

    @Test func streamsDiffer() {
        var first: Set<UInt64> = []
        for seed in 0..<30 as Range<UInt64> {
            for index in 0..<30 as Range<UInt64> {
                var generator = SeededGenerator.stream(index, of: seed)
                first.insert(generator.next())
            }
        }
        #expect(first.count == 900)
    }

    @Test func uniformIsInRangeWithTheRightMoments() {
        var random = TestSeed().generator
        let n = 100_000
        var (sum, squares) = (0.0, 0.0)
        for _ in 0..<n {
            let x = random.uniform()
            #expect(x >= 0 && x < 1)
            sum += x
            squares += (x - 0.5) * (x - 0.5)
        }
        // Six standard deviations: 1 ∕ √12n of the mean, 1 ∕ √180n of the variance.
        #expect(abs(sum / Double(n) - 0.5) < 6 * (1 / (12 * Double(n))).squareRoot())
        #expect(abs(squares / Double(n) - 1.0 / 12) < 6 * (1 / (180 * Double(n))).squareRoot())
    }

    @Test(arguments: [1, 2, 3, 7, 10, 64])
    func belowIsUniform(bound: Int) {
        var random = TestSeed().generator
        let expected = 2_000.0
        var counts = [Int](repeating: 0, count: bound)
        for _ in 0..<(bound * Int(expected)) { counts[random.below(bound)] += 1 }
        // χ² of bound − 1 degrees of freedom: mean bound − 1, variance 2 (bound − 1).
        let chiSquared = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        let freedom = Double(bound - 1)
        #expect(chiSquared <= freedom + 8 * (2 * freedom).squareRoot())
    }

    @Test func belowIsUnbiasedNearTheRangeOfADraw() {
        var random = TestSeed().generator
        // 2⁶⁴ is 8∕3 of this bound. A modulo would put 3∕8 of the numbers in the lower third. A multiplication without
        // rejection would give 2 in 8 of them the remainder 2 modulo 3. Both shares are one third if unbiased.
        let bound = 3 << 61
        let numbers = (0..<30_000).map { _ in random.below(bound) }
        #expect(abs(numbers.count { $0 < 1 << 61 } - 10_000) < 500)
        #expect(abs(numbers.count { $0 % 3 == 2 } - 10_000) < 500)
        #expect(numbers.allSatisfy { $0 >= 0 && $0 < bound })
    }
}
