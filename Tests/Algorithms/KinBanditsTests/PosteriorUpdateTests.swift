import Foundation
import KinTestSupport
import Testing

@testable import KinBandits

@Suite("Posterior updates")
struct PosteriorUpdateTests {
    /// In one dimension the posterior of one Bernoulli observation under a normal prior, maximised by bisection.
    @Test func theLogisticModeMaximisesThePosterior() {
        var random = TestSeed().generator
        for _ in 0..<20_000 {
            let mean = 4 * random.normalDeviate()
            let variance = exp(3 * random.normalDeviate())
            let weight = exp(2 * random.normalDeviate())
            let reward = random.uniform() < 0.3 ? random.uniform() : (random.uniform() < 0.5 ? 0 : 1)
            // The derivative of the log posterior falls in θ.
            func slope(_ theta: Double) -> Double {
                weight * (reward - 1 / (1 + exp(-theta))) - (theta - mean) / variance
            }
            var (low, high) = (mean - weight * variance - 1, mean + weight * variance + 1)
            for _ in 0..<200 {
                let middle = (low + high) / 2
                if slope(middle) > 0 { low = middle } else { high = middle }
            }
            let mode = (low + high) / 2
            let chance = 1 / (1 + exp(-mode))
            let update = PosteriorUpdate(logistic: reward, weight: weight, score: mean, variance: variance)
            let curvature = weight * chance * (1 - chance)
            #expect(abs(update.precision - curvature) < 1e-9 * (1 + curvature))
            // The posterior's mean in one dimension is (m ∕ s² + information) ∕ (1 ∕ s² + precision).
            let updated = (mean / variance + update.information) / (1 / variance + update.precision)
            #expect(abs(updated - mode) < 1e-6 * (1 + abs(mode)))
        }
    }

    @Test func extremeScoresStayFinite() {
        for score in [-1e9, -800, 800, 1e9] {
            for variance in [0, 1e-12, 1e12] {
                for reward in [0.0, 0.5, 1] {
                    let update = PosteriorUpdate(logistic: reward, weight: 1, score: score, variance: variance)
                    #expect(update.precision.isFinite && update.precision >= 0 && update.information.isFinite)
                }
            }
        }
    }

    @Test func aLinearUpdateIsARidgeTerm() {
        let update = PosteriorUpdate(linear: -2, weight: 3)
        #expect(update.precision == 3 && update.information == -6)
    }

    @Test func pairsFollowTheOrderOfTheirOrigins() {
        let map = FeatureMap(dimension: 4, hasPairs: true)
        let x = [2.0, 3, 5, 7]
        var y = [Double](repeating: .nan, count: map.width)
        unsafe x.withUnsafeBufferPointer { source in
            unsafe y.withUnsafeMutableBufferPointer { unsafe map.expand(source.baseAddress!, into: $0.baseAddress!) }
        }
        #expect(map.width == 15)
        for term in 0..<map.width {
            #expect(y[term] == map.origins(ofTerm: term).reduce(1) { $0 * x[$1] })
        }
    }
}
