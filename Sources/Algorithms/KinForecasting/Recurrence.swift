/// The state of forecasting one kind of event on one log: a value of a few kilobytes, updated in constant time.
///
/// Forecasts mix kernel experts (``KernelExpert``) according to their past loss on this log. The weights follow
/// exponentiated gradients on the absolute error of the mixed median (Kivinen and Warmuth, "Exponentiated gradient
/// versus gradient descent for linear predictors", Information and Computation 132, 1997). A fixed share of every
/// weight is constant (Herbster and Warmuth, "Tracking the best expert", 1998).
public struct Recurrence: Sendable, Hashable {
    /// The longest pause in days without an effect on the history.
    private static let shortPause = 2.0
    /// The length in days of a further pause that leaves 1 ∕ e of the history.
    private static let fading = 14.0

    /// The stored intervals in ascending order of length.
    var past: [PastInterval] = []
    var intensity = DailyIntensity()
    /// The discounted sum of gradients of each expert.
    var losses: [Float]
    /// The discounted mean absolute error in minutes, the unit of the gradients.
    var typicalError: Float = 30
    /// The calibration of the main hours, and the calibration of all other hours.
    var calibrations = [Calibration(), Calibration()]
    /// The forecast made at the last event, which is evaluated when the next event comes.
    var pending: PendingForecast?

    /// Creates the state of an empty log.
    public init(model: RecurrenceModel) {
        losses = [Float](repeating: 0, count: model.experts.count)
        past.reserveCapacity(model.history.capacity + 1)
    }

    /// The number of intervals stored.
    public var count: Int { past.count }

    /// The last event; nil before the first.
    public var anchor: Anchor? { pending?.anchor }

    /// Records that the event came `interval` minutes after the anchor, and updates weights, calibration and history.
    ///
    /// An interval that is a gap in the log (``RecurrenceModel/longest``) updates only the daily intensity. Without an
    /// anchor, nothing changes.
    ///
    /// - Precondition: The interval is finite and at most 10¹² minutes.
    public mutating func observe(interval: Double, model: RecurrenceModel) {
        observe(interval: interval, weight: 1, model: model)
    }

    /// Records an event like ``observe(interval:model:)``, with a weight of its miss.
    mutating func observe(interval: Double, weight: Float, model: RecurrenceModel) {
        guard let pending else { return }
        self.pending = nil
        intensity.add(pending.anchor.minute + interval)
        guard (model.intervals.lowerBound...model.longest).contains(interval) else { return }
        update(interval, from: pending, weight: weight, model: model)
        insert(interval, after: pending, model: model)
    }

    /// Records that an event came at an instant after several anchors, each with the forecast made before the event.
    ///
    /// - Parameters:
    ///   - instant: The instant of the event, in minutes since 1970 by the local clock.
    ///   - anchors: The anchors, in order of time and before the instant.
    ///   - model: The model that the state was created with.
    package mutating func observe(_ instant: Double, after anchors: [Anchor], model: RecurrenceModel) {
        if let first = anchors.first { fade(until: first.minute) }
        let before = self
        for anchor in anchors {
            var state = before
            state.begin(at: anchor, model: model)
            pending = state.pending
            observe(interval: instant - anchor.instant, weight: 1 / Float(anchors.count), model: model)
        }
    }

    /// Sets the clock forward by a number of minutes; the time since the anchor stays the same.
    package mutating func setClock(by minutes: Double) { pending?.anchor.shift += minutes }

    /// Sets the anchor of later forecasts, and stores the forecast from it for the next update.
    ///
    /// - Precondition: The anchor's instant is finite and within 10¹² minutes of 1970.
    public mutating func begin(at anchor: Anchor, model: RecurrenceModel) {
        fade(until: anchor.minute)
        let calibration = calibrations[model.calibrationGroup(atMinute: anchor.minute)]
        let mixture = self.mixture(from: anchor, elapsed: 0, model: model)
        let halfWidths = calibration.halfWidths(
            below: Float(mixture.point - mixture.lower), above: Float(mixture.upper - mixture.point))
        let point = Float(mixture.point)
        let ends = mixture.ends(
            Double(max(0, point - halfWidths.below)), Double(point + halfWidths.above), coverage: 0.8)
        pending = PendingForecast(
            anchor: anchor, medians: mixture.medians, point: point, lower: Float(ends.lower), upper: Float(ends.upper),
            raw: Float(mixture.distribution.probability(about: mixture.point) / mixture.ownShare))
    }

    /// Removes a share of the history after a pause in the log, e^(−days beyond ``shortPause`` ∕ ``fading``): the oldest
    /// intervals, and this share of what was learned from errors. The prior then has the weight of a young log.
    private mutating func fade(until minute: Double) {
        guard let latest = past.map(\.beginMinute).max() else { return }
        let pause = (minute - latest) / DayCycle.minutesPerDay - Self.shortPause
        guard pause > 0 else { return }
        let share = decayed(-pause / Self.fading)
        let removed = past.map(\.begin).sorted().dropLast(Int((share * Double(past.count)).rounded()))
        past.removeAll { interval in removed.last.map { interval.begin <= $0 } ?? false }
        for expert in losses.indices { losses[expert] *= Float(share) }
        for group in calibrations.indices { calibrations[group].fade(to: Float(share)) }
    }

    /// The expected numbers of events from an instant to the end of each bin of ``TimeDistribution`` after it, by the
    /// time of day.
    func expectedEvents(from minute: Double, through length: Double) -> [Double] {
        let density = intensity.smoothed()
        let days = (intensity.latest - (past.map(\.beginMinute).min() ?? intensity.latest)) / DayCycle.minutesPerDay
        let perBin = intensity.perDay(in: max(1, days)) * TimeDistribution.binMinutes / DayCycle.minutesPerDay
        var sum = 0.0
        return [0]
            + (0..<Int(length / TimeDistribution.binMinutes)).map { bin in
                sum +=
                    perBin
                    * Double(
                        DailyIntensity.value(
                            of: density, at: minute + (Double(bin) + 0.5) * TimeDistribution.binMinutes))
                return sum
            }
    }

    /// Updates calibration and expert weights with the error of a stored forecast.
    private mutating func update(
        _ interval: Double, from pending: PendingForecast, weight: Float, model: RecurrenceModel
    ) {
        let group = model.calibrationGroup(atMinute: pending.anchor.minute)
        let actual = Float(interval)
        let error = actual - pending.point
        // An event in the other range is not an error of a point in its own range.
        let limit = Float(model.intervals.upperBound)
        let isOther = (actual > limit) != (pending.point > limit) && Double(abs(error)) > Mixture.separation
        calibrations[group].update(
            pending, actual: actual, weight: weight,
            isForeseen: isOther && actual >= pending.lower && actual <= pending.upper)
        guard group == 0, !isOther else { return }
        typicalError = 0.97 * typicalError + 0.03 * abs(error)
        let sign: Float = error > 0 ? -1 : 1
        for expert in losses.indices {
            let gradient = sign * (pending.medians[expert] - pending.point) / max(1, typicalError)
            losses[expert] = Float(RecurrenceModel.discount) * losses[expert] + gradient
        }
    }

    /// Inserts an interval in order of length, and drops the oldest if the history is full.
    private mutating func insert(_ interval: Double, after pending: PendingForecast, model: RecurrenceModel) {
        let sample = PastInterval(
            begin: UInt32(max(0, min(Double(UInt32.max), pending.anchor.minute * 60)).rounded()),
            length: UInt16(min(65_535, (interval * 60).rounded())),
            features: model.quantized(pending.anchor.features)
        )
        if past.count >= model.history.capacity, let oldest = past.indices.min(by: { past[$0].begin < past[$1].begin })
        {
            past.remove(at: oldest)
        }
        past.insert(sample, at: past.partition { $0.length <= sample.length })
    }
}

/// A forecast stored until its event comes.
struct PendingForecast: Sendable, Hashable {
    var anchor: Anchor
    var medians: [Float]
    var point: Float
    /// The lower end of the forecast interval, in minutes after the anchor.
    var lower: Float
    var upper: Float
    /// The mixture's probability of the half hours before and after the point.
    var raw: Float
}

/// The start event of a forecast, with the features known at that time.
public struct Anchor: Sendable, Hashable {
    /// The instant in minutes since the beginning of 1970 by the local clock, as it was set then; at most 10¹² either way.
    /// Intervals are stored as if they began from 1970 to February 2106.
    public var minute: Double
    /// The minutes that the clock has been set forward since then; negative if it was set back.
    package var shift = 0.0
    /// The four features that the experts' conditions compare, each in its own unit; NaN if unknown.
    public var features: SIMD4<Double>
    /// The prior expectation of the interval (from the age, for example), in minutes.
    public var expected: Double
    /// The weight of the prior expectation, 0 to 1. Default: 1.
    public var trust: Double

    /// The instant in minutes since the beginning of 1970 by the clock as it is set now.
    package var instant: Double { minute + shift }

    /// Creates an anchor at an instant of the local clock.
    public init(minute: Double, features: SIMD4<Double>, expected: Double, trust: Double = 1) {
        self.minute = minute
        self.features = features
        self.expected = expected
        self.trust = trust
    }
}

/// One stored interval between two events, 16 bytes.
struct PastInterval: Sendable, Hashable {
    /// The value of an unknown feature.
    static let unknown = Int16.min

    /// The instant of the first event, in seconds since 1970 by the local clock.
    var begin: UInt32
    /// The length in seconds, at most 18.2 hours; a longer interval is stored as 18.2 hours.
    var length: UInt16
    /// The features of the first event, in units of the model's ``RecurrenceModel/History/featureSteps``.
    var features: SIMD4<Int16>

    /// The length in minutes.
    var minutes: Double { Double(length) / 60 }
    /// The instant of the first event, in minutes since 1970 by the local clock.
    var beginMinute: Double { Double(begin) / 60 }
}
