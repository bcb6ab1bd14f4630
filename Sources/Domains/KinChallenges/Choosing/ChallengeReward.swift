/// The rewards of outcomes, 0…1, and their weights.
enum ChallengeReward {
    /// The outcome of an assigned challenge.
    enum Outcome: Sendable {
        case completed(rating: Int?)
        case skipped
        case ignored
    }

    /// The reward of an outcome, 0…1: 0.85 for a completion without rating, 0.4 to 1 for a rating of 1 to 5, else 0.
    static func reward(_ outcome: Outcome) -> Double {
        switch outcome {
        case .completed(nil): 0.85
        case .completed(let rating?): 0.25 + 0.15 * Double(rating)
        case .skipped, .ignored: 0
        }
    }

    /// The weight of an outcome: ½ for an ignored challenge, since the person may not have seen it, else 1.
    static func weight(_ outcome: Outcome) -> Double {
        if case .ignored = outcome { return 0.5 }
        return 1
    }
}
