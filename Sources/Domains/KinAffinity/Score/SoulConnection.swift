/// The connection type of two people, by the score and the coverage of their affinity.
///
///     let affinity = AffinityModel.standard.affinity(between: anna, and: ben)
///     if affinity.connection >= .kindredSpirit { print("share with \(ben.userID)") }
///     SoulConnection(affinity: 0.97, coverage: 0.80)    // .soulMirror
///     SoulConnection(affinity: 0.97, coverage: 0.70)    // .kindredSpirit: a soul mirror needs a coverage of 0.75
///     SoulConnection(affinity: 0.97, coverage: 0.20)    // .distantEcho: the others need 0.60 or more
///
/// A connection needs a score (``threshold``) and a share of the weight that was compared (``minimumCoverage``): a
/// score of 1 from equal valence alone connects no two people.
///
/// # Why 0.60 and 0.75
///
/// Pairs with all blocks were scored by each set of blocks, and compared with the score by all blocks
/// (`Tests/Domains/KinAffinityTests/CoverageTests.swift` prints the figures for synthetic people):
///
/// - Synthetic people (`SoulGenerator`, 2.4 million pairs of 3,000 people). Take the pairs that reach 0.70, 0.75 or
///   0.85 by some of the blocks. At least 90 % of them reach it by all blocks if the set has 60 % of the weight or
///   more. With 50 % of the weight this falls to 75 %, with 40 % to 35 %, with valence alone to 2 %. The error of
///   the score (root mean square) is at most 0.11 with 60 % of the weight or more, at most 0.17 with 40 %, and 0.57
///   with valence alone. (Goals were compared by 24 words then. Synonyms reduce these to 20 goals, and the smallest
///   shares among 300 people are 85 % from 60 % of the weight on, 62 % with half and 2 % with valence alone.)
/// - Last.fm (1,892 listeners, 400,000 pairs). Take the top 0.1 % of pairs by some of the blocks. If the set has 60 %
///   of the weight or more, 61 to 95 % of them are in the top 0.1 % by all blocks, else 0 to 46 %.
/// - A soul mirror, whose contributions are integrated without asking, has only 0.05 above its threshold. With 75 % of
///   the weight or more the score is within 0.08 of the score by all blocks (0.11 with 60 %). With less, a pair is at
///   most a kindred spirit; more than 99 % of the synthetic pairs above 0.95 are at least that by all blocks too.
public enum SoulConnection: Int, Sendable, Hashable, NamedCase, Comparable {
    /// Below 0.70, or with too little coverage: nothing is passed on.
    case distantEcho
    /// From 0.70: contributions are visible to the other person, but not shared.
    case parallelPath
    /// From 0.75: contributions are suggested to the other person for a decision.
    case resonantTraveller
    /// From 0.85: contributions are shared, and appear as discovered.
    case kindredSpirit
    /// From 0.95: contributions are shared, and integrated at once.
    case soulMirror

    /// The least score of the connection, 0…1.
    public var threshold: Double { Self.thresholds[rawValue] }

    /// The least coverage of the connection, 0…1: 0.60, and 0.75 for soul mirrors.
    public var minimumCoverage: Double { Self.floors[rawValue] }

    private static let thresholds = [0, 0.70, 0.75, 0.85, 0.95]
    private static let floors = [0, 0.60, 0.60, 0.60, 0.75]
    /// The rounding error of a sum of five weights.
    package static let rounding = 0x1p-40

    /// Finds the strongest connection whose score and coverage are reached; a ``ConnectionRule`` may set other bounds.
    ///
    /// - Parameters:
    ///   - affinity: The score, 0…1.
    ///   - coverage: The share of all weight that could be compared, 0…1.
    public init(affinity: Double, coverage: Double) {
        self = ConnectionBounds.standard.connection(score: affinity, coverage: coverage)
    }

    /// The names in files and JSON, the weakest connection first.
    public static let names = [
        "distant_echo", "parallel_path", "resonant_traveller", "kindred_spirit", "soul_mirror",
    ]

    /// Further spellings of the names.
    static let aliases = [(alias: "resonant_traveler", name: "resonant_traveller")]

    public static func < (a: SoulConnection, b: SoulConnection) -> Bool { a.rawValue < b.rawValue }
}
