/// Estimates the mean reward of a policy of rankings, or slates, from the log of a different policy.
///
/// A slate is a list of slots from the top, and its reward is the sum of the slots' rewards. Let wₖ = π(aₖ) ∕ pₖ be the
/// importance of a slot, given the slots above. With rewards rₖ, a model's qₖ and vₖ = Σ π(a) qₖ(a), the term of a
/// slate is
///
/// | estimator | term | true if a slot's reward depends on |
/// | --- | --- | --- |
/// | `.standard` | w₁ ⋯ w_K Σ rₖ | all slots |
/// | `.rewardInteraction` | Σ w₁ ⋯ wₖ rₖ | its slot and those above |
/// | `.independent` | Σ wₖ rₖ, with probabilities of the slot alone | its slot alone |
/// | `.cascadeDoublyRobust` | Σ w₁ ⋯ wₖ₋₁ (vₖ + wₖ (rₖ − qₖ)) | its slot and those above; q covers the slot and those below |
///
/// The fewer slots a term depends on, the smaller its variance. Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and
/// Wen 2018, "Offline evaluation of ranking policies with click models", arXiv 1804.10488. McInerney et al. 2020,
/// "Counterfactual evaluation of slate recommendations with sequential reward interactions", arXiv 2007.12986. Kiyohara
/// et al. 2022, "Doubly robust off-policy evaluation for ranking policies under the cascade behavior model", arXiv
/// 2202.01562.
public struct SlateEvaluation: Sendable {
    /// An estimator of the mean reward of a slate.
    ///
    /// The cases are in the order of the C interface's constants `KIN_SLATE_…`.
    public enum Estimator: String, Sendable, Hashable, CaseIterable {
        /// Rewards weighted by the importance of the whole slate (SIPS).
        case standard = "sips"
        /// Rewards weighted by the importance of their slot (IIPS). The probabilities of a slot do not depend on the
        /// slots above.
        case independent = "iips"
        /// Rewards weighted by the importance of their slot and those above (RIPS).
        case rewardInteraction = "rips"
        /// A model's expected reward from each slot down, corrected by its weighted errors (Cascade-DR).
        case cascadeDoublyRobust = "cascade-dr"

        /// Whether the estimator uses a model's estimates.
        public var needsModel: Bool { self == .cascadeDoublyRobust }
    }

    /// The slates of the log, checked.
    public let slates: [[LoggedRound]]

    /// Creates an evaluation on the slates of a log.
    ///
    /// - Parameter slates: One or more slates, each with one or more slots from the top. A slot's probabilities are
    ///   conditional on the slots above; for `.independent`, they are the slot's own.
    /// - Throws: As ``OffPolicyEvaluation/init(_:groups:hasEstimatedPropensities:)``, by slate and slot;
    ///   `.invalidArgument` for no slates or an empty one.
    public init(_ slates: [[LoggedRound]]) throws(KinError) {
        guard !slates.isEmpty else { throw KinError(.invalidArgument, "the log has no slates to evaluate on") }
        for (index, slate) in slates.enumerated() {
            guard !slate.isEmpty else {
                throw KinError(.invalidArgument, "it has no slots").within("slate", index)
            }
            for (slot, round) in slate.enumerated() {
                do throws(KinError) { try round.check(slot, named: "slot") } catch {
                    throw error.within("slate", index)
                }
            }
        }
        self.slates = slates
    }

    /// Estimates the mean reward of a slate under the evaluated policy.
    ///
    /// The result is not finite if a product of many importances exceeds the range of a double;
    /// ``estimate(_:confidence:resamples:seed:)`` throws then.
    public func value(_ estimator: Estimator) -> Double { OffPolicyEvaluation.value(terms(estimator)) }

    /// Estimates the mean reward of a slate with an interval, in the same way as
    /// ``OffPolicyEvaluation/estimate(_:confidence:resamples:seed:range:)``.
    ///
    /// - Parameters:
    ///   - estimator: The estimator of the mean reward.
    ///   - confidence: The coverage probability of the interval, between 0 and 1.
    ///   - resamples: 0 for the score interval, or 2 to 10,000,000 bootstrap resamples of slates.
    ///   - seed: The seed of the resamples; the same seed gives the same interval.
    /// - Throws: As ``OffPolicyEvaluation/estimate(_:confidence:resamples:seed:range:)``.
    /// - Complexity: O(slots + slates × resamples).
    public func estimate(
        _ estimator: Estimator, confidence: Double = 0.95, resamples: Int = 0, seed: UInt64 = 0
    ) throws(KinError) -> OffPolicyEvaluation.Estimate {
        try OffPolicyEvaluation.estimate(
            of: terms(estimator), confidence: confidence, resamples: resamples, seed: seed)
    }

    private func terms(_ estimator: Estimator) -> [RatioTerms] {
        slates.map { Self.term(estimator, $0) }
    }

    private static func term(_ estimator: Estimator, _ slate: [LoggedRound]) -> RatioTerms {
        // The importance of the slots above, and its product with the slot's importance.
        var (sum, above, weight) = (0.0, 1.0, 0.0)
        for slot in slate {
            let through = above * slot.importance
            switch estimator {
            case .standard: sum += slot.reward
            case .independent: sum += slot.importance * slot.reward
            case .rewardInteraction: sum += through * slot.reward
            case .cascadeDoublyRobust: sum += above * slot.value + through * (slot.reward - slot.estimate)
            }
            weight += (estimator == .independent ? slot.importance : through) / Double(slate.count)
            above = through
        }
        return estimator == .standard
            ? RatioTerms(numerator: above * sum, denominator: 1, weight: above)
            : RatioTerms(numerator: sum, denominator: 1, weight: weight)
    }
}
