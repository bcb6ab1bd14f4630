public import KinCore

/// When and for whom a challenge is chosen, as far as it changes what fits.
public struct ChallengeContext: Sendable, Hashable {
    /// The part of the day.
    public var part: DayPart
    /// The day of the week.
    public var weekday: Weekday
    /// Dates in a row, up to today or yesterday, on which the person completed a challenge.
    public var streak: Int
    /// What came of the last challenges, the newest first: 1 completed, −1 skipped, −0.5 ignored. Five at most count.
    public var outcomes: [Double]
    /// The categories of the last completed and the last skipped challenge.
    public var lastCompleted: String?
    /// The category of the last skipped challenge.
    public var lastSkipped: String?
    /// The person's profile, by the names of its dimensions, each 0 to 1; empty when there is none.
    public var profile: [String: Double]

    /// A context; of somebody of whom nothing is known, when only the time is given.
    public init(
        part: DayPart, weekday: Weekday, streak: Int = 0, outcomes: [Double] = [], lastCompleted: String? = nil,
        lastSkipped: String? = nil, profile: [String: Double] = [:]
    ) {
        self.part = part
        self.weekday = weekday
        self.streak = streak
        self.outcomes = outcomes
        self.lastCompleted = lastCompleted
        self.lastSkipped = lastSkipped
        self.profile = profile
    }
}
