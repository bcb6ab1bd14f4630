/// What is forecast.
public enum RhythmKind: String, Sendable, Hashable, CaseIterable {
    case nap, feed
}
