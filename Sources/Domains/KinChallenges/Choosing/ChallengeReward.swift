/// What an outcome is worth to learning, 0 to 1.
enum ChallengeReward {
    /// What came of a challenge.
    enum Outcome: Sendable {
        case completed(rating: Int?)
        case skipped
        case ignored
    }

    /// Doing it is worth most of it, and a rating moves it: one star is little better than not having done it.
    static func reward(_ outcome: Outcome) -> Double {
        switch outcome {
        case .completed(nil): 0.85
        case .completed(let rating?): 0.25 + 0.15 * Double(rating)
        case .skipped, .ignored: 0
        }
    }

    /// How much it says: who ignores a challenge may not have seen it.
    static func weight(_ outcome: Outcome) -> Double {
        if case .ignored = outcome { return 0.5 }
        return 1
    }
}
