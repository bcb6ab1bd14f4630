/// A filter of sessions by person, state and time, joined by "and".
///
///     .user("u42") && .state(.drift) && .started(in: lastMonth)
public struct SessionFilter: Sendable, Hashable {
    /// The required person; nil for any.
    public var user: String?
    /// The allowed states; nil for all.
    public var states: Set<SessionState>?
    /// The span that contains the start; nil for any.
    public var started: TimeRange?

    /// Creates a filter from its conditions.
    public init(user: String? = nil, states: Set<SessionState>? = nil, started: TimeRange? = nil) {
        self.user = user
        self.states = states
        self.started = started
    }

    /// A filter that allows all sessions.
    public static let all = SessionFilter()

    /// A filter that allows one person's sessions.
    public static func user(_ id: String) -> SessionFilter { SessionFilter(user: id) }

    /// A filter that allows the sessions in a state.
    public static func state(_ state: SessionState) -> SessionFilter { SessionFilter(states: [state]) }

    /// A filter that allows the sessions that began in a span of time.
    public static func started(in range: TimeRange) -> SessionFilter { SessionFilter(started: range) }

    /// A filter that allows the sessions that both filters allow.
    public static func && (a: SessionFilter, b: SessionFilter) -> SessionFilter {
        var both = a
        if let user = b.user {
            // No session belongs to two people, so a filter for both allows none.
            if let other = a.user, other != user { both.states = [] }
            both.user = user
        }
        if let states = b.states { both.states = both.states.map { $0.intersection(states) } ?? states }
        if let range = b.started {
            both.started =
                a.started.map { first in
                    let start = max(first.start, range.start)
                    return TimeRange(from: start, to: max(start, min(first.end, range.end)))!
                } ?? range
        }
        return both
    }

    /// The allowed states as a bit set.
    var stateSet: StateSet { states.map { StateSet($0) } ?? .all }

    /// The equivalent expression on the attributes of the index; the filter must have a condition.
    var condition: FilterExpression {
        var parts: [FilterExpression] = []
        if let user { parts.append(.equals(SessionIndex.userAttribute, .text(RecordID.normalized(user)))) }
        if let states {
            let names = states.map(\.name).sorted().map { FilterExpression.Literal.text($0) }
            parts.append(.isIn(SessionIndex.stateAttribute, names))
        }
        if let started {
            parts.append(.compare(SessionIndex.startAttribute, .greaterOrEqual, .time(started.start)))
            parts.append(.compare(SessionIndex.startAttribute, .less, .time(started.end)))
        }
        guard let first = parts.first else { preconditionFailure("a filter that allows all has no words") }
        return parts.dropFirst().reduce(first) { $0 && $1 }
    }
}
