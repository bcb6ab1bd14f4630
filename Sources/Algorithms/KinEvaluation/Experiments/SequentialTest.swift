import KinLibC

/// A test of two variants that may be evaluated after every outcome: its p-values and intervals hold at all times at
/// once.
///
/// Outcomes yₜ are from 0 to 1 after scaling. The treatment zₜ is 1 with probability w, independent of the past, and m
/// is the mean outcome so far. Then
///
///     hₜ = (zₜ ∕ w − (1 − zₜ) ∕ (1 − w)) (yₜ − m)
///
/// has the treatment's effect τ as its mean, since the factor before m has the mean 0. Let h̄ be the mean of the h so
/// far, clamped to −1…1. Then ξₜ = hₜ − h̄ is in ±c with c = 1 + 1 ∕ min(w, 1 − w). For 0 ≤ λ < 1∕c and ψ(λ) = (−ln(1 −
/// λc) − λc) ∕ c², Fan's inequality exp(λξ − ψ(λ) ξ²) ≤ 1 + λξ gives E exp(λ(hₜ − τ) − ψ(λ) ξₜ²) ≤ (1 + λ(τ − h̄))
/// exp(λ(h̄ − τ)) ≤ 1. The same holds for −hₜ. So with S = Σ hₜ and V = Σ ξₜ²
///
///     E(τ) = mean over k = 1 … 12 and both signs of exp(± 2⁻ᵏ∕c (S − tτ) − ψ(2⁻ᵏ∕c) V)
///
/// is a supermartingale that begins at 1, and it ever exceeds 1∕α with probability α at most (Ville 1939). The p-value
/// is the least 1 ∕ E(0) so far. The interval contains all τ with E(τ) < 1∕α. The only assumption about the outcomes is
/// their range.
///
/// Sources: Howard, Ramdas, McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence
/// sequences", arXiv 1810.08240, theorem 4 and section 4.2. Always-valid p-values: Johari, Koomen, Pekelis and Walsh
/// 2022, "Always valid inference: continuous monitoring of A/B tests", arXiv 1512.04922.
///
/// Count each person as one outcome: several outcomes of the same person are not independent.
public struct SequentialTest: Sendable, Hashable {
    /// The probability that a person in the test was assigned to the treatment.
    public let share: Double
    /// The range of outcomes.
    public let range: ClosedRange<Double>
    /// The number of outcomes.
    public private(set) var count = 0
    /// The always-valid p-value, at most 1. If the treatment has no effect, the probability that the p-value ever falls
    /// to α is at most α. It never rises: it is the least so far, while an interval is that of the present outcomes, and
    /// may hold 0 again.
    public private(set) var pValue = 1.0

    /// The least share of either variant. It is far above shares too small for a useful result, and far from shares
    /// that make terms infinite.
    private static let leastShare = 1e-9

    private var (outcomeSum, effectSum, variation) = (0.0, 0.0, 0.0)

    /// Creates a test without outcomes.
    ///
    /// - Parameters:
    ///   - share: The probability of the treatment, 10⁻⁹ to 1 − 10⁻⁹. For two variants, its weight divided by the sum
    ///     of both.
    ///   - range: The smallest and the largest possible outcome.
    /// - Throws: `.invalidArgument` for a share out of range, or for a range that is empty or not finite.
    public init(share: Double = 0.5, range: ClosedRange<Double> = 0...1) throws(KinError) {
        guard share >= Self.leastShare, share <= 1 - Self.leastShare else {
            throw KinError(
                .invalidArgument,
                "the share of the treatment must be \(Self.leastShare) to 1 - \(Self.leastShare), not \(share)")
        }
        guard (range.upperBound - range.lowerBound).isFinite, range.lowerBound < range.upperBound else {
            throw KinError(.invalidArgument, "outcomes from \(range.lowerBound) to \(range.upperBound) cannot differ")
        }
        self.share = share
        self.range = range
    }

    /// Adds the outcome of a person, in order of arrival.
    ///
    /// - Throws: `.invalidArgument` for an outcome outside the range; the test is unchanged then.
    public mutating func add(_ outcome: Double, isTreated: Bool) throws(KinError) {
        guard range.contains(outcome) else {
            throw KinError(
                .invalidArgument, "the outcome must be from \(range.lowerBound) to \(range.upperBound), not \(outcome)")
        }
        let scaled = (outcome - range.lowerBound) / (range.upperBound - range.lowerBound)
        let (mean, expected) =
            count == 0 ? (0.5, 0) : (outcomeSum / Double(count), min(1, max(-1, effectSum / Double(count))))
        let effect = (isTreated ? 1 / share : -1 / (1 - share)) * (scaled - mean)
        count += 1
        outcomeSum += scaled
        effectSum += effect
        variation += (effect - expected) * (effect - expected)
        pValue = min(pValue, exp(-Mixture(share: share).logEvidence(effectSum, variation)))
    }

    /// The estimated effect h̄, the centre of the interval: an unbiased estimate of the mean outcome under the treatment
    /// minus the mean outcome under the control.
    ///
    /// It is not the difference of the two observed means, which approaches the same number: h̄ weights by the shares
    /// that were planned, not observed, and measures outcomes from the mean of the earlier ones.
    public var effect: Double {
        count == 0 ? 0 : effectSum / Double(count) * (range.upperBound - range.lowerBound)
    }

    /// Computes the confidence interval of the effect, which is valid at all times at once.
    ///
    /// - Throws: `.invalidArgument` unless the confidence is between 0 and 1.
    public func interval(confidence: Double = 0.95) throws(KinError) -> ClosedRange<Double> {
        guard confidence > 0, confidence < 1 else {
            throw KinError(.invalidArgument, "the confidence must be between 0 and 1, not \(confidence)")
        }
        let width = range.upperBound - range.lowerBound
        guard count > 0 else { return -width...width }
        let margin = Mixture(share: share).boundary(variation, alpha: 1 - confidence)
        let (low, high) = ((effectSum - margin) / Double(count), (effectSum + margin) / Double(count))
        return min(1, max(-1, low)) * width...min(1, max(-1, high)) * width
    }

    /// The mixture over λ for a treatment share.
    struct Mixture {
        private let rates: [(lambda: Double, psi: Double)]

        init(share: Double) {
            let c = 1 + 1 / min(share, 1 - share)
            rates = (1...12).map { k in
                let part = exp2(-Double(k))
                return (part / c, (-log1p(-part) - part) / (c * c))
            }
        }

        /// ln E of a sum S − tτ and a variation V.
        func logEvidence(_ sum: Double, _ variation: Double) -> Double {
            let exponents = rates.flatMap { (lambda, psi) -> [Double] in
                let (tilt, cost) = (lambda * sum, psi * variation)
                return [tilt - cost, -tilt - cost]
            }
            let largest = exponents.reduce(-Double.infinity, max)
            return largest + log(exponents.reduce(0) { $0 + exp($1 - largest) } / Double(exponents.count))
        }

        /// The sum that makes E equal to 1∕α, up to rounding. E is even and grows with the sum's magnitude.
        func boundary(_ variation: Double, alpha: Double) -> Double {
            let rate = rates[0]
            // At this sum, the term of the largest λ alone reaches 1∕α.
            let most = (log(2 * Double(rates.count) / alpha) + rate.psi * variation) / rate.lambda
            return bisection(from: 0, to: most, steps: 60) { logEvidence($0, variation) >= -log(alpha) }.high
        }
    }
}
