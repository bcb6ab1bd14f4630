package import KinJSON
import KinRhythms

/// An answer of one of two forms.
package protocol EitherAnswer {
    /// The answer in its own type.
    var answer: any JSONWritable & Sendable { get }
}

/// An answer in Kin's form or, if a shape is asked for, in the form of an app's document.
enum ShapedAnswer<Plain: JSONWritable & Sendable, Shaped: JSONWritable & Sendable>: JSONWritable, EitherAnswer {
    case plain(Plain)
    case shaped(Shaped)

    static var jsonType: JSONType { Plain.jsonType }

    package var answer: any JSONWritable & Sendable {
        switch self {
        case .plain(let answer): answer
        case .shaped(let answer): answer
        }
    }

    func write(to writer: inout JSONWriter) { answer.write(to: &writer) }
}

/// Forecasts as BabySync's document `predictions/{babyId}/predictions/current` has them.
struct BabySyncPredictions: DeclaredObject, Sendable {
    let predictions: RhythmPredictions

    static let schema = ObjectSchema<BabySyncPredictions>(
        .field("nextNapTime", \.predictions.nap.forecast?.point),
        .field("nextNapConfidence", \.predictions.nap.forecast?.confidence),
        .field(
            "nextNapDuration", { $0.predictions.nap.forecast?.durationMinutes.map { Int($0.rounded()) } }, "minutes"),
        .field("nextFeedTime", \.predictions.feed.forecast?.point),
        .field("nextFeedConfidence", \.predictions.feed.forecast?.confidence),
        .field("updatedAt", \.predictions.now))
}

/// An insight as BabySync's document `insights/{babyId}/insights/{insightId}` has it.
struct BabySyncInsight: DeclaredObject, Sendable {
    let insight: RhythmInsight

    static let schema = ObjectSchema<BabySyncInsight>(
        .field("type", \.insight.kind.rawValue),
        .field("title", \.insight.title),
        .field("description", \.insight.text),
        .field("confidence", \.insight.confidence),
        .members("data", { $0.insight.numbers.map { ($0.name, $0.value) } }, by: "statistic"),
        .field("createdAt", \.insight.created),
        .field("expiresAt", \.insight.expires),
        .field("dismissed", { _ in false }))
}
