public import KinCore

/// Why an action has the score it has.
public struct ScoreExplanation: Sendable, Hashable {
    /// What one term adds to the score.
    public struct Term: Sendable, Hashable {
        /// The features that are multiplied: one, or two of a pair (perhaps twice the same).
        public let features: [Int]
        /// Weight times value.
        public let contribution: Double
    }

    /// The terms that are not 0, the largest magnitude first.
    public let terms: [Term]
    /// What the score is where all features are 0.
    public let intercept: Double
    /// The mean score, the sum of the intercept and all contributions: the expected reward of a linear model, the
    /// logarithm of the odds of a logistic one.
    public let score: Double
    /// The standard deviation of the score, as far as the evidence goes.
    public let deviation: Double
    /// The reward expected, a probability for a logistic model.
    public let expectedReward: Double
}

extension BanditPolicy {
    /// Splits the score of an action, or of an arm in a context, into what each feature adds.
    ///
    /// - Parameters:
    ///   - features: `dimension` numbers.
    ///   - arm: The arm, for a policy with a model per arm.
    /// - Throws: As ``learn(reward:for:weight:)``.
    /// - Returns: What ``choose(in:among:)`` would go by now: where scales are observed, those of these features included.
    public func explain(_ features: [Double], arm: Int? = nil) throws(KinError) -> ScoreExplanation {
        let model = try modelIndex(of: Event(features: features, arm: arm, propensity: 1))
        let expanded = try expanded(features)
        return observing(expanded).explanation(expanded, model: model)
    }

    private func explanation(_ expanded: [Double], model: Int) -> ScoreExplanation {
        let weights = posteriors[model].mean
        let terms = expanded.indices.dropLast().compactMap { k -> ScoreExplanation.Term? in
            let contribution = weights[k] * expanded[k]
            return contribution == 0
                ? nil : ScoreExplanation.Term(features: map.origins(ofTerm: k), contribution: contribution)
        }
        let score = score(expanded, model: model)
        let deviation = variance(expanded, model: model).squareRoot()
        return ScoreExplanation(
            terms: terms.sorted { abs($0.contribution) > abs($1.contribution) },
            intercept: weights[weights.count - 1], score: score, deviation: deviation,
            expectedReward: reward(atScore: score, deviation: deviation))
    }
}
