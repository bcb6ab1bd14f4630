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

extension ChallengeDecision: JSONRecord {
    package static let recordName = "challenge decision"

    private static let fields = RecordFields(
        [
            "user_id", "number", "made", "challenge_id", "features", "propensity", "is_exploring", "expected_reward",
            "reward", "is_withdrawn",
        ], required: ["user_id", "number", "made", "challenge_id", "features", "propensity"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (userID, challengeID) = ("", "")
        var number = 0
        var made = Timestamp(unchecked: 0)
        var features: [Double] = []
        var (propensity, expected) = (1.0, 0.5)
        var isExploring = false
        var reward: Double?
        var isWithdrawn = false
        try Self.fields.read(&reader) { reader, field throws(KinError) in
            switch field {
            case 0: userID = try reader.string()
            case 1: number = try reader.integer(in: 1...(1 << 40))
            case 2: made = try reader.instant()
            case 3: challengeID = try reader.string()
            case 4: features = try reader.list { reader throws(KinError) in try reader.number() }
            case 5: propensity = try reader.number()
            case 6: isExploring = try reader.boolean()
            case 7: expected = try reader.number()
            case 8: reward = try reader.number()
            default: isWithdrawn = try reader.boolean()
            }
        }
        try self.init(
            userID: userID, number: number, made: made, challengeID: challengeID,
            event: BanditPolicy.Event(features: features, propensity: propensity), isExploring: isExploring,
            expectedReward: expected, reward: reward, isWithdrawn: isWithdrawn)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user_id") { $0.string(userID) }
            writer.member("number") { $0.integer(number) }
            writer.member("made") { $0.string(made.description) }
            writer.member("challenge_id") { $0.string(challengeID) }
            writer.member("features") { $0.array(event.features) { $1.number($0) } }
            writer.member("propensity") { $0.number(propensity) }
            writer.member("is_exploring") { $0.boolean(isExploring) }
            writer.member("expected_reward") { $0.number(expectedReward) }
            if let reward { writer.member("reward") { $0.number(reward) } }
            if isWithdrawn { writer.member("is_withdrawn") { $0.boolean(true) } }
        }
    }
}
