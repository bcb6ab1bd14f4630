import KinBandits
package import KinChallenges
package import KinCore
import KinEvaluation
package import KinJSON

// The answers about challenges and daily content in JSON.

extension ChallengeSelector.Suggestions: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .queue(let queue): writer.array(queue) { $0.write(to: &$1) }
        case .nothing(let report): writer.object { writer in writer.member("nothing", report) }
        }
    }
}

extension DailyOffer: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("content", content)
        writer.member("challenge", challenge)
        writer.member("has_begun", hasBegun)
    }
}

extension OfferedChallenge: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        switch today {
        case .given(let given, let challenge):
            writer.member("given", isAssigned ? given : nil)
            writer.member("challenge", challenge)
        case .nothing(let report): writer.member("nothing", report)
        }
    }
}

extension ChallengeOutcome: JSONWritable {
    package func write(to writer: inout JSONWriter) { given.write(to: &writer) }
}

/// The challenges given to a person, with their titles.
package struct ChallengeHistory: Sendable, JSONWritable {
    package let given: [ChallengeOutcome]

    package func write(to writer: inout JSONWriter) {
        writer.array(given) { entry, writer in
            writer.object { writer in
                writer.member("given", entry.given)
                writer.member("title", entry.challenge?.title)
            }
        }
    }
}

extension PersonProgress: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("content") { $0.raw(content.json) }
        writer.object("challenges") { writer in
            for status in UserChallenge.Status.allCases {
                writer.member(status.rawValue, challenges[status] ?? 0)
            }
            writer.member("current_streak", challengeStreaks.current)
            writer.member("longest_streak", challengeStreaks.longest)
        }
    }
}

extension PolicyEvaluation: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("people", people)
        writer.member("rounds", rounds)
        writer.object("left_out") { writer in
            writer.member("open", openCount)
            writer.member("without_candidates", unknownCount)
            writer.member("certain", certainCount)
        }
        writer.member("effective_rounds", effectiveRounds)
        writer.member("behaviour") { writer in
            if let behaviour { write(behaviour, to: &writer) } else { writer.null() }
        }
        writer.objects("estimates", estimates) { estimate, writer in
            writer.member("estimator", estimate.estimator.rawValue)
            writer.member("value") { write(estimate.value, to: &$0) }
            writer.member("gain") { write(estimate.gain, to: &$0) }
        }
    }

    /// Writes an estimate, without the ends of an interval that says nothing.
    private func write(_ estimate: OffPolicyEvaluation.Estimate, to writer: inout JSONWriter) {
        let interval = hasIntervals ? estimate.interval : nil
        writer.object { writer in
            writer.member("value", estimate.value)
            writer.member("lower", interval?.lowerBound)
            writer.member("upper", interval?.upperBound)
        }
    }
}

extension NotificationPlanner.Outcome: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .planned(let plan):
            writer.member("at", plan.instant.description)
            writer.member("local_time", plan.time.description)
            writer.member("date", plan.day.description)
            if let chance = plan.answerProbability { writer.member("answer_probability", chance) }
        case .refused(let refusal): writer.member("refused", refusal.explanation)
        }
    }
}

extension NotificationPlanner.Refusal {
    /// The reason, with advice.
    package var explanation: String {
        switch self {
        case .unwanted: "no notifications are wanted: the preferences turn them off, or their daily budget is 0"
        case .noMinute: "no minute lies in the time window and outside the quiet hours; widen the window"
        case .nothingLeft(let days): "nothing is left of the daily budget for \(days) days"
        }
    }
}

/// The result of checking a file of content or challenges.
package struct ContentReport: Sendable, JSONObject {
    /// The number of valid records.
    package let records: Int
    /// The problems with their lines; nil for the file as a whole.
    package let problems: [(line: Int?, error: KinError)]

    init(_ check: ContentCheck<some Sendable>) {
        records = check.records.count
        problems = check.problems.map { ($0.line, $0.error) }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("is_sound", problems.isEmpty)
        writer.member("records", records)
        writer.objects("problems", problems) { problem, writer in
            writer.member("line", problem.line)
            writer.member("problem", "\(problem.error)")
        }
    }
}
