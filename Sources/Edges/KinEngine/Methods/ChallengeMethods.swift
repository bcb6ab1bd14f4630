package import KinChallenges
package import KinCore
import KinJSON
import KinStore

/// The methods of challenges, daily content and notifications.
enum ChallengeMethods {
    static let all =
        [
            method("suggest") { _ throws(KinError) in .suggest },
            method("today") { _ throws(KinError) in .today },
            method("assign") { _ throws(KinError) in .assign },
            method("timeline") { request throws(KinError) in
                .timeline(days: try request.integer("days", in: 1...1000) ?? 7)
            },
            method("complete") { request throws(KinError) in
                let id = try request.optionalID("challenge")
                let rating = try request.integer("rating", in: 1...5)
                return .complete(id, rating: rating, minutes: try request.number("minutes", in: EngineRequest.minutes))
            },
            method("skip") { request throws(KinError) in .skip(try request.optionalID("challenge")) },
            method("history") { request throws(KinError) in
                .history(count: try request.count("count", default: 20))
            },
            method("reflect") { request throws(KinError) in
                .reflect(
                    completed: try request.optionalBoolean("completed") ?? true,
                    text: try request.optionalString("text") ?? "")
            },
            method("progress") { _ throws(KinError) in .progress },
            method("rotation") { request throws(KinError) in .rotate(try change(&request)) },
            method("prefer") { request throws(KinError) in
                .prefer(try request.required("preferences") { reader throws(KinError) in try reader.verbatim() })
            },
            method("next_notification") { request throws(KinError) in
                let phases = NotificationPlanner.Phase.allCases
                let phase = try request.choice("phase", of: phases, named: phases.map(\.rawValue)) ?? .learned
                return .nextNotification(phase, seed: try request.seed(default: 1))
            },
            method("notified") { request throws(KinError) in
                .notified(
                    sent: try request.requiredInstant("sent"), wasAnswered: try request.optionalBoolean("answered"))
            },
        ] + [decisions, checkContent]

    /// A method with the parameters `user`, `at` and `zone`.
    private static func method(
        _ name: String,
        _ question: @escaping @Sendable (inout EngineRequest) throws(KinError) -> ChallengeQuestion
    ) -> EngineMethod {
        EngineMethod(name) { call, request throws(KinError) in
            let user = try request.id("user")
            let now = try request.instant("at") ?? call.now
            let context = PersonContext(
                user: user, now: now, zone: try request.optionalString("zone"), present: call.now)
            let question = try question(&request)
            try request.finish()
            let store = try call.store
            return try finishing { try await store.answer(question, for: context) }.json
        }
    }

    private static let decisions = EngineMethod("decisions") { call, request throws(KinError) in
        let user = try request.id("user")
        try request.finish()
        var writer = JSONWriter()
        let decisions = try call.store.challengeDecisions(of: user)
        writer.array(decisions) { $0.write(to: &$1) }
        return writer.text
    }

    private static let checkContent = EngineMethod("check_content") { _, request throws(KinError) in
        let kind = try request.choice("kind", of: [true, false], named: ["content", "challenges"]) ?? true
        let text = try request.string("text")
        try request.finish()
        return kind ? ContentCheck.content(text).json : ContentCheck.challenges(text).json
    }

    /// Reads the changes of a rotation; null and "none" remove focus and reminder.
    private static func change(_ request: inout EngineRequest) throws(KinError) -> RotationChange {
        var change = RotationChange()
        if let focus = try request.optionalString("focus") {
            change.focus = .some(try ContentDomain.named(focus))
        }
        change.refresh = try request.optionalString("refresh").map { text throws(KinError) in
            try TimeOfDay(parsing: text)
        }
        if let reminder = try request.optionalString("reminder") {
            change.reminder = .some(reminder == "none" ? nil : try TimeOfDay(parsing: reminder))
        }
        change.startsAdvancedYear = try request.boolean("start_advanced_year")
        return change
    }
}

extension ContentDomain {
    /// The domain of a name; nil for "none".
    package static func named(_ name: String) throws(KinError) -> ContentDomain? {
        if name == "none" { return nil }
        if let domain = ContentDomain(rawValue: name) { return domain }
        let names = allCases.map(\.rawValue)
        let near = Spelling.nearest(to: name, in: names)
        throw KinError(
            .invalidArgument,
            "there is no domain \"\(name.prefix(40))\"; "
                + (near.map { "did you mean \"\($0)\"?" } ?? "there are \(names.joined(separator: ", ")) and none"))
    }
}

extension ContentCheck {
    /// The number of valid records and the problems by line, in JSON.
    fileprivate var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("is_sound") { $0.boolean(isSound) }
            writer.member("records") { $0.integer(records.count) }
            writer.member("problems") { writer in
                writer.array(problems) { problem, writer in
                    writer.object { writer in
                        writer.member("line") { writer in
                            if let line = problem.line { writer.integer(line) } else { writer.null() }
                        }
                        writer.member("problem") { $0.string("\(problem.error)") }
                    }
                }
            }
        }
        return writer.text
    }
}
