/// Forecasts in the format of BabySync's document `predictions/{babyId}/predictions/current`.
struct BabySyncPredictions: DeclaredObject, Sendable {
    let predictions: RhythmPredictions

    static let schema = ObjectSchema<BabySyncPredictions>(
        .field("nextNapTime", \.predictions.nap.forecast?.point),
        .field("nextNapConfidence", \.predictions.nap.confidence),
        .field(
            "nextNapDuration", { $0.predictions.nap.forecast?.durationMinutes.map { Int($0.rounded()) } }, "minutes"),
        .field("nextFeedTime", \.predictions.feed.forecast?.point),
        .field("nextFeedConfidence", \.predictions.feed.confidence),
        .field("updatedAt", \.predictions.now))
}

/// An insight in the format of BabySync's document `insights/{babyId}/insights/{insightId}`.
struct BabySyncInsight: DeclaredObject, Sendable {
    let insight: RhythmInsight
    let isDismissed: Bool

    static let schema = ObjectSchema<BabySyncInsight>(
        .field("type", \.insight.kind.rawValue),
        .field("title", \.insight.title),
        .field("description", \.insight.text),
        .field("confidence", \.insight.roundedConfidence),
        .members("data", { $0.insight.numbers.map { ($0.name, $0.value) } }, by: "statistic"),
        .field("createdAt", \.insight.created),
        .field("expiresAt", \.insight.expires),
        .field("dismissed", \.isDismissed))
}
