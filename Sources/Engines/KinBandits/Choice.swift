/// What a policy chose, and how likely that was.
public struct Choice: Sendable, Hashable {
    /// The row of the chosen action, or the chosen arm.
    public let action: Int
    /// The reward expected of it, a probability for a logistic model.
    public let expectedReward: Double
    /// Whether another action had a higher expected reward.
    public let isExploring: Bool
    /// All that learning needs to know of the choice.
    public let event: Event

    /// The probability with which this action was chosen, above 0…1.
    public var propensity: Double { event.propensity }
}

/// A choice as it waits for its reward: a value that can be stored for days.
public struct Event: Sendable, Hashable {
    /// The features of the action, or of the context when every arm has its own model.
    public let features: [Double]
    /// The arm, when every arm has its own model.
    public let arm: Int?
    /// The probability of the choice.
    public let propensity: Double

    /// An event as it was stored.
    public init(features: [Double], arm: Int? = nil, propensity: Double) {
        self.features = features
        self.arm = arm
        self.propensity = propensity
    }
}
