package import KinChallenges
package import KinCore
package import KinJSON

/// An answer about challenges, daily content or notifications.
package enum ChallengeAnswer: Sendable, JSONWritable {
    case suggestions(ChallengeSelector.Suggestions)
    /// Today's content; today's challenge, nil when the store has no challenges; whether the person's year of content
    /// has begun.
    case today(RotationTimelineEntry, TodayChallenge?, hasBegun: Bool)
    /// Today's challenge, which is stored as given.
    case assigned(ChallengeSelector.Today)
    case timeline([RotationTimelineEntry], zone: LocalZone)
    /// A challenge with its new status, and its content if it is still stored.
    case outcome(UserChallenge, Challenge?)
    /// The given challenges, each with its content if it is still stored.
    case history([(given: UserChallenge, challenge: Challenge?)])
    case reflection(DailyReflection)
    case progress(RotationStatistics, challenges: [UserChallenge.Status: Int])
    case rotation(ContentRotation)
    case preferences(ChallengePreferences)
    case notification(NotificationPlanner.Outcome)
    case notified(NotificationRecord)

    /// The answer as JSON, on one line.
    package var json: String { jsonText }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .suggestions(.queue(let queue)): writer.array(queue) { $0.write(to: &$1) }
        case .suggestions(.nothing(let report)):
            writer.object { writer in writer.member("nothing") { report.write(to: &$0) } }
        case .today(let entry, let challenge, let hasBegun):
            writer.object { writer in
                writer.member("content") { entry.write(to: &$0) }
                writer.member("challenge") { writer in
                    if let challenge { challenge.write(to: &writer) } else { writer.null() }
                }
                writer.member("has_begun") { $0.boolean(hasBegun) }
            }
        case .assigned(let today): TodayChallenge(today, isAssigned: true).write(to: &writer)
        case .timeline(let entries, _): writer.array(entries) { $0.write(to: &$1) }
        case .outcome(let given, _): given.write(to: &writer)
        case .history(let all):
            writer.array(all) { entry, writer in
                writer.object { writer in
                    writer.member("given") { entry.given.write(to: &$0) }
                    writer.member("title") { $0.string(entry.challenge?.title) }
                }
            }
        case .reflection(let reflection): reflection.write(to: &writer)
        case .progress(let statistics, let challenges):
            writer.object { writer in
                writer.member("content") { $0.raw(statistics.json) }
                writer.member("challenges") { writer in
                    writer.object { writer in
                        for status in UserChallenge.Status.allCases {
                            writer.member(status.rawValue) { $0.integer(challenges[status] ?? 0) }
                        }
                    }
                }
            }
        case .rotation(let rotation): rotation.write(to: &writer)
        case .preferences(let preferences): preferences.write(to: &writer)
        case .notification(let outcome): outcome.write(to: &writer)
        case .notified(let record): record.write(to: &writer)
        }
    }
}

/// Today's challenge in an answer.
package struct TodayChallenge: Sendable {
    package let today: ChallengeSelector.Today
    /// Whether the challenge was stored as given; otherwise it is the one that `assign` would give.
    package let isAssigned: Bool

    init(_ today: ChallengeSelector.Today, isAssigned: Bool) {
        self.today = today
        self.isAssigned = isAssigned
    }

    /// Writes the given challenge, or null, with its content; or the reason why there is none.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch today {
            case .given(let given, let challenge):
                writer.member("given") { writer in
                    if isAssigned { given.write(to: &writer) } else { writer.null() }
                }
                writer.member("challenge") { writer in
                    if let challenge { challenge.write(to: &writer) } else { writer.null() }
                }
            case .nothing(let report): writer.member("nothing") { report.write(to: &$0) }
            }
        }
    }
}
