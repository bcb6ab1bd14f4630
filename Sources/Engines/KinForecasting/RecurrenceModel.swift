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
    /// The kernel weight of an age-based expectation before the first interval.
    public let priorWeight: Double
    /// The number of intervals that halve that weight.
    public let priorHalving: Double

    let plan: KernelPlan

    /// How fast the mixture follows the experts' losses, and how much of it stays with the shares they begin with.
    static let learningRate = 0.08
    static let keptShare = 0.1
    static let memory = 0.998

    /// A model; shares are divided by their sum.
    public init(
        experts: [KernelExpert], shortest: Double, longest: Double, featureSteps: SIMD4<Double>, mainHours: Range<Int>,
        capacity: Int, earlyBackground: Double, priorWeight: Double, priorHalving: Double
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
        self.priorWeight = priorWeight
        self.priorHalving = priorHalving
        plan = KernelPlan(self.experts)
    }

    /// Features as they are kept; NaN means unknown.
    func kept(_ features: SIMD4<Double>) -> SIMD4<Int16> {
        var kept = SIMD4<Int16>(repeating: PastInterval.unknown)
        for index in 0..<4 where features[index].isFinite {
            kept[index] = Int16(max(-32_000, min(32_000, (features[index] / featureSteps[index]).rounded())))
        }
        return kept
    }

    /// 0 for the main hours, 1 for the others.
    func group(atMinute minute: Double) -> Int {
        mainHours.contains(Int(ClockTime.minuteOfDay(minute) / 60)) ? 0 : 1
    }
}

/// The kernels that the experts use, each once: several experts share a recency or a condition.
struct KernelPlan: Sendable, Hashable {
    private(set) var recencies: [Double] = []
    private(set) var clockWidths: [Double] = []
    private(set) var conditions: [KernelExpert.Condition] = []
    /// For each expert the places of its kernels in the lists above.
    private(set) var uses: [(recency: Int, clock: Int, conditions: [Int])] = []

    /// The widest clock kernel, in hours.
    private(set) var widestClock = 0.0

    init(_ experts: [KernelExpert]) {
        widestClock = experts.reduce(0) { max($0, $1.clockWidth) }
        for expert in experts {
            uses.append(
                (
                    Self.place(of: expert.recency, in: &recencies), Self.place(of: expert.clockWidth, in: &clockWidths),
                    expert.conditions.map { Self.place(of: $0, in: &conditions) }
                ))
        }
    }

    private static func place<Kernel: Equatable>(of kernel: Kernel, in kernels: inout [Kernel]) -> Int {
        if let place = kernels.firstIndex(of: kernel) { return place }
        kernels.append(kernel)
        return kernels.count - 1
    }

    static func == (a: KernelPlan, b: KernelPlan) -> Bool {
        a.recencies == b.recencies && a.clockWidths == b.clockWidths && a.conditions == b.conditions
            && a.uses.elementsEqual(b.uses) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(recencies)
        hasher.combine(clockWidths)
        hasher.combine(conditions)
    }
}
