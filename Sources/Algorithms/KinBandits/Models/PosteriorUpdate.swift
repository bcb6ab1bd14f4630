import KinLibC

/// The terms that an observed reward adds to a ``Posterior``: w in the precision and t in the information vector.
struct PosteriorUpdate: Sendable, Hashable {
    /// The factor w of x xᵀ, 0 or more.
    let precision: Double
    /// The factor t of x.
    let information: Double

    /// Creates the update of a linear model, r = ⟨θ, x⟩ + noise, which is exact: w = ω and t = ω r.
    init(linear reward: Double, weight omega: Double) {
        precision = omega
        information = omega * reward
    }

    /// Creates the update of a logistic model, P(r = 1) = σ(⟨θ, x⟩), by Laplace's approximation.
    ///
    /// The mode of N(μ, A⁻¹) times the likelihood is on the line μ + g A⁻¹ x. With m = ⟨μ, x⟩ and s² = xᵀA⁻¹x, g is the
    /// root of g = ω (r − σ(m + s² g)), a single number found by Newton's method inside a bracket. A step that leaves
    /// the bracket, or is longer than half of the previous one, is replaced by bisection. At the mode the likelihood
    /// has the curvature w = ω σ (1 − σ), and the information is t = g + w m′ with m′ = m + s² g. Sources: MacKay 1992,
    /// "The evidence framework applied to classification networks". For one observation at a time: Spiegelhalter and
    /// Lauritzen 1990, "Sequential updating of conditional probabilities on directed graphical structures".
    ///
    /// - Parameters:
    ///   - reward: The reward r, 0…1.
    ///   - omega: The weight ω of the observation, above 0.
    ///   - m: The mean score before the update.
    ///   - s2: The variance of the score before the update.
    init(logistic reward: Double, weight omega: Double, score m: Double, variance s2: Double) {
        // The left side minus the right side increases in g, so the root is between the ends.
        var (low, high) = (omega * (reward - 1), omega * reward)
        var g = omega * (reward - logistic(m))
        var moved = omega
        for _ in 0..<60 {
            let chance = logistic(m + s2 * g)
            let excess = g - omega * (reward - chance)
            if excess > 0 { high = g } else { low = g }
            let step = excess / (1 + omega * chance * (1 - chance) * s2)
            // At the root, rounding decides which end of the bracket moves, so the bracket has no more information.
            let isSettled = abs(step) <= 1e-14 * max(1e-3, abs(g)) || abs(excess) <= .ulpOfOne * (omega + abs(g))
            // Without halving, steps can alternate between two points forever.
            let isShorter = g - step > low && g - step < high && 2 * abs(step) <= moved
            let next = isSettled || isShorter ? g - step : (low + high) / 2
            moved = abs(next - g)
            g = next
            if isSettled { break }
        }
        let mode = m + s2 * g
        let chance = logistic(mode)
        precision = omega * chance * (1 - chance)
        information = g + precision * mode
    }
}

/// The logistic function σ(x) = 1 ∕ (1 + e⁻ˣ), without overflow.
func logistic(_ x: Double) -> Double {
    if x >= 0 { return 1 / (1 + exp(-x)) }
    let power = exp(x)
    return power / (1 + power)
}
