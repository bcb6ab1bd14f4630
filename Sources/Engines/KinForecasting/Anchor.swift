/// The event from which the next one is forecast, with the features known at that time.
public struct Anchor: Sendable, Hashable {
    /// The instant in minutes since the beginning of 1970 by the local clock.
    public var minute: Double
    /// The four features that the experts' conditions compare, each in its own unit; NaN where unknown.
    public var features: SIMD4<Double>
    /// The prior expectation of the interval (from the age, say), in minutes.
    public var expected: Double
    /// The weight of the prior expectation, 0 to 1; 1 by default.
    public var trust: Double

    /// Creates an anchor at an instant of the local clock.
    public init(minute: Double, features: SIMD4<Double>, expected: Double, trust: Double = 1) {
        self.minute = minute
        self.features = features
        self.expected = expected
        self.trust = trust
    }
}
