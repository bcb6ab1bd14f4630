/// All that is kept about one kind of event of one log: a value of a few kilobytes, updated in constant time.
///
/// Forecasts mix kernel experts (``KernelExpert``) by their past loss on this log: exponentiated gradients on the absolute error
/// of the mixed median (Kivinen and Warmuth, "Exponentiated gradient versus gradient descent for linear predictors", Information
/// and Computation 132, 1997), with a part of every share kept (Herbster and Warmuth, "Tracking the best expert", 1998).
public struct Recurrence: Sendable, Hashable {
    /// In ascending order of length.
    var past: [PastInterval] = []
    var intensity = DailyIntensity()
    /// By expert: the sum of gradients so far, fading.
    var losses: [Float]
    /// The typical error, in minutes: the gradients' unit.
    var typicalError: Float = 30
    /// For the main hours and for the others.
    var calibrations = [Calibration(), Calibration()]
    /// The forecast made at the last event, which the next one is compared with.
    var pending: PendingForecast?

    /// Nothing known yet.
    public init(model: RecurrenceModel) {
        losses = [Float](repeating: 0, count: model.experts.count)
        past.reserveCapacity(model.capacity + 1)
    }

    /// The number of intervals kept.
    public var count: Int { past.count }

    /// The last event, if any.
    public var anchor: Anchor? { pending?.anchor }

    /// Learns that the event came, so many minutes after the anchor; nothing is learned from a hole in the log.
    public mutating func observe(interval: Double, model: RecurrenceModel) {
        guard let pending else { return }
        self.pending = nil
        intensity.add(pending.anchor.minute + interval)
        guard interval >= model.shortest, interval <= model.longest else { return }
        learn(interval, from: pending, model: model)
        insert(interval, after: pending, model: model)
    }

    /// Forecasts from here on start at this event.
    public mutating func begin(at anchor: Anchor, model: RecurrenceModel) {
        let calibration = calibrations[model.group(atMinute: anchor.minute)]
        let told = mixture(from: anchor, elapsed: 0, model: model)
        let ends = calibration.ends(below: Float(told.point - told.lower), above: Float(told.upper - told.point))
        let point = Float(told.point)
        pending = PendingForecast(
            anchor: anchor, medians: told.medians, point: point,
            lower: max(0, point - ends.below), upper: point + ends.above,
            raw: Float(told.distribution.mass(about: told.point)))
    }

    private mutating func learn(_ interval: Double, from pending: PendingForecast, model: RecurrenceModel) {
        let group = model.group(atMinute: pending.anchor.minute)
        let actual = Float(interval)
        let error = actual - pending.point
        calibrations[group].learn(pending, actual: actual)
        guard group == 0 else { return }
        typicalError = 0.97 * typicalError + 0.03 * abs(error)
        let sign: Float = error > 0 ? -1 : 1
        for expert in losses.indices {
            let gradient = sign * (pending.medians[expert] - pending.point) / max(1, typicalError)
            losses[expert] = Float(RecurrenceModel.memory) * losses[expert] + gradient
        }
    }

    private mutating func insert(_ interval: Double, after pending: PendingForecast, model: RecurrenceModel) {
        let sample = PastInterval(
            begin: UInt32(max(0, min(Double(UInt32.max), pending.anchor.minute * 60)).rounded()),
            length: UInt16(min(65_535, (interval * 60).rounded())),
            features: model.kept(pending.anchor.features)
        )
        if past.count >= model.capacity, let oldest = past.indices.min(by: { past[$0].begin < past[$1].begin }) {
            past.remove(at: oldest)
        }
        var low = 0
        var high = past.count
        while low < high {
            let middle = (low + high) / 2
            if past[middle].length <= sample.length { low = middle + 1 } else { high = middle }
        }
        past.insert(sample, at: low)
    }
}

/// A forecast waiting for its event.
struct PendingForecast: Sendable, Hashable {
    var anchor: Anchor
    var medians: [Float]
    var point: Float
    /// The interval as it was told.
    var lower: Float
    var upper: Float
    /// The probability of half an hour to either side, as the mixture has it.
    var raw: Float
}
