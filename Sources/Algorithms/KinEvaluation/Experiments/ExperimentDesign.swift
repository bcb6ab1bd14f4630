/// The number of people that an experiment needs to find an effect, with a test at the end or with a test at all times.
///
/// Outcomes are 0 or 1 with the mean p under the control and p + τ under the treatment; no other outcomes from 0 to 1
/// with these means vary more. Let σ² be the variance of one person's term in the estimate, and z the normal quantile
/// of the power. Then n people find the effect with the given power if n τ ≥ b(n) + z √n σ.
///
/// For the test at the end, b(n) = z′ √n σ with the quantile z′ of 1 − α∕2 (Fleiss, Levin and Paik 2003, chapter 4).
/// For ``SequentialTest``, b(n) is the boundary at a variation of n σ². It counts only effects found at the last look,
/// so the number is slightly too large.
public struct ExperimentDesign: Sendable, Hashable {
    /// The mean outcome under the control, 0…1.
    public let baseline: Double
    /// The probability of the treatment.
    public let share: Double
    /// The probability α of reporting an effect although none exists.
    public let significance: Double
    /// The probability of finding an effect of the assumed size.
    public let power: Double

    /// A value for each of the two tests.
    public struct Both<Value: Sendable & Hashable>: Sendable, Hashable {
        /// The value for the test at the end, which is evaluated once.
        public let fixed: Value
        /// The value for ``SequentialTest``, which may be evaluated at any time.
        public let sequential: Value
    }

    /// Creates a design from its numbers.
    ///
    /// - Throws: `.invalidArgument` if the baseline is outside 0…1 or another number is not between 0 and 1.
    public init(
        baseline: Double, share: Double = 0.5, significance: Double = 0.05, power: Double = 0.8
    ) throws(KinError) {
        guard baseline >= 0, baseline <= 1 else {
            throw KinError(.invalidArgument, "the baseline must be 0 to 1, not \(baseline)")
        }
        for (name, value) in [("share", share), ("significance", significance), ("power", power)] {
            guard value > 0, value < 1 else {
                throw KinError(.invalidArgument, "the \(name) must be between 0 and 1, not \(value)")
            }
        }
        self.baseline = baseline
        self.share = share
        self.significance = significance
        self.power = power
    }

    /// Computes the smallest numbers of people, in both variants together, that find an effect.
    ///
    /// - Parameter effect: The treatment's mean outcome minus the control's; the treatment's mean must be 0…1.
    /// - Throws: `.invalidArgument` if the effect is 0 or leads outside 0…1, or if 2⁴⁰ people do not show it.
    public func sizes(for effect: Double) throws(KinError) -> Both<Int> {
        guard effect != 0, (0...1).contains(baseline + effect) else {
            throw KinError(
                .invalidArgument,
                "the effect must not be 0, and must lead from \(baseline) to a mean of 0 to 1, not \(effect)"
            )
        }
        func least(_ boundary: (Double) -> Double) throws(KinError) -> Int {
            var (low, high) = (0, 1)
            while !finds(effect, high, boundary) {
                (low, high) = (high, 2 * high)
                guard high <= 1 << 40 else {
                    throw KinError(.invalidArgument, "an effect of \(effect) needs more than 2^40 people")
                }
            }
            while high - low > 1 {
                let middle = (low + high) / 2
                if finds(effect, middle, boundary) { high = middle } else { low = middle }
            }
            return high
        }
        return Both(fixed: try least(fixedBoundary), sequential: try least(sequentialBoundary))
    }

    /// Computes the smallest increases that a number of people, in both variants together, can find.
    ///
    /// - Throws: `.invalidArgument` if the number is below 1, or if it cannot find even an increase to a mean of 1.
    public func effects(of size: Int) throws(KinError) -> Both<Double> {
        guard size > 0 else { throw KinError(.invalidArgument, "the size must be 1 or more, not \(size)") }
        func least(_ boundary: (Double) -> Double, _ test: String) throws(KinError) -> Double {
            let most = 1 - baseline
            guard most > 0, finds(most, size, boundary) else {
                throw KinError(
                    .invalidArgument,
                    "\(size) people are too few to find even an increase from \(baseline) to 1 in a \(test) test")
            }
            return bisection(from: 0, to: most, steps: 60) { finds($0, size, boundary) }.high
        }
        return Both(
            fixed: try least(fixedBoundary, "fixed"), sequential: try least(sequentialBoundary, "sequential"))
    }

    private func finds(_ effect: Double, _ size: Int, _ boundary: (Double) -> Double) -> Bool {
        let variation = Double(size) * variance(effect)
        let margin = NormalDistribution.quantile(power) * variation.squareRoot()
        return Double(size) * abs(effect) >= boundary(variation) + margin
    }

    /// The variance of one person's term (z ∕ w − (1 − z) ∕ (1 − w)) (y − m), with the overall mean m.
    private func variance(_ effect: Double) -> Double {
        let treated = baseline + effect
        let mean = share * treated + (1 - share) * baseline
        func square(_ p: Double) -> Double { p * (1 - p) + (p - mean) * (p - mean) }
        return square(treated) / share + square(baseline) / (1 - share) - effect * effect
    }

    private func fixedBoundary(_ variation: Double) -> Double {
        NormalDistribution.quantile(1 - significance / 2) * variation.squareRoot()
    }

    private func sequentialBoundary(_ variation: Double) -> Double {
        SequentialTest.Mixture(share: share).boundary(variation, alpha: significance)
    }
}
