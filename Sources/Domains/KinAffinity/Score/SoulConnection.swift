public import KinCore

/// The connection type of two people, by the score and the coverage of their affinity.
///
/// A connection needs a score (``threshold``) and a share of the weight that was compared (``minimumCoverage``): a score of 1 from an equal
/// valence alone connects nobody.
///
/// # Why six tenths and three quarters
///
/// Pairs with all blocks were scored by each set of blocks, and compared with the score by all of them
/// (`Tests/Domains/KinAffinityTests/CoverageTests.swift` prints the figures for synthetic people):
///
/// - Synthetic people (`SoulGenerator`, 2.4 million pairs of 3,000): of pairs that reach .70, .75 or .85 by a part of the blocks, the share
///   that reaches it by all of them is at least .90 for every set of six tenths of the weight or more; with half of the weight it falls to .75,
///   with two fifths to .35, with valence alone to .02. The score is off by .11 at most from six tenths on (root mean square), by .17 at
///   most with two fifths, by .57 with valence alone. (Goals were compared by 24 words then; by their synonyms, which make 20 of them, the
///   least shares of 300 people are .85 from six tenths on, .62 with half and .02 with valence alone.)
/// - Last.fm (1,892 listeners, 400,000 pairs): of the thousandth of the pairs that a part of the blocks ranks highest, all blocks rank
///   .61 to .95 so high from six tenths on, and .00 to .46 below.
/// - A soul mirror, whose contributions are integrated without asking, has only .05 above its threshold. From three quarters of the weight
///   on the score is within .08 of that of all blocks (.11 from six tenths on). With less, a pair is a kindred spirit at most, as more than
///   99 in 100 of the synthetic pairs above .95 are by all blocks too.
public enum SoulConnection: Int, Sendable, Hashable, NamedCase, Comparable {
    /// Below 0.70, or with too little coverage: nothing is passed on.
    case distantEcho
    /// From 0.70: contributions are visible to the other, and not shared.
    case parallelPath
    /// From 0.75: contributions are suggested to the other, who decides.
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

    public static func < (a: SoulConnection, b: SoulConnection) -> Bool { a.rawValue < b.rawValue }
}
