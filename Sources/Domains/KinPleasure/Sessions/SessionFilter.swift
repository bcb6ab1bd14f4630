public import KinCore
import KinIndex

/// Which sessions a search may return: by person, state and time, joined by "and".
///
///     .user("u42") && .state(.drift) && .started(in: lastMonth)
public struct SessionFilter: Sendable, Hashable {
    /// Only this person's.
    public var user: String?
    /// Only those in one of these states.
    public var states: Set<SessionState>?
    /// Only those that began in this span.
    public var started: TimeRange?

    /// Those that fulfil what is given.
    public init(user: String? = nil, states: Set<SessionState>? = nil, started: TimeRange? = nil) {
        self.user = user
        self.states = states
        self.started = started
    }

    /// All.
    public static let all = SessionFilter()

    /// A person's.
    public static func user(_ id: String) -> SessionFilter { SessionFilter(user: id) }

    /// Those in a state.
    public static func state(_ state: SessionState) -> SessionFilter { SessionFilter(states: [state]) }

    /// Those that began in a span of time.
    public static func started(in range: TimeRange) -> SessionFilter { SessionFilter(started: range) }

    /// Those that fulfil both.
    public static func && (a: SessionFilter, b: SessionFilter) -> SessionFilter {
        var both = a
        if let user = b.user {
            // Nobody has two owners: a filter that asks for two lets none through.
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

    /// Which states it asks for.
    var stateSet: StateSet { states.map { StateSet($0) } ?? .all }

    /// The same in the words of the index's attributes, for a filter that asks for anything.
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
