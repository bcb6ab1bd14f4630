/// The state of a session.
///
/// idle → drift; drift → mastery | social_sync; mastery → drift | social_sync; social_sync → drift | mastery; any state
/// → reflection when the session ends; reflection → idle. All other transitions are forbidden.
public enum SessionState: Int, Sendable, Hashable, NamedCase {
    /// The session has not begun.
    case idle
    /// The person wanders without a goal.
    case drift
    /// The person practises a skill.
    case mastery
    /// The person is in tune with others.
    case socialSync
    /// The session has ended and is reviewed.
    case reflection

    /// The names of all states in files and JSON, in the order of the cases.
    public static let names = ["idle", "drift", "mastery", "social_sync", "reflection"]

    /// The states that may follow this one.
    public var successors: [SessionState] {
        switch self {
        case .idle: [.drift, .reflection]
        case .drift: [.mastery, .socialSync, .reflection]
        case .mastery: [.drift, .socialSync, .reflection]
        case .socialSync: [.drift, .mastery, .reflection]
        case .reflection: [.idle]
        }
    }

    /// Throws `.invalidArgument` unless a state may follow this one.
    func check(next: SessionState) throws(KinError) {
        guard StateSet(mayFollow: self).contains(next) else {
            let names = successors.map(\.name).joined(separator: " or ")
            throw KinError(.invalidArgument, "a session cannot go from \(name) to \(next.name); next may be \(names)")
        }
    }
}

extension SessionState: CustomStringConvertible {
    public var description: String { name }
}

/// A set of states, one bit each.
package struct StateSet: Sendable, Hashable {
    package let bits: Int

    package static let all = StateSet(bits: 0b11111)

    package init(bits: Int) { self.bits = bits }

    /// The states that ``SessionState/successors`` allows after a state.
    init(mayFollow state: SessionState) { self = Self.following[state.rawValue] }

    private static let following = SessionState.allCases.map { StateSet(Set($0.successors)) }

    package init(_ states: Set<SessionState>) { bits = states.reduce(0) { $0 | 1 << $1.rawValue } }

    package func contains(_ state: SessionState) -> Bool { bits & 1 << state.rawValue != 0 }
}
