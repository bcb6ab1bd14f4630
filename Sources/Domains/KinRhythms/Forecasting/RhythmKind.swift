/// The kinds of event that have forecasts.
public enum RhythmKind: String, Sendable, Hashable, CaseIterable {
    /// The next time the baby falls asleep.
    case nap
    /// The beginning of the next meal.
    case feed
    /// The end of the running sleep, by day or by night.
    case wakeUp = "wake_up"
    /// The beginning of the night: of the evening's first sleep of 90 minutes or more, from 18:00 to 02:59.
    case bedtime
    /// The end of a running sleep that began from 19:00 to 05:59.
    case nightWaking = "night_waking"

    /// The kind in a sentence: "nap", "feed", "wake-up", "bedtime", "night waking".
    public var name: String {
        switch self {
        case .nap, .feed, .bedtime: rawValue
        case .wakeUp: "wake-up"
        case .nightWaking: "night waking"
        }
    }
}
