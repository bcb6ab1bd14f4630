import KinLinearAlgebra
import Testing

@Suite("The normal distribution")
struct NormalDistributionTests {
    /// Quantiles to 15 places, computed with mpmath.
    @Test(arguments: [
        (0.5, 0.0), (0.975, 1.959963984540054), (0.9, 1.2815515655446004), (0.001, -3.090232306167813),
        (1e-12, -7.034483825301132), (1e-300, -37.0471),
    ])
    func quantilesEqualReferenceValues(_ p: Double, _ expected: Double) {
        #expect(abs(NormalDistribution.quantile(p) - expected) < (p < 1e-200 ? 1e-4 : 1e-9))
        #expect(abs(NormalDistribution.probability(NormalDistribution.quantile(p)) - p) < 1e-9 * p)
    }

    @Test func endsAreInfinite() {
        #expect(NormalDistribution.quantile(0) == -.infinity && NormalDistribution.quantile(1) == .infinity)
    }
}
