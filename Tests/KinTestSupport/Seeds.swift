import Foundation
package import KinCore

/// The seed of one randomised test: `KIN_TEST_SEED` from the environment, or a fixed number.
///
/// A test draws from ``generator`` and passes `"\(seed)"` as the comment of its expectations. A failure then prints the
/// variable to set for reproduction:
///
///     let seed = TestSeed()
///     var random = seed.generator
///     #expect(sum == expected, "\(seed)")
package struct TestSeed: Sendable, CustomStringConvertible {
    package let value: UInt64

    /// Makes different tests draw different numbers from one `KIN_TEST_SEED`.
    private let stream: UInt64

    package init(test: String = #function) {
        value = ProcessInfo.processInfo.environment["KIN_TEST_SEED"].flatMap { UInt64($0) } ?? 20_260_301
        // FNV-1a, 64 bits: unlike Hasher it gives the same value in every process.
        stream = test.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// A generator at the start of this test's stream.
    package var generator: SeededGenerator { .stream(stream, of: value) }

    package var description: String { "KIN_TEST_SEED=\(value)" }
}

/// The number of repetitions in a test: that of a variable in the environment, for the long form, or the standard.
package func repetitions(_ variable: String, standard: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? standard
}
