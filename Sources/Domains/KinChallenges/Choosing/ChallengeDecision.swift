public import KinBandits
public import KinCore
package import KinJSON

/// A logged choice: the challenge, its probability and, once known, its reward.
public struct ChallengeDecision: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The number of the decision, counted from 1 for each person.
    public let number: Int
    /// The instant of the decision.
    public let made: Timestamp
    /// The id of the chosen challenge.
    public let challengeID: String
    /// The features and the probability, as the policy learns from them.
    public let event: BanditPolicy.Event
    /// Whether another challenge had a higher expected reward.
    public let isExploring: Bool
    /// The expected reward of the challenge, 0…1.
    public let expectedReward: Double
    /// The reward, 0…1; nil until the outcome is known.
    public internal(set) var reward: Double?
    /// Whether the challenge left the queue before it was assigned, so that it has no outcome.
    public internal(set) var isWithdrawn: Bool

    /// The probability of the choice, above 0 and at most 1.
    public var propensity: Double { event.propensity }

    init(
        userID: String, number: Int, made: Timestamp, challengeID: String, event: BanditPolicy.Event, isExploring: Bool,
        expectedReward: Double, reward: Double? = nil, isWithdrawn: Bool = false
    ) throws(KinError) {
        guard number >= 1 else { throw .field("number", "it is \(number)") }
        guard event.propensity > 0, event.propensity <= 1 else {
            throw .field("propensity", "it is \(event.propensity), and must be above 0 and at most 1")
        }
        guard event.features.allSatisfy(\.isFinite), expectedReward.isFinite else {
            throw .field("features", "a number is not finite", .notFinite)
        }
        if let reward, !(0...1).contains(reward) { throw .field("reward", "it is \(reward), and must be from 0 to 1") }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.number = number
        self.made = made
        self.challengeID = try RecordID.checked(challengeID, field: "challenge_id")
        self.event = event
        self.isExploring = isExploring
        self.expectedReward = expectedReward
        self.reward = reward
        self.isWithdrawn = isWithdrawn
    }

    /// Whether the outcome may still become known.
    package var isOpen: Bool { reward == nil && !isWithdrawn }
}

extension ChallengeDecision: DeclaredRecord {
    package static let form = RecordForm<ChallengeDecision>(
        "challenge decision", id: "user_id",
        .required("user_id", \.userID, .id),
        .required("number", \.number, .ordinal),
        .required("made", \.made, .instant),
        .required("challenge_id", \.challengeID, .id),
        .required("features", \.event.features, .list(of: .number())),
        .required("propensity", \.propensity, .number("above 0, at most 1")),
        .standard("is_exploring", \.isExploring, .boolean, default: false),
        .standard("expected_reward", \.expectedReward, .number(), default: 0.5),
        .optional("reward", \.reward, .number("0 to 1")),
        .standard("is_withdrawn", \.isWithdrawn, .boolean, default: false, writesDefault: false)
    ) {
        user, number, made, challenge, features, propensity, isExploring, expected, reward, isWithdrawn throws(KinError)
        in
        try ChallengeDecision(
            userID: user, number: number, made: made, challengeID: challenge,
            event: BanditPolicy.Event(features: features, propensity: propensity), isExploring: isExploring,
            expectedReward: expected, reward: reward, isWithdrawn: isWithdrawn)
    }
}
