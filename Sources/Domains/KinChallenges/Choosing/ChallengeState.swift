/// A challenge in the queue of a person.
public struct QueuedChallenge: Sendable, Hashable {
    /// The id of the challenge.
    public let challengeID: String
    /// The number of the decision that queued it.
    public let decision: Int
    /// Whether the choice was an exploration.
    public let isExploring: Bool
    /// The categories that the choice avoided for variety, the last one given first; nil for choices of releases before
    /// 0.3.0.
    public var avoided: [String]?
}

/// The state of a person between choices: the policy and the queue.
public struct ChallengeState: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The number of all decisions so far.
    public internal(set) var decisions: Int
    /// The queued challenges, the next one first; at most ``queueLength``.
    public internal(set) var queue: [QueuedChallenge]
    /// The policy with all its learning.
    public internal(set) var policy: BanditPolicy

    /// The length of the queue, for apps that are offline.
    public static let queueLength = 3

    /// The number of features of a challenge in a context.
    package static var featureCount: Int { ChallengeFeatures.count }

    /// The default algorithm: upper confidence bounds on a logistic model, with an epsilon of 0.02 so that logs can
    /// evaluate other policies.
    ///
    /// With simulated people its regret was within 4 % of the lowest in every task except the first month (10 % above the
    /// lowest). Thompson sampling had up to 25 % more regret than the best policy
    /// (`Benchmarks/results/challenges-2026-11-23.md`).
    public static let standardAlgorithm = PolicyAlgorithm(.logistic, .upperBound(width: 0.5), epsilon: 0.02)

    /// Creates the state of a new person.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - algorithm: The model of rewards and the exploration.
    ///   - seed: The seed, combined with the id.
    /// - Throws: `.invalidArgument` for an invalid id (`RecordID`).
    public init(userID: String, algorithm: PolicyAlgorithm = standardAlgorithm, seed: UInt64 = 0) throws(KinError) {
        let userID = try RecordID.checked(userID, field: "user_id")
        var hash = ContentHash()
        hash.mix(userID)
        self.userID = userID
        decisions = 0
        queue = []
        policy = try BanditPolicy(
            PolicySettings(
                algorithm, dimension: ChallengeFeatures.count, scaling: .fixed,
                priorWeights: ChallengeFeatures.priorWeights, effectiveWindow: Self.effectiveWindow,
                seed: hash.value ^ seed))
    }

    /// The effective window of the policy in observations, since tastes change within months.
    private static let effectiveWindow = 200.0

    init(userID: String, decisions: Int, queue: [QueuedChallenge], policy: BanditPolicy) throws(KinError) {
        guard queue.count <= Self.queueLength else { throw .field("queue", "it has \(queue.count) places") }
        guard queue.allSatisfy({ (1...max(1, decisions)).contains($0.decision) }) else {
            throw .field("queue", "a place has a decision that was not made")
        }
        guard policy.dimension == ChallengeFeatures.count, policy.arms == nil else {
            throw .field(
                "policy", "it is from a different release or use; remove the state to begin again", .unsupportedFormat)
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.decisions = decisions
        self.queue = queue
        self.policy = policy
    }
}

extension ChallengeState: DeclaredRecord {
    package static let form = RecordSchema<ChallengeState>(
        "challenge state", id: "user_id",
        .required("user_id", \.userID, .id),
        .required("decisions", \.decisions, .integer(in: 0...(1 << 40))),
        .required("queue", \.queue, .list(of: JSONForm(place))),
        .required("policy", \.policy, .policy),
        make: ChallengeState.init(userID:decisions:queue:policy:))

    private static let place = RecordSchema<QueuedChallenge>(
        "place in the queue",
        .required("challenge_id", \.challengeID, .id),
        .required("decision", \.decision, .ordinal),
        .required("is_exploring", \.isExploring, .boolean),
        .optional("avoided", \.avoided, .texts)
    ) { id, decision, isExploring, avoided throws(KinError) in
        QueuedChallenge(
            challengeID: try RecordID.checked(id, field: "challenge_id"), decision: decision, isExploring: isExploring,
            avoided: avoided)
    }
}

extension JSONForm<BanditPolicy> {
    /// The whole state of a policy in base64.
    package static let policy = parsed("base64", text: { Base64.text($0.encoded()) }) { text throws(KinError) in
        try BanditPolicy(decoding: Base64.bytes(text))
    }
}
