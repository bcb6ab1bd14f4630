/// Forecasts in the format of BabySync's document `predictions/{babyId}/predictions/current`, with instants if the zone
/// of the log is known. A bedtime or a later sleep of the night is no nap.
struct BabySyncPredictions: DeclaredObject, Sendable {
    let predictions: RhythmPredictions

    /// The forecast of the next sleep; nil unless it is a nap.
    private var nap: RhythmOutlook? { predictions.nap.forecast?.sleep == .nap ? predictions.nap : nil }

    private func instant(_ time: LoggedTime?) -> LoggedTime? { time?.shown(in: predictions.zone) }

    static let schema = ObjectSchema<BabySyncPredictions>(
        .field("nextNapTime", { $0.instant($0.nap?.forecast?.point) }),
        .field("nextNapConfidence", \.nap?.confidence),
        .field("nextNapDuration", { $0.nap?.forecast?.durationMinutes.map { Int($0.rounded()) } }, "minutes"),
        .field("nextFeedTime", { $0.instant($0.predictions.feed.forecast?.point) }),
        .field("nextFeedConfidence", \.predictions.feed.confidence),
        .field("updatedAt", { $0.predictions.now.shown(in: $0.predictions.zone) }))
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
