/// The past intervals in ascending order with every kernel's value for each, as seen from one anchor.
///
/// Among them stand a few made intervals about the expected one, whose weight halves with every `priorHalving` intervals seen.
struct WeighedPast {
    /// How many intervals there are, made ones among them.
    let count: Int
    /// How many intervals have been seen in all.
    let seen: Int
    /// The first row whose interval is longer than the time that has passed.
    private(set) var firstAhead = 0
    private(set) var columns: KernelColumns
    private let layout: Layout
    private let model: RecurrenceModel

    /// The spread of first intervals about the published one for the age: their ratio to it, and how often.
    private static let made: [(ratio: Double, share: Double)] = [
        (0.55, 0.1), (0.75, 0.2), (1, 0.4), (1.3, 0.2), (1.8, 0.1),
    ]
    /// Below this weight made intervals are left out.
    private static let leastWeight = 1e-6

    /// Which column is which; ``KernelColumns/set(_:_:)`` fills the first eight. The places after `scratch` hold one kernel each.
    private struct Layout {
        static let minutes = 0
        /// Clock time of the interval's anchor after this one's, in hours.
        static let hours = 1
        static let days = 2
        /// The first of four columns of differences of features.
        static let features = 3
        /// 0.1 + λ, and its square root.
        static let intensity = 7
        static let intensityRoot = 8
        /// What every expert adds to its own weights: wide kernels that count little, but are there when the narrow ones see nothing.
        static let background = 9
        static let weights = 10
        static let sums = 11
        static let mixed = 12
        static let scratch = 13
        let recency: Int
        let clock: Int
        let conditions: Int
        let count: Int

        init(_ plan: KernelPlan) {
            recency = Self.scratch + 1
            clock = recency + plan.recencies.count
            conditions = clock + plan.clockWidths.count
            count = conditions + plan.conditions.count
        }
    }

    /// - Parameter elapsed: minutes since the anchor that the event has not come in.
    init(
        _ past: [PastInterval], density: [Float], anchor: Anchor, kept: SIMD4<Int16>, elapsed: Double,
        model: RecurrenceModel
    ) {
        self.model = model
        seen = past.count
        let layout = Layout(model.plan)
        self.layout = layout
        let weight =
            anchor.trust * model.priorWeight * decayed(-0.6931471805599453 * Double(past.count) / model.priorHalving)
        let made = weight < Self.leastWeight ? [] : Self.made(anchor, model: model)
        count = past.count + made.count
        columns = KernelColumns(layout.count, length: count)
        let steps = model.plan.featureSteps
        var places: [(row: Int, share: Double)] = []
        var row = 0
        for sample in past {
            while places.count < made.count, made[places.count].minutes <= sample.minutes {
                columns[Layout.minutes, row] = Float(made[places.count].minutes)
                places.append((row, made[places.count].share * weight))
                row += 1
            }
            take(sample, row: row, density: density, anchor: anchor, kept: kept, steps: steps)
            row += 1
        }
        while places.count < made.count {
            columns[Layout.minutes, row] = Float(made[places.count].minutes)
            places.append((row, made[places.count].share * weight))
            row += 1
        }
        while firstAhead < count, Double(columns[Layout.minutes, firstAhead]) <= elapsed { firstAhead += 1 }
        fillKernels()
        for place in places { setMade(place.row, weight: Float(place.share)) }
    }

    private static func made(_ anchor: Anchor, model: RecurrenceModel) -> [(minutes: Double, share: Double)] {
        made.map { (min(model.longest, max(model.shortest, $0.ratio * anchor.expected)), $0.share) }
    }

    private mutating func take(
        _ sample: PastInterval, row: Int, density: [Float], anchor: Anchor, kept: SIMD4<Int16>, steps: SIMD4<Float>
    ) {
        // Products with reciprocals: rounded to single precision they are the quotients, at a fraction of the time.
        let minutes = Double(sample.length) * (1.0 / 60)
        let begin = Double(sample.begin) * (1.0 / 60)
        var differences = SIMD4<Float>(repeating: .nan)
        for feature in 0..<4 {
            let (a, b) = (sample.features[feature], kept[feature])
            if a != PastInterval.unknown, b != PastInterval.unknown {
                differences[feature] = Float(Int32(a) - Int32(b)) * steps[feature]
            }
        }
        columns.set(
            row,
            SIMD8(
                Float(minutes), Float(ClockTime.difference(begin, anchor.minute) * (1.0 / 60)),
                Float(max(0, anchor.minute - begin) * (1 / ClockTime.minutesPerDay)), differences[0],
                differences[1], differences[2], differences[3],
                0.1 + DailyIntensity.value(of: density, at: anchor.minute + minutes)))
    }

    private mutating func fillKernels() {
        let plan = model.plan
        for (index, scale) in plan.recencies.enumerated() {
            columns.decay(Layout.days, by: scale, into: layout.recency + index)
        }
        for (index, width) in plan.clockWidths.enumerated() {
            columns.near(Layout.hours, width: width, limit: .infinity, into: layout.clock + index)
        }
        for (index, condition) in plan.conditions.enumerated() {
            columns.near(
                Layout.features + condition.feature, width: condition.width, limit: 9, into: layout.conditions + index)
        }
        columns.squareRoot(Layout.intensity, into: Layout.intensityRoot)
        let share = 0.03 + model.earlyBackground * decayed(-Double(seen) / 40)
        columns.decay(Layout.days, by: 7, into: Layout.scratch)
        columns.near(
            Layout.hours, width: Float(model.backgroundClockWidth), limit: .infinity, into: Layout.background)
        columns.multiply(Layout.scratch, Layout.background, into: Layout.background)
        columns.scale(Layout.background, by: Float(share), into: Layout.background)
    }

    private mutating func setMade(_ row: Int, weight: Float) {
        for column in layout.recency..<layout.clock { columns[column, row] = weight }
        for column in layout.clock..<layout.count { columns[column, row] = 1 }
        columns[Layout.hours, row] = 0
        columns[Layout.intensity, row] = 1
        columns[Layout.intensityRoot, row] = 1
        columns[Layout.background, row] = 0
    }

    /// Makes one expert's weights the ones that ``quantile(_:)`` and the others speak of; returns their sum.
    ///
    /// The background comes to experts that go by the interval. One that goes by the clock would move it by hours.
    mutating func weigh(_ expert: Int) -> Float {
        let use = model.plan.uses[expert]
        columns.multiply(layout.recency + use.recency, layout.clock + use.clock, into: Layout.weights)
        for condition in use.conditions {
            columns.multiply(Layout.weights, layout.conditions + condition, into: Layout.weights)
        }
        switch model.experts[expert].intensity {
        case .none: break
        case .half: columns.multiply(Layout.weights, Layout.intensityRoot, into: Layout.weights)
        case .one: columns.multiply(Layout.weights, Layout.intensity, into: Layout.weights)
        }
        if model.experts[expert].clockShift == 0 { columns.add(Layout.background, to: Layout.weights) }
        return columns.accumulate(Layout.weights, into: Layout.sums)
    }

    /// The present weight of the intervals that are over.
    var passed: Float { firstAhead > 0 ? columns[Layout.sums, firstAhead - 1] : 0 }

    /// A quantile of the intervals under the present weights.
    func quantile(_ level: Float) -> Float {
        unsafe columns.withColumn(Layout.minutes) { minutes in
            unsafe columns.withColumn(Layout.weights) { weights in
                unsafe columns.withColumn(Layout.sums) { sums in
                    unsafe WeightedQuantiles.value(level, of: minutes, weights: weights, sums: sums)
                }
            }
        }
    }

    /// Adds the present weights to those of the mixture.
    mutating func mix(_ factor: Float) { columns.add(Layout.weights, times: factor, to: Layout.mixed) }

    /// Calls with each interval that is not over, and its weight in the mixture.
    func forEachMixed(_ body: (_ minutes: Float, _ weight: Float) -> Void) {
        for row in firstAhead..<count { body(columns[Layout.minutes, row], columns[Layout.mixed, row]) }
    }

    /// The intervals moved by a part of the way between the two clock times, with their present weights, in order; those that weigh next
    /// to nothing are left out.
    func moved(by shift: Double) -> [(minutes: Float, weight: Float)] {
        var moved: [(minutes: Float, weight: Float)] = []
        moved.reserveCapacity(count)
        for row in columns.rows(of: Layout.weights, above: 1e-3) {
            let minutes = columns[Layout.minutes, row] + Float(shift) * 60 * columns[Layout.hours, row]
            // A minute above the shortest interval, so that one is not over as soon as that has passed.
            moved.append((max(Float(model.shortest) + 1, minutes), columns[Layout.weights, row]))
        }
        // They are nearly in order already, so insertion takes few steps; equal ones stay as they stood.
        for place in moved.indices.dropFirst() {
            let entry = moved[place]
            var gap = place
            while gap > 0, moved[gap - 1].minutes > entry.minutes {
                moved[gap] = moved[gap - 1]
                gap -= 1
            }
            moved[gap] = entry
        }
        return moved
    }
}
