import KinBandits
import KinCore
package import KinJSON

/// A challenge of the queue, and why it is there.
public struct ChallengeSuggestion: Sendable, Hashable {
    /// What speaks for it or against it.
    public struct Reason: Sendable, Hashable {
        /// What is looked at: "fits the profile".
        public let name: String
        /// What it adds to the score, for a logistic model in log odds.
        public let contribution: Double
    }

    /// The challenge.
    public let challenge: Challenge
    /// The decision that put it into the queue.
    public let decision: ChallengeDecision
    /// The reward that is expected of it by what is known now, 0 to 1.
    public let expectedReward: Double
    /// How uncertain its score is, as a standard deviation.
    public let deviation: Double
    /// The reasons, the strongest first.
    public let reasons: [Reason]

    init(_ challenge: Challenge, _ decision: ChallengeDecision, policy: BanditPolicy) throws(KinError) {
        let told = try policy.explain(decision.event.features)
        self.challenge = challenge
        self.decision = decision
        expectedReward = told.expectedReward
        deviation = told.deviation
        reasons = told.terms.compactMap { term in
            guard let feature = term.features.first, abs(term.contribution) >= 1e-9 else { return nil }
            return Reason(name: ChallengeFeatures.names[feature], contribution: term.contribution)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("challenge") { challenge.write(to: &$0) }
            writer.member("decision") { $0.integer(decision.number) }
            writer.member("propensity") { $0.number(decision.propensity) }
            writer.member("is_exploring") { $0.boolean(decision.isExploring) }
            writer.member("expected_reward") { $0.number(expectedReward) }
            writer.member("deviation") { $0.number(deviation) }
            writer.member("reasons") { writer in
                writer.array(reasons) { reason, writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(reason.name) }
                        writer.member("contribution") { $0.number(reason.contribution) }
                    }
                }
            }
        }
    }
}
