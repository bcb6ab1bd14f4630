/// The fixed parameters for forecasting one kind of event: experts, range of intervals, history size and prior.
///
/// A model is chosen once, on data of many logs; a ``Recurrence`` stores the estimates for one log. It is an object, so
/// that forecasts pass it on without copies.
public final class RecurrenceModel: Sendable {
    /// The number of stored past intervals, and the resolution of their features.
    public struct History: Sendable, Hashable {
        /// The largest number of stored intervals, 1 to 65,536; the oldest is dropped first.
        public var capacity: Int
        /// The quantization step of each of the four features, in the feature's unit; features are stored in 16 bits.
        public var featureSteps: SIMD4<Double>
        /// The length of the longest long interval, in minutes; intervals beyond ``RecurrenceModel/intervals`` are long.
        /// Default: 0, for no long intervals.
        public var longest: Double

        /// Creates the storage parameters from a capacity and four steps above 0.
        public init(capacity: Int, featureSteps: SIMD4<Double>, longest: Double = 0) {
            self.capacity = capacity
            self.featureSteps = featureSteps
            self.longest = longest
        }
    }

    /// The weights that replace missing history while a log is short.
    public struct ColdStart: Sendable, Hashable {
        /// The additional share of the wide background kernel before the first interval; it decays by a factor of e per
        /// 40 intervals.
        public var backgroundShare: Double
        /// The width (σ) of the background kernel on the clock, in hours.
        public var backgroundClockWidth: Double
        /// The kernel weight of the prior intervals around the expected one (``Anchor/expected``) before the first
        /// interval.
        public var priorWeight: Double
        /// The number of observed intervals that halves ``priorWeight``.
        public var priorHalfLife: Double

        /// The distribution of first intervals in the main hours.
        public var spread: PriorSpread
        /// The distribution of first intervals in all other hours.
        public var otherSpread: PriorSpread
        /// The standard deviation of the logarithm of an expectation without trust (``Anchor/trust``). Default: 0.
        public var doubt: Double

        /// Creates the parameters of the background kernel and of the prior; without `otherSpread`, all hours have one
        /// spread.
        public init(
            backgroundShare: Double, backgroundClockWidth: Double, priorWeight: Double, priorHalfLife: Double,
            spread: PriorSpread, otherSpread: PriorSpread? = nil, doubt: Double = 0
        ) {
            self.backgroundShare = backgroundShare
            self.backgroundClockWidth = backgroundClockWidth
            self.priorWeight = priorWeight
            self.priorHalfLife = priorHalfLife
            self.spread = spread
            self.otherSpread = otherSpread ?? spread
            self.doubt = doubt
        }
    }

    /// The level of an expert's quantile that is its point forecast.
    public struct Median: Sendable, Hashable {
        /// The amount by which the level exceeds one half. Default: 0.
        ///
        /// The level reaches it gradually, within about 60 intervals: intervals that grow with age tend to exceed the
        /// median of past intervals.
        public var lead: Double

        /// Creates the level from its lead.
        public init(lead: Double = 0) { self.lead = lead }
    }

    /// The experts whose medians are mixed, at least one; their shares sum to 1.
    public let experts: [KernelExpert]
    /// The lengths of ordinary intervals, in minutes.
    ///
    /// Two events closer than the lower bound are one event. Beyond the upper bound, an interval is long up to
    /// ``longest``, and then a gap in the log. Neither a gap nor one event updates the estimates.
    ///
    /// Ordinary and long intervals are two ranges, each with a median of its own, because a time between them is often
    /// one at which no event comes: a child has a bottle an hour after dinner, or nothing until breakfast.
    public let intervals: ClosedRange<Double>
    /// The number and resolution of stored intervals.
    public let history: History
    /// The hours of the day, within 0 ..< 24, whose forecasts update the expert weights and share one calibration. All
    /// other hours share a second calibration.
    public let mainHours: Range<Int>
    /// The parameters of the background kernel and of the prior.
    public let coldStart: ColdStart
    /// The quantile level of the point forecast.
    public let median: Median
    let kernels: KernelSet

    /// The rate η of the exponentiated gradients.
    static let learningRate = 0.12
    /// The fixed share: the part of each expert's weight that always equals its initial share.
    static let fixedShare = 0.1
    /// The discount of earlier losses at each event.
    static let discount = 0.998

    /// Creates a model; the experts' shares are normalized to the sum 1.
    ///
    /// - Precondition: There is at least one expert. The interval range begins at 0 or later. The history has a capacity
    ///   of 1 to 65,536, and no interval is longer than a week.
    public init(
        experts: [KernelExpert], intervals: ClosedRange<Double>, history: History, mainHours: Range<Int> = 0..<24,
        coldStart: ColdStart, median: Median = Median()
    ) {
        precondition(!experts.isEmpty && intervals.lowerBound >= 0, "a model has experts and a range")
        precondition((1...65_536).contains(history.capacity), "the capacity must be 1 to 65,536")
        precondition(max(intervals.upperBound, history.longest) <= 10_080, "intervals end within a week")
        let total = experts.reduce(0) { $0 + $1.share }
        self.experts = experts.map {
            var expert = $0
            expert.share /= total
            return expert
        }
        self.intervals = intervals
        self.history = history
        self.mainHours = mainHours
        self.coldStart = coldStart
        self.median = median
        kernels = KernelSet(self.experts, featureSteps: history.featureSteps)
    }

    /// The features in units of their steps, rounded and clamped to ±32,000; NaN becomes `PastInterval.unknown`.
    func quantized(_ features: SIMD4<Double>) -> SIMD4<Int16> {
        var quantized = SIMD4<Int16>(repeating: PastInterval.unknown)
        for index in 0..<4 where features[index].isFinite {
            quantized[index] = Int16(
                max(-32_000, min(32_000, (features[index] / history.featureSteps[index]).rounded())))
        }
        return quantized
    }

    /// The longest interval that is learned, in minutes.
    public var longest: Double { max(intervals.upperBound, history.longest) }

    /// The number of bins of a ``TimeDistribution`` that covers the longest interval.
    var bins: Int { Int(longest / TimeDistribution.binMinutes) + 1 }

    /// The quantile level of the point forecast after `count` observed intervals: ½ + lead · (1 − exp(−count ∕ 60)).
    func medianLevel(afterIntervals count: Int) -> Double { 0.5 + median.lead * (1 - decayed(-Double(count) / 60)) }

    /// The index of the calibration for an instant: 0 within ``mainHours``, otherwise 1.
    func calibrationGroup(atMinute minute: Double) -> Int {
        mainHours.contains(Int(DayCycle.minuteOfDay(minute) / 60)) ? 0 : 1
    }
}

/// The distinct kernels of all experts, so that a kernel shared by several experts is evaluated once.
struct KernelSet: Sendable, Hashable {
    private(set) var recencies: [Recency] = []
    /// The widths of the clock kernels, in hours.
    private(set) var clockWidths: [Float] = []
    private(set) var conditions: [Condition] = []
    /// For each expert the indices of its kernels in the lists above.
    private(set) var indices: [KernelIndices] = []
    /// The quantization step of each feature.
    private(set) var featureSteps = SIMD4<Float>(repeating: 1)

    /// An exponential kernel over the age, times the weight by the day.
    struct Recency: Sendable, Hashable {
        /// The time constant in days.
        var scale: Float
        var days: KernelExpert.Days?
    }

    /// A Gaussian kernel over one feature.
    struct Condition: Sendable, Hashable {
        var feature: Int
        var width: Float
    }

    /// The kernels of one expert.
    struct KernelIndices: Sendable, Hashable {
        var recency: Int
        var clock: Int
        var conditions: [Int]
    }

    init(_ experts: [KernelExpert], featureSteps: SIMD4<Double>) {
        self.featureSteps = SIMD4<Float>(featureSteps)
        for expert in experts {
            indices.append(
                KernelIndices(
                    recency: Self.index(of: Recency(scale: Float(expert.recency), days: expert.days), in: &recencies),
                    clock: Self.index(of: Float(expert.clockWidth), in: &clockWidths),
                    conditions: expert.conditions.map {
                        Self.index(of: Condition(feature: $0.feature, width: Float($0.width)), in: &conditions)
                    }))
        }
    }

    /// Returns the index of a kernel in a list, appending the kernel if it is new.
    private static func index<Kernel: Equatable>(of kernel: Kernel, in kernels: inout [Kernel]) -> Int {
        if let index = kernels.firstIndex(of: kernel) { return index }
        kernels.append(kernel)
        return kernels.count - 1
    }
}
