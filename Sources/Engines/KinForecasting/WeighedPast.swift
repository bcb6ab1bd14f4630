/// The past intervals in ascending order with every kernel's value for each, as seen from one anchor.
///
/// Among them stand a few made intervals about the expected one, whose weight halves with every `priorHalving` intervals seen.
struct WeighedPast {
    private(set) var minutes: [Double] = []
    /// By interval: how far its anchor's clock time lies after this anchor's, in minutes; 0 for the made ones.
    private(set) var clockShift: [Double] = []
    private var recency: [[Double]]
    private var clock: [[Double]]
    private var conditions: [[Double]]
    /// (0.1 + λ) and its square root.
    private var intensity: [Double] = []
    private var intensityRoot: [Double] = []
    /// What every expert adds to its own weights: wide kernels that count little, but are there when the narrow ones see nothing.
    private var background: [Double] = []
    private let backgroundShare: Double
    private let model: RecurrenceModel

    /// The spread of first intervals about the published one for the age: their ratio to it, and how often.
    private static let made: [(ratio: Double, share: Double)] = [
        (0.55, 0.1), (0.75, 0.2), (1, 0.4), (1.3, 0.2), (1.8, 0.1),
    ]

    /// - Parameter elapsed: minutes since the anchor that the event has not come in; only longer intervals count.
    init(
        _ past: [PastInterval], density: [Double], anchor: Anchor, kept: SIMD4<Int16>, elapsed: Double,
        model: RecurrenceModel
    ) {
        self.model = model
        backgroundShare = 0.03 + model.earlyBackground * decayed(-Double(past.count) / 40)
        let plan = model.plan
        recency = plan.recencies.map { _ in [] }
        clock = plan.clockWidths.map { _ in [] }
        conditions = plan.conditions.map { _ in [] }
        reserve(past.count + Self.made.count)
        let weight =
            anchor.trust * model.priorWeight * decayed(-0.6931471805599453 * Double(past.count) / model.priorHalving)
        var next = 0
        for sample in past {
            let length = sample.minutes
            while next < Self.made.count, Self.made[next].ratio * anchor.expected <= length {
                add(made: next, anchor: anchor, weight: weight, elapsed: elapsed)
                next += 1
            }
            guard length > elapsed else { continue }
            add(sample, density: density, anchor: anchor, kept: kept)
        }
        while next < Self.made.count {
            add(made: next, anchor: anchor, weight: weight, elapsed: elapsed)
            next += 1
        }
    }

    private mutating func reserve(_ count: Int) {
        minutes.reserveCapacity(count)
        clockShift.reserveCapacity(count)
        intensity.reserveCapacity(count)
        intensityRoot.reserveCapacity(count)
        background.reserveCapacity(count)
        for index in recency.indices { recency[index].reserveCapacity(count) }
        for index in clock.indices { clock[index].reserveCapacity(count) }
        for index in conditions.indices { conditions[index].reserveCapacity(count) }
    }

    private mutating func add(made: Int, anchor: Anchor, weight: Double, elapsed: Double) {
        let length = min(model.longest, max(model.shortest, Self.made[made].ratio * anchor.expected))
        guard length > elapsed else { return }
        minutes.append(length)
        clockShift.append(0)
        intensity.append(1)
        intensityRoot.append(1)
        background.append(0)
        for index in recency.indices { recency[index].append(weight * Self.made[made].share) }
        for index in clock.indices { clock[index].append(1) }
        for index in conditions.indices { conditions[index].append(1) }
    }

    private mutating func add(_ sample: PastInterval, density: [Double], anchor: Anchor, kept: SIMD4<Int16>) {
        let plan = model.plan
        let shift = ClockTime.difference(sample.beginMinute, anchor.minute)
        let hours = shift / 60
        // Farther than three widths of the widest kernel nothing counts.
        guard abs(hours) <= 3 * plan.widestClock else { return }
        minutes.append(sample.minutes)
        clockShift.append(shift)
        let days = max(0, anchor.minute - sample.beginMinute) / ClockTime.minutesPerDay
        for (index, scale) in plan.recencies.enumerated() {
            recency[index].append(days > 4 * scale ? 0 : decayed(-days / scale))
        }
        for (index, width) in plan.clockWidths.enumerated() {
            let z = hours / width
            clock[index].append(abs(z) > 3 ? 0 : decayed(-0.5 * z * z))
        }
        for (index, condition) in plan.conditions.enumerated() {
            let a = sample.features[condition.feature]
            let b = kept[condition.feature]
            guard a != PastInterval.unknown, b != PastInterval.unknown else {
                conditions[index].append(1)
                continue
            }
            let z = Double(Int(a) - Int(b)) * model.featureSteps[condition.feature] / condition.width
            conditions[index].append(decayed(-0.5 * min(9, z * z)))
        }
        let level = 0.1 + DailyIntensity.value(of: density, at: anchor.minute + sample.minutes)
        intensity.append(level)
        intensityRoot.append(level.squareRoot())
        background.append(backgroundShare * decayed(-days / 7 - 0.5 * (hours / 3) * (hours / 3)))
    }

    /// The weights of one expert, in the order of `minutes`.
    func weights(of expert: Int, into weights: inout [Double]) -> Double {
        let use = model.plan.uses[expert]
        let recency = recency[use.recency]
        let clock = clock[use.clock]
        var total = 0.0
        for index in minutes.indices { weights[index] = recency[index] * clock[index] }
        for condition in use.conditions {
            let column = conditions[condition]
            for index in minutes.indices { weights[index] *= column[index] }
        }
        switch model.experts[expert].intensity {
        case .none: break
        case .half: for index in minutes.indices { weights[index] *= intensityRoot[index] }
        case .one: for index in minutes.indices { weights[index] *= intensity[index] }
        }
        for index in minutes.indices {
            weights[index] += background[index]
            total += weights[index]
        }
        return total
    }
}
