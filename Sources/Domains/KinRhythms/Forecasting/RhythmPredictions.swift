/// The forecasts of all kinds for a baby at one instant, and whether the baby is asleep.
public struct RhythmPredictions: Sendable, Hashable {
    /// The instant of the predictions.
    public let now: LoggedTime
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
    /// A remark on the clock of the log; nil if its zone is known.
    var remark: String?
    /// The zone of the log's clock; nil if unknown.
    package var zone: LocalZone?

    /// The doubts about the forecasts, as ``RhythmForecast/note``; nil for none.
    public var note: String? { nap.noted(remark).forecast?.note ?? feed.noted(remark).forecast?.note }

    /// Whether the baby is asleep according to the log; nil if unknown.
    public var isAsleep: Bool? { nap.forecast?.basis.isAsleep }

    /// The expected waking of a sleeping baby; nil if it is awake or its state is unknown.
    public var waking: LoggedTime? { wakeUp.forecast?.point }

    /// The horizons, in minutes after ``now``, for the probabilities in JSON.
    static let horizons = [15, 30, 60, 120, 240]
}

extension RhythmState {
    /// Forecasts the next event of each kind from all observations.
    ///
    /// - Parameters:
    ///   - now: The instant, not before the latest observation.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    ///   - zone: The zone whose clocks show later instants; nil for the clock of `now`.
    /// - Throws: `.invalidArgument` for a coverage outside this range.
    /// - Complexity: Constant, below 200 µs; about 1 ms for a sleeping baby.
    public func predictions(
        at now: LoggedTime, coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmPredictions {
        let wakeUp = try outlook(.wakeUp, at: now, coverage: coverage, in: zone)
        return RhythmPredictions(
            now: now, nap: try outlook(.nap, at: now, coverage: coverage, in: zone),
            feed: try outlook(.feed, at: now, coverage: coverage, in: zone),
            wakeUp: wakeUp,
            bedtime: try outlook(.bedtime, at: now, coverage: coverage, in: zone),
            nightWaking: wakeUp.ofNight)
    }
}

extension RhythmPredictions: DeclaredObject {
    /// The predictions as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RhythmPredictions>(
        .field("now", \.now),
        .optional("note", \.note, RhythmOutlook.noteDescription),
        .field("is_asleep", \.isAsleep),
        .field("waking", \.waking, "the expected waking of a sleeping baby"),
        .field("nap", \.nap, as: RhythmOutlook.predictionSchema),
        .field("feed", \.feed, as: RhythmOutlook.predictionSchema),
        .field("wake_up", \.wakeUp, as: RhythmOutlook.predictionSchema),
        .field("bedtime", \.bedtime, as: RhythmOutlook.predictionSchema),
        .field("night_waking", \.nightWaking, as: RhythmOutlook.predictionSchema))
}
