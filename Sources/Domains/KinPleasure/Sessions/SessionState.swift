import KinCore

/// Where a session stands.
///
/// idle → drift; drift → mastery | social_sync; mastery → drift | social_sync; social_sync → drift | mastery; any state →
/// reflection when the session ends; reflection → idle. There are no other changes.
public enum SessionState: Int, Sendable, Hashable, CaseIterable {
    /// Not begun.
    case idle
    /// Wandering.
    case drift
    /// Growing in a skill.
    case mastery
    /// In tune with others.
    case socialSync
    /// Ended, and looked back on.
    case reflection

    /// The name in files and JSON: `social_sync`.
    public var name: String { Self.names[rawValue] }

    /// All names.
    public static let names = ["idle", "drift", "mastery", "social_sync", "reflection"]

    /// The state with this name, or nil when there is none.
    public init?(name: String) {
        guard let position = Self.names.firstIndex(of: name) else { return nil }
        self = Self.allCases[position]
    }

    /// The states that may come next.
    public var successors: [SessionState] {
        switch self {
        case .idle: [.drift, .reflection]
        case .drift: [.mastery, .socialSync, .reflection]
        case .mastery: [.drift, .socialSync, .reflection]
        case .socialSync: [.drift, .mastery, .reflection]
        case .reflection: [.idle]
        }
    }

    /// Throws unless a state may come next.
    func check(next: SessionState) throws(KinError) {
        guard successors.contains(next) else {
            let names = successors.map(\.name).joined(separator: " or ")
            throw KinError(.invalidArgument, "a session cannot go from \(name) to \(next.name); next may be \(names)")
        }
    }
}

extension SessionState: CustomStringConvertible {
    public var description: String { name }
}

/// Some of the states, a bit for each.
package struct StateSet: Sendable, Hashable {
    package let bits: Int

    package static let all = StateSet(bits: 0b11111)

    package init(bits: Int) { self.bits = bits }

    package init(_ states: Set<SessionState>) { bits = states.reduce(0) { $0 | 1 << $1.rawValue } }

    package func contains(_ state: SessionState) -> Bool { bits & 1 << state.rawValue != 0 }
}
