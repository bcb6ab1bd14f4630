/// What two people are to each other, by their affinity and by how much of it could be compared.
///
/// A connection needs an affinity (``threshold``) and a share of the weight behind it (``minimumCoverage``): an affinity of 1 that rests on an
/// equal valence alone connects nobody. The affinity itself stays what it is, whatever it rests on.
///
/// # Why six tenths and three quarters
///
/// How much of all blocks' score do some of them tell? Pairs of whom every block is known were scored by each set of blocks, and the
/// result was held against the score of all (`Tests/Domains/KinAffinityTests/EvidenceTests.swift` prints the figures for made-up people):
///
/// - Made-up people (`SoulGenerator`, 2.4 million pairs of 3,000): of pairs that reach .70, .75 or .85 by a part of the blocks, the share
///   that reaches it by all of them is at least .90 for every set of six tenths of the weight or more; with half of the weight it falls to .75,
///   with two fifths to .35, with valence alone to .02. The score is off by .11 at most from six tenths on (root mean square), by .17 at
///   most with two fifths, by .57 with valence alone.
/// - Last.fm (1,892 listeners, 400,000 pairs): of the thousandth of the pairs that a part of the blocks ranks highest, all blocks rank
///   .61 to .95 so high from six tenths on, and .00 to .46 below.
/// - A soul mirror, whose contributions are taken in without asking, has only .05 above its threshold. From three quarters of the weight
///   on the score is within .08 of that of all blocks (.11 from six tenths on). Who has less is a kindred spirit at most, which of the
///   made-up pairs above .95 more than 99 in 100 are by all blocks too.
public enum SoulConnection: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Below 0.70, or too little compared: nothing is passed on.
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

    /// The least share of all weight that has to be compared for it, 0…1: 0.60, and 0.75 for soul mirrors.
    public var minimumCoverage: Double { Self.floors[rawValue] }

    private static let thresholds = [0, 0.70, 0.75, 0.85, 0.95]
    private static let floors = [0, 0.60, 0.60, 0.60, 0.75]
    /// What a sum of five weights may be rounded.
    package static let rounding = 0x1p-40

    /// The strongest connection whose threshold an affinity reaches and whose weight was compared.
    ///
    /// - Parameters:
    ///   - affinity: The score, 0…1.
    ///   - coverage: The share of all weight that it rests on, 0…1.
    public init(affinity: Double, coverage: Double) {
        self =
            Self.allCases.last { affinity >= $0.threshold && coverage >= $0.minimumCoverage - Self.rounding }
            ?? .distantEcho
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

    public static func < (a: SoulConnection, b: SoulConnection) -> Bool { a.rawValue < b.rawValue }
}
