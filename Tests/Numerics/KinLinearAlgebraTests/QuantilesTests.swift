import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct QuantilesTests {
    /// Expected values: numpy.quantile of the same numbers.
    @Test func agreesWithTheUsualDefinition() throws {
        let quantiles = try Quantiles(of: [3, 1, 4, 1, 5, 9, 2, 6])
        for (p, expected) in [(0, 1), (0.1, 1), (0.25, 1.75), (0.5, 3.5), (0.75, 5.25), (0.9, 6.9), (1, 9)] {
            #expect(abs(try quantiles(p) - expected) < 1e-14, "p = \(p)")
        }
        #expect(quantiles.median == 3.5)
        #expect(try Quantiles(of: [7, -2, 3]).median == 3)
    }

    @Test func oneNumberIsEveryQuantile() throws {
        let quantiles = try Quantiles(of: [-2.5])
        for p in [0, 0.3, 1] { #expect(try quantiles(p) == -2.5) }
    }

    @Test func neverFallsAsTheShareRises() throws {
        let seed = TestSeed()
        var random = seed.generator
        for n in [2, 3, 10, 101] {
            let sample = (0..<n).map { _ in random.gaussian() }
            let quantiles = try Quantiles(of: sample)
            let values = try (0...1000).map { try quantiles(Double($0) / 1000) }
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "\(seed)")
            #expect(values.first == sample.min() && values.last == sample.max(), "\(seed)")
        }
    }

    @Test func theWholeRangeOfDoublesWorks() throws {
        let largest = Double.greatestFiniteMagnitude
        #expect(try Quantiles(of: [-largest, largest]).median == 0)
        #expect(try Quantiles(of: [-largest, largest])(1) == largest)
    }

    @Test func badInputIsRefused() throws {
        #expect(errorCode { try Quantiles(of: []) } == .invalidArgument)
        #expect(errorCode { try Quantiles(of: [1, .nan]) } == .notFinite)
        #expect(errorCode { try Quantiles(of: [1, .infinity]) } == .notFinite)
        let quantiles = try Quantiles(of: [1, 2])
        for p in [-0.1, 1.1, .nan] { #expect(errorCode { try quantiles(p) } == .invalidArgument) }
    }
}
