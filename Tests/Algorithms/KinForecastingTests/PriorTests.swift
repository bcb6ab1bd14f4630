import Foundation
import KinCore
import KinTestSupport
import Testing

@testable import KinForecasting

/// The prior of young logs, and its weight against the evidence.
@Suite struct PriorTests {
    @Test("the quantiles are the normal ones at the middles of equal shares")
    func quantiles() {
        let count = PriorSpread.normalQuantiles.count
        for (place, quantile) in PriorSpread.normalQuantiles.enumerated() {
            let probability = 0.5 * erfc(-quantile / 2.0.squareRoot())
            #expect(abs(probability - (Double(place) + 0.5) / Double(count)) < 2e-5, "\(quantile)")
        }
    }

    @Test("prior intervals are log-normal on each side of their median")
    func intervals() {
        for (expected, longest) in [(60.0, Double.infinity), (300, .infinity), (780, 150), (100, 150)] {
            let spread = PriorSpread(middle: 0.8, below: 0.6, above: 0.3, longest: longest)
            let intervals = spread.intervals(around: expected)
            #expect(zip(intervals, intervals.dropFirst()).allSatisfy(<))
            for (interval, z) in zip(intervals, PriorSpread.normalQuantiles) {
                let ratio = 0.8 * exp((z < 0 ? 0.6 : 0.3) * z)
                let oracle = expected + (ratio - 1) * min(expected, longest)
                #expect(abs(interval - oracle) < 1e-6 * oracle, "\(expected), \(z)")
            }
        }
    }

    /// The same recursions in double precision.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func spreadAndConfidencePassFromThePriorToTheEvidence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var calibration = Calibration()
        #expect(calibration.confidence(raw: 0.7) == 0.7)
        var (lower, error, hits, raws, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for _ in 0..<60 {
            let prior = 2 / (2 + count)
            let share = 0.3 + 0.7 * prior
            let oracle = (share * 20 + (1 - share) * max(5, 1.606 * error)) * exp(lower)
            let found = calibration.halfWidths(below: 20, above: 30).below
            #expect(abs(Double(found) - oracle) < 1e-3 * oracle, "seed \(seed), after \(count)")
            let (actual, raw) = (60 + 80 * random.uniform(), 0.3 + 0.5 * random.uniform())
            let weight = random.uniform() < 0.5 ? 1.0 : 0.25
            let shrunk = prior * raw + (1 - prior) * (hits + 0.4 * count / (count + 30) * (raw - raws))
            var uncorrected = calibration
            uncorrected.residuals = [Float](repeating: 0, count: 10)
            let confidence = Double(uncorrected.confidence(raw: Float(raw)))
            #expect(abs(confidence - min(0.99, max(0.01, shrunk))) < 1e-4, "seed \(seed), after \(count)")
            calibration.update(
                PendingForecast(
                    anchor: Anchor(minute: 0, features: [0, 0, 0, 0], expected: 100), medians: [100], point: 100,
                    lower: 100 - found, upper: 140, raw: Float(raw)),
                actual: Float(actual), weight: Float(weight), isForeseen: false)
            lower += 0.1 * weight * ((actual < Double(100 - found) ? 1 : 0) - 0.1)
            error += (abs(actual - 100) - error) * max(0.05, 3 / (count + 3))
            count = 0.99 * count + 1
            hits += ((abs(actual - 100) <= 30 ? 1 : 0) - hits) / count
            raws += (raw - raws) / count
        }
        #expect(abs(Double(calibration.hitRate) - hits) < 1e-4 && abs(Double(calibration.meanRaw) - raws) < 1e-4)
    }
}
