/// The event that the next one is forecast from, and what is known at it.
public struct Anchor: Sendable, Hashable {
    /// When it was, in minutes since the beginning of 1970 by the local clock.
    public var minute: Double
    /// What the experts' conditions look at; NaN where it is not known.
    public var features: SIMD4<Double>
    /// The interval to expect when nothing is known yet (from the age, say), in minutes.
    public var expected: Double
    /// How much that is to count, from 0 to 1.
    public var trust: Double

    /// An anchor at an instant.
    public init(minute: Double, features: SIMD4<Double>, expected: Double, trust: Double = 1) {
        self.minute = minute
        self.features = features
        self.expected = expected
        self.trust = trust
    }
}
