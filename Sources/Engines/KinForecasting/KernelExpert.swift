/// One way to weigh what happened before: how fast it fades, how near on the clock it must be, and what else must agree.
///
/// Past interval i counts with the weight
///
///     exp(−age ∕ recency) · exp(−½ (Δclock ∕ clockWidth)²) · Π exp(−½ min(9, (Δfeature ∕ width)²)) · (0.1 + λ)^power
///
/// where λ is the intensity of events at the clock time that the interval would end on, now; 1 is its mean over the day.
public struct KernelExpert: Sendable, Hashable {
    /// A feature that weighs by closeness.
    public struct Condition: Sendable, Hashable {
        /// Its place among the features of an anchor, 0 to 3.
        public var feature: Int
        /// The difference at which the weight has fallen to exp(−½), in the feature's unit.
        public var width: Double

        /// Closeness of one feature.
        public init(feature: Int, width: Double) {
            self.feature = feature
            self.width = width
        }
    }

    /// How much the clock time of the event is held against what is usual then.
    public enum IntensityPower: Sendable, Hashable {
        /// Not at all.
        case none
        /// Its square root.
        case half
        /// In full.
        case one
    }

    /// Days after which an interval counts 1 ∕ e.
    public var recency: Double
    /// The width of the kernel on the clock, in hours.
    public var clockWidth: Double
    /// From 0 (the interval is what repeats) to 1 (the clock time of the event is).
    public var clockShift: Double
    /// What else must agree, at most two features.
    public var conditions: [Condition]
    /// The power of the intensity in its weights.
    public var intensity: IntensityPower
    /// Its weight in the mixture before anything is known.
    public var share: Double

    /// An expert; its share is made a part of the whole by the model.
    public init(
        recency: Double, clockWidth: Double, clockShift: Double = 0, conditions: [Condition] = [],
        intensity: IntensityPower, share: Double
    ) {
        self.recency = recency
        self.clockWidth = clockWidth
        self.clockShift = clockShift
        self.conditions = conditions
        self.intensity = intensity
        self.share = share
    }
}
