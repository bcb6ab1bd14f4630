/// A queued challenge, with the reasons for its choice.
public struct ChallengeSuggestion: Sendable, Hashable, DeclaredObject {
    /// A feature that raises or lowers the score.
    public struct Reason: Sendable, Hashable {
        /// The name of the feature, such as "fits the profile" or "category nature".
        public let name: String
        /// The contribution to the score, in log odds for a logistic model.
        public let contribution: Double
    }

    /// The queued challenge itself.
    public let challenge: Challenge
    /// The decision that queued the challenge.
    public let decision: ChallengeDecision
    /// The expected reward according to the present posterior, 0…1.
    public let expectedReward: Double
    /// The standard deviation of the score.
    public let deviation: Double
    /// The reasons, by descending magnitude.
    public let reasons: [Reason]
    /// The categories that the choice avoided, the last one given first: those of the queue, or for variety more.
    public let avoided: [String]
    /// The reason for the challenge's position in the queue, in words.
    public let order: String

    init(
        _ challenge: Challenge, _ decision: ChallengeDecision, avoided: [String], isRandom: Bool,
        variety: ChallengeVariety, policy: BanditPolicy
    ) throws(KinError) {
        self.avoided = avoided
        let choice = isRandom ? "a random choice" : decision.isExploring ? "an exploration" : "the best choice"
        let among = avoided.isEmpty ? "of all categories" : "outside \(avoided.joined(separator: ", "))"
        order =
            "decision \(decision.number): \(choice) \(among); \(variety.value.parts(of: 100)) % of choices avoid the last categories "
            + "(\(variety.origin))"
        let explanation = try policy.explain(decision.event.features)
        self.challenge = challenge
        self.decision = decision
        expectedReward = explanation.expectedReward
        deviation = explanation.deviation
        reasons = explanation.terms.compactMap { term in
            guard let feature = term.features.first, abs(term.contribution) >= 1e-9 else { return nil }
            return Reason(
                name: ChallengeFeatures.name(of: feature, in: challenge), contribution: term.contribution)
        }
    }

    package static let schema = ObjectSchema<ChallengeSuggestion>(
        .field("challenge", \.challenge),
        .field("order", \.order, "why it was chosen; a choice for variety comes last"),
        .field("avoided_categories", \.avoided, "left out of this choice: those of the queue, or for variety more"),
        .field("decision", \.decision.number),
        .field("propensity", \.decision.propensity),
        .field("is_exploring", \.decision.isExploring),
        .field("expected_reward", \.expectedReward, "0 to 1"),
        .field("deviation", \.deviation),
        .list("reasons", \.reasons, .field("name", \.name), .field("contribution", \.contribution, "log odds")))
}
