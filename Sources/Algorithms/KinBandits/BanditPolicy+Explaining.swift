/// The score of an action, split into the contributions of its features.
public struct ScoreExplanation: Sendable, Hashable {
    /// A term of the score: one or two features, and their contribution.
    public struct Term: Sendable, Hashable {
        /// The indices of the multiplied features: one, or two for a pair (equal for a square).
        public let features: [Int]
        /// The contribution to the score: weight times value.
        public let contribution: Double
    }

    /// The terms that are not 0, by descending magnitude.
    public let terms: [Term]
    /// The mean score if all features are 0; for an adaptive model, if all features have the mean values of the first
    /// observations.
    public let intercept: Double
    /// The mean score, the sum of the intercept and all contributions: the expected reward of a linear model, the
    /// log-odds of a logistic model.
    public let score: Double
    /// The standard deviation of the score under the posterior.
    public let deviation: Double
    /// The expected reward; a probability for a logistic model.
    public let expectedReward: Double
}

extension BanditPolicy {
    /// Splits the score of an action, or of an arm in a context, into the contributions of its features.
    ///
    /// - Parameters:
    ///   - features: ``dimension`` numbers of the action or the context.
    ///   - arm: The arm, for a policy with a model per arm; otherwise nil.
    /// - Throws: As ``learn(reward:for:weight:)``.
    /// - Returns: The score that ``choose(in:among:)`` would use now, with observed scales widened to these features.
    public func explain(_ features: [Double], arm: Int? = nil) throws(KinError) -> ScoreExplanation {
        let model = try modelIndex(of: Event(features: features, arm: arm, propensity: 1))
        let expanded = try expanded(features)
        return observing(expanded).explanation(expanded, model: model)
    }

    private func explanation(_ expanded: [Double], model: Int) -> ScoreExplanation {
        let (map, contributions) =
            adaptive.map { $0.terms($0.context(expanded.dropLast()), arm: model) }
            ?? (map, zip(posteriors[model].mean, expanded).map(*))
        let terms = contributions.indices.dropLast().compactMap { k -> ScoreExplanation.Term? in
            contributions[k] == 0
                ? nil : ScoreExplanation.Term(features: map.origins(ofTerm: k), contribution: contributions[k])
        }
        let score = score(expanded, model: model)
        let deviation = variance(expanded, model: model).squareRoot()
        return ScoreExplanation(
            terms: terms.sorted { abs($0.contribution) > abs($1.contribution) },
            intercept: contributions[contributions.count - 1], score: score, deviation: deviation,
            expectedReward: reward(atScore: score, deviation: deviation))
    }
}
