/// The context of a choice: the time, recent outcomes and the person's profile.
public struct ChallengeContext: Sendable, Hashable {
    /// The part of the day.
    public var part: DayPart
    /// The day of the week.
    public var weekday: Weekday
    /// The number of consecutive dates, up to today or yesterday, with a completed challenge.
    public var streak: Int
    /// The outcomes of the last challenges, the newest first: 1 completed, −1 skipped, −0.5 ignored; the first five
    /// count.
    public var outcomes: [Double]
    /// The category of the last completed challenge.
    public var lastCompleted: String?
    /// The category of the last skipped challenge.
    public var lastSkipped: String?
    /// The person's profile by dimension, each 0…1; empty without a profile.
    public var profile: [String: Double]

    /// Creates a context; the defaults are those of a new person.
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
