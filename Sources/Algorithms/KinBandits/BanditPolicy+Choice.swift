extension BanditPolicy {
    /// A chosen action with its probability and its expected reward.
    public struct Choice: Sendable, Hashable {
        /// The row of the chosen action, or the chosen arm.
        public let action: Int
        /// The expected reward of the action; a probability for a logistic model.
        public let expectedReward: Double
        /// Whether some other action had a higher expected reward.
        public let isExploring: Bool
        /// The input of ``BanditPolicy/learn(reward:for:weight:)`` for this choice.
        public let event: Event

        /// The probability of this choice, above 0 and at most 1.
        public var propensity: Double { event.propensity }
    }

    /// A choice without its reward: a value that can be stored until the reward is observed.
    public struct Event: Sendable, Hashable {
        /// The features of the action, or of the context if every arm has its own model.
        public let features: [Double]
        /// The chosen arm if every arm has its own model; otherwise nil.
        public let arm: Int?
        /// The probability of the choice, above 0 and at most 1.
        public let propensity: Double

        /// Creates an event from stored values. The features and the arm are checked when the event is learned, which does
        /// not use the propensity.
        public init(features: [Double], arm: Int? = nil, propensity: Double) {
            self.features = features
            self.arm = arm
            self.propensity = propensity
        }
    }
}
