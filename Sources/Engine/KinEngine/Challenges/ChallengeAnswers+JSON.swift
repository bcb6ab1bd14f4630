// The answers about challenges and daily content in JSON.

extension ChallengeSelector.Suggestions: JSONWritable {
    package static var jsonType: JSONType {
        .list(of: ChallengeSuggestion.self, orNothing: ChallengeLimitReport.self)
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .queue(let queue): queue.write(to: &writer)
        case .nothing(let report): writer.object { $0.member("nothing", report) }
        }
    }
}

extension DailyOffer: DeclaredObject {
    package static let schema = ObjectSchema<DailyOffer>(
        .field("content", \.content),
        .field("challenge", \.challenge, "the same all day; null if the store has no challenges"),
        .field("has_begun", \.hasBegun),
        .optional(
            "missing_content_days", { $0.missingDays.isEmpty ? nil : $0.missingDays },
            "the days that the imported year lacks; the content is then from the year that comes with Kin"))
}

extension OfferedChallenge: DeclaredObject {
    package static let schema = ObjectSchema<OfferedChallenge>(
        .optional("given", { $0.offer.map { $0.given } }, "null until it is assigned or answered"),
        .optional("challenge", { $0.offer.map { $0.challenge } }),
        .optional("nothing", \.report, "instead of the other fields: why there is no challenge"))

    private var offer: (given: UserChallenge?, challenge: Challenge?)? {
        if case .given(let given, let challenge) = today { (isAssigned ? given : nil, challenge) } else { nil }
    }

    private var report: ChallengeLimitReport? {
        if case .nothing(let report) = today { report } else { nil }
    }
}

extension ChallengeOutcome: JSONWritable {
    package static var jsonType: JSONType { UserChallenge.jsonType }
    package func write(to writer: inout JSONWriter) { given.write(to: &writer) }
}

/// The challenges given to a person, with their titles.
package struct ChallengeHistory: Sendable, JSONWritable {
    package let given: [ChallengeOutcome]

    private static let schema = ObjectSchema<ChallengeOutcome>(
        .field("given", \.given),
        .field("title", \.challenge?.title),
        .field("challenge", \.challenge, "null if it is no longer stored"))

    package static var jsonType: JSONType { JSONType("object", schema.fields).list }

    package func write(to writer: inout JSONWriter) { writer.array(given) { Self.schema.write($0, to: &$1) } }
}

extension PersonProgress: DeclaredObject {
    package static let schema = ObjectSchema<PersonProgress>(
        .field("content", \.content),
        .members(
            "challenges", \.challengeCounts,
            by: "status, and the consecutive dates whose challenge was completed, on the date or later"))

    private var challengeCounts: [(name: String, value: Int)] {
        UserChallenge.Status.allCases.map { ($0.rawValue, challenges[$0] ?? 0) } + [
            ("current_streak", challengeStreaks.current), ("longest_streak", challengeStreaks.longest),
        ]
    }
}

extension PolicyEvaluation: DeclaredObject {
    package static let schema = ObjectSchema<PolicyEvaluation>(
        .field("people", \.people),
        .field("rounds", \.rounds),
        .object(
            "left_out", \.self,
            .field("open", \.openCount, "not answered"),
            .field("without_candidates", \.unknownCount, "of an earlier release or long ago"),
            .field("certain", \.certainCount, "no other choice was possible")),
        .field("effective_rounds", \.effectiveRounds, "if far fewer than `rounds`, the estimates are weak"),
        .field("behaviour", { $0.behaviour.map($0.mean) }, "the mean reward in the log; null without rounds"),
        .list(
            "estimates", { evaluation in evaluation.estimates.map { ($0, evaluation) } },
            .field("estimator", { $0.0.estimator.rawValue }),
            .field("value", { $0.1.mean($0.0.value) }),
            .field(
                "gain", { $0.1.mean($0.0.gain) },
                "over the behaviour; 0 for the log's own policy by all estimators but `dm`")),
        .field(
            "variety_cost", { $0.varietyCost.map($0.mean) },
            "the policy's value if no choice avoids categories, less its value with the log's variety, by `dr`"))

    private func mean(_ estimate: OffPolicyEvaluation.Estimate) -> EstimatedMean {
        EstimatedMean(value: estimate.isDefined ? estimate.value : nil, interval: estimate.interval)
    }
}

/// A mean with its interval; the interval is nil if there is too little evidence.
private struct EstimatedMean: DeclaredObject {
    let value: Double?
    let interval: ClosedRange<Double>?

    static let schema = ObjectSchema<EstimatedMean>(
        .field("value", \.value, "null for `snips` if the policy takes no logged choice"),
        .field(
            "lower", \.interval?.lowerBound,
            "95 %; null below 20 effective rounds (for all people: 20 people), or if all rewards are equal"),
        .field("upper", \.interval?.upperBound))
}

extension NotificationPlanner.Outcome: DeclaredObject {
    package static let schema = ObjectSchema<NotificationPlanner.Outcome>(
        .optional("at", \.plan?.instant),
        .optional("local_time", \.plan?.time),
        .optional("date", \.plan?.day),
        .optional("answer_probability", \.plan?.answerProbability),
        .optional("refused", \.refusal?.explanation, "instead of the other fields: why there is no notification"))

    private var plan: NotificationPlanner.Plan? {
        if case .planned(let plan) = self { plan } else { nil }
    }

    private var refusal: NotificationPlanner.Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension NotificationPlanner.Refusal {
    /// The reason, with advice.
    package var explanation: String {
        switch self {
        case .unwanted: "no notifications are wanted: the preferences turn them off, or their daily budget is 0"
        case .noMinute: "no minute is in the time window and outside the quiet hours; widen the window"
        case .nothingLeft(let days): "nothing is left of the daily budget for \(days) days"
        }
    }
}

/// The result of checking a file of content or challenges.
package struct ContentReport: Sendable, DeclaredObject {
    /// The number of valid records.
    package let records: Int
    /// The problems with their lines; nil for the file as a whole.
    package let problems: [(line: Int?, error: KinError)]

    init(_ check: ContentCheck<some Sendable>) {
        records = check.records.count
        problems = check.problems.map { ($0.line, $0.error) }
    }

    package static let schema = ObjectSchema<ContentReport>(
        .field("is_sound", \.problems.isEmpty),
        .field("records", \.records, "the number of valid records"),
        .list("problems", \.problems, .field("line", { $0.line }), .field("problem", { "\($0.error)" })))
}
