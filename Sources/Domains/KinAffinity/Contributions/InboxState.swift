/// Where something stands in an inbox.
public enum InboxState: Int, Sendable, Hashable, CaseIterable {
    /// Shared and integrated at once.
    case delivered
    /// Shared, appears as discovered.
    case discovered
    /// Suggested, to be accepted or declined.
    case pending
    /// The recipient took it.
    case accepted
    /// The recipient does not want it.
    case declined
    /// There to be seen, not shared.
    case visible

    /// "delivered", "discovered", …
    public var name: String { Self.names[rawValue] }

    /// The names of all states.
    public static let names = ["delivered", "discovered", "pending", "accepted", "declined", "visible"]

    /// The state with a name.
    public init?(name: String) {
        guard let value = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: value)
    }
}

extension SoulConnection {
    /// How a contribution arrives at somebody with this connection to its author; nil when it does not.
    public var arrival: InboxState? {
        switch self {
        case .soulMirror: .delivered
        case .kindredSpirit: .discovered
        case .resonantTraveller: .pending
        case .parallelPath: .visible
        case .distantEcho: nil
        }
    }

    /// The connection as one says it: "a kindred spirit".
    public var phrase: String { "a " + name.replacing("_", with: " ") }
}
