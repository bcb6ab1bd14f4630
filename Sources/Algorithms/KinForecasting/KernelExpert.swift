/// A weighting of past intervals by recency, clock time and features, whose weighted median is one forecast.
///
/// Past interval i has the weight
///
///     exp(−age ∕ recency) · exp(−½ (Δclock ∕ clockWidth)²) · Π exp(−½ min(9, (Δfeature ∕ width)²)) · (0.1 + λ)^power
///
/// times the weight of its day (``Days``), where λ is the present intensity of events at the clock time when the
/// interval would end, with mean 1 over the day.
public struct KernelExpert: Sendable, Hashable {
    /// A Gaussian kernel over one feature of the anchor.
    public struct Condition: Sendable, Hashable {
        /// The index of the feature in ``Anchor/features``, 0 to 3.
        public var feature: Int
        /// The width σ of the kernel, in the feature's unit: a difference of σ gives the weight exp(−½).
        public var width: Double

        /// Creates a kernel over a feature with a width above 0.
        public init(feature: Int, width: Double) {
            self.feature = feature
            self.width = width
        }
    }

    /// The exponent of the daily intensity λ in an expert's weights.
    public enum IntensityPower: Sendable, Hashable {
        /// The power 0: the intensity is not used.
        case none
        /// The power ½, the square root of the intensity.
        case half
        /// The power 1, the intensity itself.
        case one
    }

    /// The days whose intervals count in full. The weight of other days falls from 1 to 0.02 while a log is young.
    public enum Days: Int, Sendable, Hashable, CaseIterable {
        /// The days of the weekend, Saturday and Sunday, for a forecast on one of them; otherwise the five other days.
        case ofKind
        /// The day of the week of the forecast.
        case ofWeekday

        /// Whether a day of the week counts in full on a day of the week; see ``DayCycle/weekday(of:)``.
        func contains(_ day: Int, on today: Int) -> Bool {
            switch self {
            case .ofKind: DayCycle.isWeekend(day) == DayCycle.isWeekend(today)
            case .ofWeekday: day == today
            }
        }
    }

    /// The time constant of the recency kernel: the age in days of an interval with the weight 1 ∕ e.
    public var recency: Double
    /// The width σ of the kernel on the clock, in hours.
    public var clockWidth: Double
    /// The degree to which the event's clock time repeats, from 0 (the interval repeats) to 1 (the clock time repeats).
    /// Default: 0.
    public var clockShift: Double
    /// The kernels over features, at most two. Default: none.
    public var conditions: [Condition]
    /// The exponent of the daily intensity in the weights.
    public var intensity: IntensityPower
    /// The days whose intervals count in full; nil for all. Default: nil.
    public var days: Days?
    /// The weight in the mixture before the first event; ``RecurrenceModel`` normalizes the shares of its experts.
    public var share: Double

    /// Creates an expert from its kernels and its initial share.
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
