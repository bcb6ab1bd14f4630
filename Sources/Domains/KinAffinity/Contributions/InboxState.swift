/// The state of an item in an inbox.
public enum InboxState: Int, Sendable, Hashable, NamedCase {
    /// It was shared, and integrated at once.
    case delivered
    /// It was shared, and appears as discovered.
    case discovered
    /// It was suggested, to be accepted or declined.
    case pending
    /// The recipient has accepted it.
    case accepted
    /// The recipient has declined it.
    case declined
    /// It is visible to the recipient, but not shared.
    case visible

    /// The names of all states in files and JSON.
    public static let names = ["delivered", "discovered", "pending", "accepted", "declined", "visible"]
}

extension SoulConnection {
    /// The state of a contribution when it arrives from a person with this connection; nil if it does not arrive.
    public var arrival: InboxState? {
        switch self {
        case .soulMirror: .delivered
        case .kindredSpirit: .discovered
        case .resonantTraveller: .pending
        case .parallelPath: .visible
        case .distantEcho: nil
        }
    }

    /// The connection in words, with its article.
    public var phrase: String { "a " + name.replacing("_", with: " ") }
}
