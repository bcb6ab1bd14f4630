/// What is forecast.
public enum RhythmKind: String, Sendable, Hashable, CaseIterable {
    /// The next time the baby falls asleep.
    case nap
    /// The next meal.
    case feed
}
