import Foundation
package import KinCore

/// The seed of all randomised tests: `KIN_TEST_SEED` from the environment, or a fixed number. A test run prints it.
///
/// Each test draws from its own stream, so a failure repeats if the test runs alone with the same seed:
///
///     var random = TestSeed().generator
package struct TestSeed: Sendable {
    package static let value: UInt64 = {
        let seed = ProcessInfo.processInfo.environment["KIN_TEST_SEED"].flatMap { UInt64($0) } ?? 20_260_301
        print("KIN_TEST_SEED=\(seed)")
        return seed
    }()

    /// Makes different tests draw different numbers from one seed.
    private let stream: UInt64

    package init(test: String = #function) {
        // FNV-1a, 64 bits: unlike Hasher it gives the same value in every process.
        stream = test.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// A generator at the start of this test's stream.
    package var generator: SeededGenerator { .stream(stream, of: Self.value) }
}

/// The number of repetitions in a test: that of a variable in the environment, for the long form, or the standard.
package func repetitions(_ variable: String, standard: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? standard
}
