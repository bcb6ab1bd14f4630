/// A table of expected rewards and actual mean rewards, in ten bins of equal width.
public struct CalibrationTable: Sendable, Hashable {
    /// The rounds whose expected reward is in one tenth of 0…1.
    public struct Bin: Sendable, Hashable {
        /// The number of rounds in the bin.
        public internal(set) var count = 0
        var expectedSum = 0.0
        var actualSum = 0.0

        /// The mean expected reward; 0 without rounds.
        public var expected: Double { count == 0 ? 0 : expectedSum / Double(count) }
        /// The mean actual reward; 0 without rounds.
        public var actual: Double { count == 0 ? 0 : actualSum / Double(count) }
    }

    /// The ten bins, from 0…0.1 to 0.9…1.
    public private(set) var bins = [Bin](repeating: Bin(), count: 10)

    /// Creates a table without rounds.
    public init() {}

    /// Adds a round, with the expected reward clamped to 0…1.
    public mutating func add(expected: Double, actual: Double) {
        let bounded = min(1, max(0, expected))
        let bin = min(9, Int(bounded * 10))
        bins[bin].count += 1
        bins[bin].expectedSum += bounded
        bins[bin].actualSum += actual
    }

    /// The expected calibration error: Σ share of the bin · |mean expected − mean actual| (Naeini, Cooper and
    /// Hauskrecht 2015, "Obtaining well calibrated probabilities using Bayesian binning"); 0 without rounds.
    public var error: Double {
        let rounds = bins.reduce(0) { $0 + $1.count }
        guard rounds > 0 else { return 0 }
        return bins.reduce(0) { $0 + abs($1.expectedSum - $1.actualSum) } / Double(rounds)
    }
}
