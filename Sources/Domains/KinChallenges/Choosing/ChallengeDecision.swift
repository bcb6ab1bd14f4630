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
    /// Whether a different challenge had a higher expected reward.
    public let isExploring: Bool
    /// The expected reward of the challenge, 0…1.
    public let expectedReward: Double
    /// The reward, 0…1; nil until the outcome is known.
    public internal(set) var reward: Double?
    /// The position of the reward among all rewards that the policy has learned, counted from 1; nil until it is known,
    /// and for decisions of releases that did not store it.
    public internal(set) var learned: Int?
    /// The position of the reward learned when the challenge first counted as ignored, if its outcome came later and
    /// ``reward`` is that of the outcome; nil otherwise.
    public internal(set) var ignored: Int?
    /// The number of equal rewards that the reward counts for.
    public internal(set) var weight: Double
    /// Whether the challenge left the queue before it was assigned, and so has no outcome.
    public internal(set) var isWithdrawn: Bool
    /// The challenges that were available, for judging other policies (``ChallengeReplay``); nil for decisions of
    /// earlier releases, for all but the last ``mostCandidateSets``, and for more challenges than
    /// `ActionSet.mostActions`.
    public internal(set) var candidates: ChallengeCandidates?

    /// The number of a person's last decisions that retain their candidates: a year's decisions, at one challenge a
    /// day.
    public static let mostCandidateSets = 400

    /// The probability of the choice, above 0 and at most 1.
    public var propensity: Double { event.propensity }

    init(
        userID: String, number: Int, made: Timestamp, challengeID: String, event: BanditPolicy.Event, isExploring: Bool,
        expectedReward: Double, reward: Double? = nil, learned: Int? = nil, ignored: Int? = nil, weight: Double = 1,
        isWithdrawn: Bool = false, candidates: ChallengeCandidates? = nil
    ) throws(KinError) {
        guard number >= 1 else { throw .field("number", "must be 1 or more, not \(number)") }
        guard event.propensity > 0, event.propensity <= 1 else {
            throw .field("propensity", "must be above 0 and at most 1, not \(event.propensity)")
        }
        guard event.features.allSatisfy(\.isFinite), expectedReward.isFinite else {
            throw .field("features", "a number is not finite", .notFinite)
        }
        if let reward, !(0...1).contains(reward) { throw .field("reward", "must be from 0 to 1, not \(reward)") }
        guard weight > 0, weight <= 1 else {
            throw .field("weight", "must be above 0 and at most 1, not \(weight)")
        }
        if let candidates {
            let (rows, avoided) = (0..<candidates.actions.count, candidates.avoided ?? [])
            guard candidates.actions.dimension == event.features.count, rows.contains(candidates.chosen),
                !avoided.contains(candidates.chosen)
            else { throw .field("candidates", "the chosen challenge is not one of them") }
            guard avoided.allSatisfy(rows.contains), zip(avoided, avoided.dropFirst()).allSatisfy(<) else {
                throw .field("candidates", "the avoided rows must be ascending rows of the challenges")
            }
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.number = number
        self.made = made
        self.challengeID = try RecordID.checked(challengeID, field: "challenge_id")
        self.event = event
        self.isExploring = isExploring
        self.expectedReward = expectedReward
        self.reward = reward
        self.learned = learned
        self.ignored = ignored
        self.weight = weight
        self.isWithdrawn = isWithdrawn
        self.candidates = candidates
    }

    /// Whether the outcome is still open.
    package var isOpen: Bool { reward == nil && !isWithdrawn }

    /// Whether the challenge counts as ignored until its outcome is known.
    package var countsAsIgnored: Bool {
        reward == ChallengeReward.reward(.ignored) && weight == ChallengeReward.weight(.ignored)
    }

    /// The decision without its candidates.
    package var withoutCandidates: ChallengeDecision {
        var copy = self
        copy.candidates = nil
        return copy
    }
}

/// The challenges available to a decision, as features.
public struct ChallengeCandidates: Sendable, Hashable {
    /// The features of the challenges, by ascending id.
    public let actions: ActionSet
    /// The row of the chosen challenge.
    public let chosen: Int
    /// The rows that the choice avoided for variety, ascending; nil for decisions of releases before 0.3.0, which do not
    /// store the avoided challenges.
    public let avoided: [Int]?
    /// The number of rewards that the policy had learned before.
    public let observations: Int
}

extension ChallengeDecision: DeclaredRecord {
    package static let form = RecordSchema<ChallengeDecision>(
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
        .optional("learned", \.learned, .ordinal),
        .optional("ignored", \.ignored, .ordinal),
        .standard("weight", \.weight, .number("above 0, at most 1"), default: 1, writesDefault: false),
        .standard("is_withdrawn", \.isWithdrawn, .boolean, default: false, writesDefault: false),
        .optional("candidates", \.candidates, JSONForm(ChallengeCandidates.form))
    ) {
        user, number, made, challenge, features, propensity, isExploring, expected, reward, learned, ignored,
        weight, isWithdrawn, candidates throws(KinError) in
        try ChallengeDecision(
            userID: user, number: number, made: made, challengeID: challenge,
            event: BanditPolicy.Event(features: features, propensity: propensity), isExploring: isExploring,
            expectedReward: expected, reward: reward, learned: learned, ignored: ignored, weight: weight,
            isWithdrawn: isWithdrawn, candidates: candidates)
    }
}

extension ChallengeCandidates {
    fileprivate static let form = RecordSchema<ChallengeCandidates>(
        "candidates of a decision",
        .required("actions", \.actions, .actions),
        .required("chosen", \.chosen, .integer(in: 0...ActionSet.mostActions - 1)),
        .optional("avoided", \.avoided, .list(of: .integer(in: 0...ActionSet.mostActions - 1))),
        .required("observations", \.observations, .integer(in: 0...(1 << 40))),
        make: ChallengeCandidates.init(actions:chosen:avoided:observations:))
}

extension JSONForm<ActionSet> {
    /// The features of actions in base64.
    fileprivate static let actions = parsed("base64", text: { Base64.text($0.bytes) }) { text throws(KinError) in
        try ActionSet(decoding: Base64.bytes(text))
    }
}
