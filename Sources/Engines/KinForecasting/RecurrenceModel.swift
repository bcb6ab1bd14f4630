/// What is fixed about forecasting one kind of event: the experts, the range of its intervals, the units of its features.
public struct RecurrenceModel: Sendable, Hashable {
    /// The experts whose medians are mixed, at least one.
    public let experts: [KernelExpert]
    /// Intervals below this many minutes are no intervals: the two events are one.
    public let shortest: Double
    /// Intervals above this many minutes are holes in the log: nothing is learned from them.
    public let longest: Double
    /// The unit in which each of the four features is kept, as a 16-bit number.
    public let featureSteps: SIMD4<Double>
    /// Hours of the day [from, to) whose forecasts teach the mixture and share one calibration; the others share another.
    public let mainHours: Range<Int>
    /// How many intervals are kept; the oldest goes first.
    public let capacity: Int
    /// How much more of the wide background kernel every expert has in the beginning; it falls to 1 ∕ e in 40 intervals.
    public let earlyBackground: Double
    /// The width of the background kernel on the clock, in hours.
    public let backgroundClockWidth: Double
    /// How far above one half the level lies that counts as an expert's median, once there is a past: intervals that grow leave the
    /// median of their past behind.
    public let lead: Double
    /// The kernel weight of an age-based expectation before the first interval.
    public let priorWeight: Double
    /// The number of intervals that halve that weight.
    public let priorHalving: Double

    let plan: KernelPlan

    /// How fast the mixture follows the experts' losses, and how much of it stays with the shares they begin with.
    static let learningRate = 0.12
    static let keptShare = 0.1
    static let memory = 0.998

    /// A model; shares are divided by their sum.
    public init(
        experts: [KernelExpert], shortest: Double, longest: Double, featureSteps: SIMD4<Double>, mainHours: Range<Int>,
        capacity: Int, earlyBackground: Double, backgroundClockWidth: Double, lead: Double, priorWeight: Double,
        priorHalving: Double
    ) {
        precondition(!experts.isEmpty && shortest >= 0 && longest > shortest, "a model has experts and a range")
        let total = experts.reduce(0) { $0 + $1.share }
        self.experts = experts.map {
            var expert = $0
            expert.share /= total
            return expert
        }
        self.shortest = shortest
        self.longest = longest
        self.featureSteps = featureSteps
        self.mainHours = mainHours
        self.capacity = capacity
        self.earlyBackground = earlyBackground
        self.backgroundClockWidth = backgroundClockWidth
        self.lead = lead
        self.priorWeight = priorWeight
        self.priorHalving = priorHalving
        plan = KernelPlan(self.experts, featureSteps: featureSteps)
    }

    /// Features as they are kept; NaN means unknown.
    func kept(_ features: SIMD4<Double>) -> SIMD4<Int16> {
        var kept = SIMD4<Int16>(repeating: PastInterval.unknown)
        for index in 0..<4 where features[index].isFinite {
            kept[index] = Int16(max(-32_000, min(32_000, (features[index] / featureSteps[index]).rounded())))
        }
        return kept
    }

    /// The bins that a distribution needs.
    var bins: Int { Int(longest / TimeDistribution.binMinutes) + 1 }

    /// The level of the quantile that counts as the median, after so many intervals.
    func middle(afterIntervals count: Int) -> Double { 0.5 + lead * (1 - decayed(-Double(count) / 60)) }

    /// 0 for the main hours, 1 for the others.
    func group(atMinute minute: Double) -> Int {
        mainHours.contains(Int(ClockTime.minuteOfDay(minute) / 60)) ? 0 : 1
    }
}

/// The kernels that the experts use, each once: several experts share a recency or a condition.
struct KernelPlan: Sendable, Hashable {
    private(set) var recencies: [Float] = []
    private(set) var clockWidths: [Float] = []
    private(set) var conditions: [Condition] = []
    /// For each expert the places of its kernels in the lists above.
    private(set) var uses: [Use] = []
    /// The units of the features.
    private(set) var featureSteps = SIMD4<Float>(repeating: 1)

    struct Condition: Sendable, Hashable {
        var feature: Int
        var width: Float
    }

    struct Use: Sendable, Hashable {
        var recency: Int
        var clock: Int
        var conditions: [Int]
    }

    init(_ experts: [KernelExpert], featureSteps: SIMD4<Double>) {
        self.featureSteps = SIMD4<Float>(featureSteps)
        for expert in experts {
            uses.append(
                Use(
                    recency: Self.place(of: Float(expert.recency), in: &recencies),
                    clock: Self.place(of: Float(expert.clockWidth), in: &clockWidths),
                    conditions: expert.conditions.map {
                        Self.place(of: Condition(feature: $0.feature, width: Float($0.width)), in: &conditions)
                    }))
        }
    }

    private static func place<Kernel: Equatable>(of kernel: Kernel, in kernels: inout [Kernel]) -> Int {
        if let place = kernels.firstIndex(of: kernel) { return place }
        kernels.append(kernel)
        return kernels.count - 1
    }
}
