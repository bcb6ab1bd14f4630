/// Forecasts in the format of BabySync's document `predictions/{babyId}/predictions/current`, with instants if the zone
/// of the log is known. A bedtime or a later sleep of the night is not a nap.
struct BabySyncPredictions: DeclaredObject, Sendable {
    private let (napTime, feedTime, updated): (LoggedTime?, LoggedTime?, LoggedTime)
    private let (napConfidence, feedConfidence): (Double?, Double?)
    private let napMinutes: Double?

    init(_ predictions: RhythmPredictions) {
        let (feed, zone) = (predictions.feed, predictions.zone)
        let nap = predictions.nap.forecast?.sleep == .nap ? predictions.nap : nil
        napTime = nap?.forecast?.point.shown(in: zone)
        napConfidence = nap?.confidence
        napMinutes = nap?.forecast?.durationMinutes
        feedTime = feed.forecast?.point.shown(in: zone)
        feedConfidence = feed.confidence
        updated = predictions.now.shown(in: zone)
    }

    static let schema = ObjectSchema<BabySyncPredictions>(
        .field("nextNapTime", \.napTime),
        .field("nextNapConfidence", \.napConfidence),
        .field("nextNapDuration", { $0.napMinutes.map { Int($0.rounded()) } }, "minutes"),
        .field("nextFeedTime", \.feedTime),
        .field("nextFeedConfidence", \.feedConfidence),
        .field("updatedAt", \.updated))
}

/// An insight in the format of BabySync's document `insights/{babyId}/insights/{insightId}`.
struct BabySyncInsight: DeclaredObject, Sendable {
    let insight: RhythmInsight
    let isDismissed: Bool
    /// The zone of the log's clock; nil if unknown.
    let zone: LocalZone?

    static let schema = ObjectSchema<BabySyncInsight>(
        .field("type", \.insight.kind.rawValue),
        .field("title", \.insight.title),
        .field("description", \.insight.text),
        .field("confidence", \.insight.roundedConfidence),
        .members("data", { $0.insight.numbers.map { ($0.name, $0.value) } }, by: "statistic"),
        .field("createdAt", { $0.insight.created.shown(in: $0.zone) }),
        .field("expiresAt", { $0.insight.expires.shown(in: $0.zone) }),
        .field("dismissed", \.isDismissed))
}
