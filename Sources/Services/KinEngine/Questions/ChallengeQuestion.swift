package import KinChallenges
package import KinCore

/// A query or command about a person's challenges, daily content or notifications.
package enum ChallengeQuestion: Sendable {
    /// The challenges that `assign` would lay out.
    case suggest
    /// Today's content and challenge: the assigned one or, without one, the next.
    case today
    /// Assigns today's challenge unless one was assigned.
    case assign
    /// The coming days of content, from today on.
    case timeline(days: Int)
    /// Completes a challenge, the waiting one when none is named.
    case complete(String?, rating: Int?, minutes: Double?)
    /// Skips a challenge, the waiting one when none is named.
    case skip(String?)
    /// The given challenges, the newest first.
    case history(count: Int)
    /// Stores a reflection on today's content.
    case reflect(completed: Bool, text: String)
    /// The statistics of reflections and challenges.
    case progress
    /// Changes the rotation; a query when nothing changes.
    case rotate(RotationChange)
    /// Changes the preferences: a JSON object of the fields that change.
    case prefer(String)
    /// The time of the next notification.
    case nextNotification(NotificationPlanner.Phase, seed: UInt64)
    /// Stores that a notification was sent, or answered.
    case notified(sent: Timestamp, wasAnswered: Bool?)

    /// Whether it is a command, which needs a store opened for writing.
    package var isCommand: Bool {
        switch self {
        case .suggest, .today, .timeline, .history, .progress, .nextNotification: false
        case .assign, .complete, .skip, .reflect, .notified: true
        case .rotate(let change): !change.isEmpty
        case .prefer(let json): json != "{}"
        }
    }
}

/// The person, instant and time zone of a question.
package struct PersonContext: Sendable {
    package let user: String
    package let now: Timestamp
    /// The name of the time zone; that of the person's preferences when nil.
    package let zone: String?
    /// The present by the clock, when the question is about another instant.
    package let present: Timestamp

    package init(user: String, now: Timestamp, zone: String? = nil, present: Timestamp) {
        self.user = user
        self.now = now
        self.zone = zone
        self.present = present
    }
}
