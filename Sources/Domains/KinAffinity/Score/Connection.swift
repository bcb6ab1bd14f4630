/// What two people are to each other, by their affinity.
public enum Connection: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Below 0.70: nothing is passed on.
    case distantEcho
    /// From 0.70: what the one makes is visible to the other, and not shared.
    case parallelPath
    /// From 0.75: suggested to the other, who decides.
    case resonantTraveller
    /// From 0.85: shared, appears as discovered.
    case kindredSpirit
    /// From 0.95: shared and integrated at once.
    case soulMirror

    /// The least affinity of each connection.
    public var threshold: Double { Self.thresholds[rawValue] }

    private static let thresholds = [0, 0.70, 0.75, 0.85, 0.95]

    /// The connection of two people with an affinity.
    public init(affinity: Double) {
        self = Self.allCases.last { affinity >= $0.threshold } ?? .distantEcho
    }

    /// "distant_echo", "parallel_path", "resonant_traveller", "kindred_spirit", "soul_mirror".
    public var name: String { Self.names[rawValue] }

    /// The connection with a name.
    public init?(name: String) {
        guard let value = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: value)
    }

    /// The names, the weakest connection first.
    public static let names = [
        "distant_echo", "parallel_path", "resonant_traveller", "kindred_spirit", "soul_mirror",
    ]

    public static func < (a: Connection, b: Connection) -> Bool { a.rawValue < b.rawValue }
}
