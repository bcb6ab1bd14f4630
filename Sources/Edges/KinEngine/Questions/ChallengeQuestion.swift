package import KinChallenges
package import KinCore

/// Something about challenges or daily content that a store is asked or told for a person.
package enum ChallengeQuestion: Sendable {
    /// What waits in the queue.
    case suggest
    /// Today's content and challenge: the one that was assigned or, if there is none, the one that comes next.
    case today
    /// Assigns today's challenge if none was.
    case assign
    /// The coming days of content.
    case timeline(days: Int)
    /// A challenge was done, the one that waits when none is named.
    case complete(String?, rating: Int?, minutes: Double?)
    /// A challenge was declined.
    case skip(String?)
    /// What was given, the newest first.
    case history(count: Int)
    /// What the person says of today's content.
    case reflect(completed: Bool, text: String)
    /// What reflections and challenges add up to.
    case progress
    /// Changes the rotation, or asks for it when nothing changes.
    case rotate(RotationChange)
    /// Changes the preferences: a JSON object of the fields that change.
    case prefer(String)
    /// When to notify next.
    case nextNotification(NotificationPlanner.Phase, seed: UInt64)
    /// A notification was sent, or answered.
    case notified(sent: Timestamp, wasAnswered: Bool?)

    /// Whether it tells the store something; what only asks is answered by a store that was opened for reading too.
    package var isCommand: Bool {
        switch self {
        case .suggest, .today, .timeline, .history, .progress, .nextNotification: false
        case .assign, .complete, .skip, .reflect, .notified: true
        case .rotate(let change): !change.isEmpty
        case .prefer(let json): json != "{}"
        }
    }
}

/// What of a rotation changes; nil stays as it is.
package struct RotationChange: Sendable {
    /// The focus; inside, nil for all domains.
    package var focus: ContentDomain??
    package var refresh: MinuteOfDay?
    /// The reminder; inside, nil for none.
    package var reminder: MinuteOfDay??
    /// Whether the advanced year begins.
    package var startsAdvancedYear = false

    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { focus == nil && refresh == nil && reminder == nil && !startsAdvancedYear }
}

/// For whom, when and where.
package struct PersonContext: Sendable {
    package let user: String
    package let now: Timestamp
    /// The name of the zone the person is in; what their preferences say when nil.
    package let zone: String?
    /// What the clock says, when it is asked about another instant.
    package let present: Timestamp

    package init(user: String, now: Timestamp, zone: String? = nil, present: Timestamp) {
        self.user = user
        self.now = now
        self.zone = zone
        self.present = present
    }
}
