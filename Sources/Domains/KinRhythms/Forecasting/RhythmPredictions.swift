public import KinCore
public import KinJSON

/// The forecasts of all kinds for a baby at one instant, with whether it is asleep.
public struct RhythmPredictions: Sendable, Hashable {
    /// The instant of the predictions.
    public let now: LocalDateTime
    /// The forecast of the next nap, or the reason for none.
    public let nap: RhythmOutlook
    /// The forecast of the next feed, or the reason for none.
    public let feed: RhythmOutlook
    /// The forecast of the running sleep's end, or the reason for none.
    public let wakeUp: RhythmOutlook
    /// The forecast of the next bedtime, or the reason for none.
    public let bedtime: RhythmOutlook
    /// The forecast of the next waking of the night, or the reason for none.
    public let nightWaking: RhythmOutlook

    /// Whether the baby is asleep by the log; nil when that is unknown.
    public var isAsleep: Bool? { nap.forecast?.basis.isAsleep }

    /// The expected waking of a sleeping baby; nil when it is awake, or when that is unknown.
    public var waking: LocalDateTime? {
        guard let nap = nap.forecast, nap.basis.isAsleep else { return nil }
        return nap.anchor
    }

    /// The minutes from ``now`` on within which the probability of an event is written.
    static let horizons = [15, 30, 60, 120, 240]
}

extension RhythmState {
    /// Forecasts the next event of each kind from all observations.
    ///
    /// - Parameters:
    ///   - now: The instant, not before the latest observation.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    /// - Throws: `.invalidArgument` for another coverage.
    /// - Complexity: Constant, below 200 µs.
    public func predictions(at now: LocalDateTime, coverage: Double = 0.8) throws(KinError) -> RhythmPredictions {
        let wakeUp = try outlook(.wakeUp, at: now, coverage: coverage)
        return RhythmPredictions(
            now: now, nap: try outlook(.nap, at: now, coverage: coverage),
            feed: try outlook(.feed, at: now, coverage: coverage),
            wakeUp: wakeUp,
            bedtime: try outlook(.bedtime, at: now, coverage: coverage),
            nightWaking: wakeUp.ofNight)
    }
}

extension RhythmPredictions: DeclaredObject {
    /// The predictions as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RhythmPredictions>(
        .field("now", \.now),
        .field("is_asleep", \.isAsleep),
        .field("waking", \.waking, "the expected waking of a sleeping baby"),
        .field("nap", \.nap, as: RhythmOutlook.predictionSchema),
        .field("feed", \.feed, as: RhythmOutlook.predictionSchema),
        .field("wake_up", \.wakeUp, as: RhythmOutlook.predictionSchema),
        .field("bedtime", \.bedtime, as: RhythmOutlook.predictionSchema),
        .field("night_waking", \.nightWaking, as: RhythmOutlook.predictionSchema))
}
