/// The past intervals in ascending order, with the value of every kernel for each, relative to one anchor.
///
/// They include a few prior intervals around the expected one, whose weight halves every `priorHalfLife` observed
/// intervals.
struct WeightedIntervals {
    /// The number of intervals, including prior ones.
    let count: Int
    /// The number of observed intervals.
    let observedCount: Int
    /// The first row whose interval exceeds the elapsed time.
    private var firstRemaining = 0
    /// The first row whose interval exceeds ``EventForecast/survivalPart`` times the elapsed time.
    private var firstRare = 0
    /// The first row whose interval exceeds the elapsed time and ``RecurrenceModel/intervals``.
    private var firstLong = 0
    private(set) var columns: KernelColumns
    private let layout: Layout
    private let model: RecurrenceModel
    /// The weight of the other days for experts of some days (``KernelExpert/Days``).
    private let otherDays: Float
    /// The day of the week of the anchor.
    private let today: Int

    /// The weight below which prior intervals are left out.
    private static let minimumPriorWeight = 1e-6

    /// The column numbers. ``KernelColumns/set(_:_:)`` fills the first eight; each column from `recency` on has
    /// one kernel.
    private struct Layout {
        static let minutes = 0
        /// The clock time of the interval's anchor minus the clock time of this anchor, in hours.
        static let hours = 1
        /// The age of the interval, in days.
        static let days = 2
        /// The first of four columns of differences of features.
        static let features = 3
        /// The factor 0.1 + λ, followed by its square root.
        static let intensity = 7
        static let intensityRoot = 8
        /// The wide kernels of small weight that are added to every expert's weights, so that narrow kernels with no
        /// intervals nearby still have a forecast.
        static let background = 9
        static let weights = 10
        static let sums = 11
        static let mixed = 12
        static let scratch = 13
        /// The first of the columns of weights by the day, in the order of ``KernelExpert/Days``.
        static let ofDays = 14
        let recency: Int
        let clock: Int
        let conditions: Int
        let count: Int

        init(_ kernels: KernelSet) {
            recency = Self.ofDays + KernelExpert.Days.allCases.count
            clock = recency + kernels.recencies.count
            conditions = clock + kernels.clockWidths.count
            count = conditions + kernels.conditions.count
        }
    }

    /// Evaluates all kernels for an anchor.
    ///
    /// - Parameters:
    ///   - density: The smoothed daily intensity.
    ///   - quantized: The anchor's features in units of their steps.
    ///   - elapsed: The minutes since the anchor during which the event has not come.
    init(
        _ past: [PastInterval], density: [Float], anchor: Anchor, quantized: SIMD4<Int16>, elapsed: Double,
        model: RecurrenceModel
    ) {
        self.model = model
        observedCount = past.count
        let layout = Layout(model.kernels)
        self.layout = layout
        let weight =
            anchor.trust * model.coldStart.priorWeight
            * decayed(-0.6931471805599453 * Double(past.count) / model.coldStart.priorHalfLife)
        let prior = weight < Self.minimumPriorWeight ? [] : Self.prior(anchor, model: model)
        count = past.count + prior.count
        columns = KernelColumns(layout.count, length: count)
        let steps = model.kernels.featureSteps
        otherDays = Float(max(0.02, decayed(-Double(past.count) / 20)))
        today = DayCycle.weekday(of: anchor.minute)
        var priorRows: [Int] = []
        var row = 0
        for sample in past {
            while priorRows.count < prior.count, prior[priorRows.count] <= sample.minutes {
                columns[Layout.minutes, row] = Float(prior[priorRows.count])
                priorRows.append(row)
                row += 1
            }
            setRow(sample, row: row, density: density, anchor: anchor, quantized: quantized, steps: steps)
            row += 1
        }
        while priorRows.count < prior.count {
            columns[Layout.minutes, row] = Float(prior[priorRows.count])
            priorRows.append(row)
            row += 1
        }
        func firstRow(beyond minutes: Double) -> Int {
            (0..<count).partition { Double(columns[Layout.minutes, $0]) <= minutes }
        }
        firstRemaining = firstRow(beyond: elapsed)
        firstLong = firstRow(beyond: max(elapsed, model.intervals.upperBound))
        firstRare = firstRow(beyond: EventForecast.survivalPart * elapsed)
        fillKernels()
        for row in priorRows { setPriorRow(row, weight: Float(weight / Double(prior.count))) }
    }

    /// The prior intervals of an anchor, equally probable: lengths in minutes, clamped to the model's range.
    private static func prior(_ anchor: Anchor, model: RecurrenceModel) -> [Double] {
        let isMain = model.calibrationGroup(atMinute: anchor.minute) == 0
        var spread = isMain ? model.coldStart.spread : model.coldStart.otherSpread
        if anchor.trust < 1 { spread.widen(by: model.coldStart.doubt) }
        return spread.intervals(around: anchor.expected).map {
            min(model.intervals.upperBound, max(model.intervals.lowerBound, $0))
        }
    }

    private mutating func setRow(
        _ sample: PastInterval, row: Int, density: [Float], anchor: Anchor, quantized: SIMD4<Int16>, steps: SIMD4<Float>
    ) {
        // Products with reciprocals: rounded to single precision they equal the quotients, in a fraction of the time.
        let minutes = Double(sample.length) * (1.0 / 60)
        let begin = Double(sample.begin) * (1.0 / 60)
        var differences = SIMD4<Float>(repeating: .nan)
        for feature in 0..<4 {
            let (a, b) = (sample.features[feature], quantized[feature])
            if a != PastInterval.unknown, b != PastInterval.unknown {
                differences[feature] = Float(Int32(a) - Int32(b)) * steps[feature]
            }
        }
        columns.set(
            row,
            SIMD8(
                Float(minutes), Float(DayCycle.difference(begin, anchor.minute) * (1.0 / 60)),
                Float(max(0, anchor.minute - begin) * (1 / DayCycle.minutesPerDay)), differences[0],
                differences[1], differences[2], differences[3],
                0.1 + DailyIntensity.value(of: density, at: anchor.minute + minutes)))
        let day = DayCycle.weekday(of: begin)
        for days in KernelExpert.Days.allCases {
            columns[Layout.ofDays + days.rawValue, row] = days.contains(day, on: today) ? 1 : otherDays
        }
    }

    private mutating func fillKernels() {
        let kernels = model.kernels
        for (index, kernel) in kernels.recencies.enumerated() {
            columns.decay(Layout.days, by: kernel.scale, into: layout.recency + index)
            guard let days = kernel.days else { continue }
            columns.multiply(layout.recency + index, Layout.ofDays + days.rawValue, into: layout.recency + index)
        }
        for (index, width) in kernels.clockWidths.enumerated() {
            columns.near(Layout.hours, width: width, limit: .infinity, into: layout.clock + index)
        }
        for (index, condition) in kernels.conditions.enumerated() {
            columns.near(
                Layout.features + condition.feature, width: condition.width, limit: 9, into: layout.conditions + index)
        }
        columns.squareRoot(Layout.intensity, into: Layout.intensityRoot)
        let share = 0.03 + model.coldStart.backgroundShare * decayed(-Double(observedCount) / 40)
        columns.decay(Layout.days, by: 7, into: Layout.scratch)
        columns.near(
            Layout.hours, width: Float(model.coldStart.backgroundClockWidth), limit: .infinity, into: Layout.background)
        columns.multiply(Layout.scratch, Layout.background, into: Layout.background)
        columns.scale(Layout.background, by: Float(share), into: Layout.background)
    }

    private mutating func setPriorRow(_ row: Int, weight: Float) {
        for column in layout.recency..<layout.clock { columns[column, row] = weight }
        for column in layout.clock..<layout.count { columns[column, row] = 1 }
        columns[Layout.hours, row] = 0
        columns[Layout.intensity, row] = 1
        columns[Layout.intensityRoot, row] = 1
        columns[Layout.background, row] = 0
    }

    /// Computes the weights of one expert, which ``quantile(_:)`` and the other calls then use, and returns their sum.
    ///
    /// The background is added only for experts without a clock shift, since a shift would move it by hours.
    mutating func computeWeights(of expert: Int) -> Float {
        let kernel = model.kernels.indices[expert]
        columns.multiply(layout.recency + kernel.recency, layout.clock + kernel.clock, into: Layout.weights)
        for condition in kernel.conditions {
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

    /// The sum of the current weights of intervals up to the elapsed time.
    var elapsedWeight: Float { weight(before: firstRemaining) }

    /// The sum of the current weights of intervals up to ``EventForecast/survivalPart`` times the elapsed time.
    var rareWeight: Float { weight(before: firstRare) }

    /// The sum of the current weights of intervals beyond the elapsed time and ``RecurrenceModel/intervals``.
    var longWeight: Float { firstLong < count ? weight(before: count) - weight(before: firstLong) : 0 }

    private func weight(before row: Int) -> Float { row > 0 ? columns[Layout.sums, row - 1] : 0 }

    /// The quantile of the intervals under the current weights, in minutes; `level` from 0 to 1.
    func quantile(_ level: Float) -> Float {
        unsafe columns.withColumn(Layout.minutes) { minutes in
            unsafe columns.withColumn(Layout.weights) { weights in
                unsafe columns.withColumn(Layout.sums) { sums in
                    unsafe WeightedQuantiles.value(level, of: minutes, weights: weights, sums: sums)
                }
            }
        }
    }

    /// Adds the current weights times a factor to the mixture's weights.
    mutating func addToMixture(times factor: Float) { columns.add(Layout.weights, times: factor, to: Layout.mixed) }

    /// Calls `body` with each interval longer than the elapsed time and its weight in the mixture.
    func forEachMixed(_ body: (_ minutes: Float, _ weight: Float) -> Void) {
        for row in firstRemaining..<count { body(columns[Layout.minutes, row], columns[Layout.mixed, row]) }
    }

    /// The intervals shifted by a share of the difference of the two clock times, with their current weights,
    /// ascending. Weights up to 10⁻³ are left out.
    func shifted(by shift: Double) -> [(minutes: Float, weight: Float)] {
        var shifted: [(minutes: Float, weight: Float)] = []
        shifted.reserveCapacity(count)
        for row in columns.rows(of: Layout.weights, above: 1e-3) {
            let minutes = columns[Layout.minutes, row] + Float(shift) * 60 * columns[Layout.hours, row]
            // A minute above the shortest interval, so that the interval does not end as soon as that time has elapsed.
            shifted.append((max(Float(model.intervals.lowerBound) + 1, minutes), columns[Layout.weights, row]))
        }
        // A stable insertion sort: the intervals are nearly sorted, so it takes few steps.
        for index in shifted.indices.dropFirst() {
            let entry = shifted[index]
            var gap = index
            while gap > 0, shifted[gap - 1].minutes > entry.minutes {
                shifted[gap] = shifted[gap - 1]
                gap -= 1
            }
            shifted[gap] = entry
        }
        return shifted
    }
}
