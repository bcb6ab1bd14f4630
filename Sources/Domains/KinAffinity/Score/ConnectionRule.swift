public import KinCore

/// The rule by which a score becomes a connection: the fixed bounds of ``SoulConnection``, or quantiles of the population.
///
///     let rule = ConnectionRule(quantiles: .standard, minimumCoverage: 0.75)
///     let nearest = try matcher.calibrated(rule).mostSimilar(to: "u42", k: 10)
public struct ConnectionRule: Sendable, Hashable {
    /// The shares of pairs that connections exceed; nil for the fixed bounds.
    public var quantiles: ConnectionQuantiles?
    /// The least coverage of every connection, 0…1, where that of ``SoulConnection/minimumCoverage`` is lower.
    public var minimumCoverage: Double

    /// The fixed bounds: from .70, .75, .85 and .95.
    public static let standard = ConnectionRule()

    /// Creates a rule from quantiles, or with the fixed bounds.
    ///
    /// - Parameters:
    ///   - quantiles: The shares of pairs that connections exceed; nil for the fixed bounds.
    ///   - minimumCoverage: The least coverage of every connection, 0…1.
    public init(quantiles: ConnectionQuantiles? = nil, minimumCoverage: Double = 0) {
        self.quantiles = quantiles
        self.minimumCoverage = minimumCoverage
    }
}

/// The share of all pairs that the score of each connection exceeds.
public struct ConnectionQuantiles: Sendable, Hashable {
    /// The shares in the order of ``SoulConnection``, that of distant echoes 0.
    package let shares: [Double]

    /// The standard quantiles: .95 for parallel paths, .98, .995, and .9995 for soul mirrors.
    ///
    /// A soul mirror's contributions are integrated without asking, so that one pair in two thousand is one; among a thousand people
    /// somebody has half a mirror, four kindred spirits, fifteen resonant travellers and thirty parallel paths on average. Among the 1,892
    /// listeners of Last.fm 99 % have anybody by these (4 % by the fixed bounds); who makes one thing a day reaches .7, 8, 28 and 55 people in
    /// the mean (`Tests/Domains/KinAffinityTests/CalibrationTests.swift`), so that a limit of deliveries belongs to them.
    public static let standard = ConnectionQuantiles(unchecked: [0, 0.95, 0.98, 0.995, 0.9995])

    private init(unchecked shares: [Double]) { self.shares = shares }

    /// Creates quantiles from a share for each connection but distant echoes.
    ///
    /// - Parameters:
    ///   - parallelPath: The share of pairs that parallel paths exceed, 0…1.
    ///   - resonantTraveller: That of resonant travellers, not less.
    ///   - kindredSpirit: That of kindred spirits, not less.
    ///   - soulMirror: That of soul mirrors, not less.
    /// - Throws: `.notFinite`; `.invalidArgument` for a share outside 0…1 or less than that of a weaker connection; naming the connection.
    public init(
        parallelPath: Double, resonantTraveller: Double, kindredSpirit: Double, soulMirror: Double
    ) throws(KinError) {
        try self.init([parallelPath, resonantTraveller, kindredSpirit, soulMirror])
    }

    /// Creates quantiles from the shares of the four connections, the weakest first.
    package init(_ shares: [Double]) throws(KinError) {
        var least = 0.0
        for (name, share) in zip(SoulConnection.names.dropFirst(), shares) {
            guard share.isFinite else { throw .field(name, "it is \(share)", .notFinite) }
            guard (0...1).contains(share) else {
                throw .field(name, "it is \(share), and must be from 0 to 1")
            }
            guard share >= least else {
                throw .field(name, "it is \(share), less than the \(least) of a weaker connection")
            }
            least = share
        }
        self.shares = [0] + shares
    }

    /// The share of pairs that a connection exceeds, 0…1.
    public subscript(connection: SoulConnection) -> Double { shares[connection.rawValue] }
}

/// The least score and the least coverage of each connection.
public struct ConnectionBounds: Sendable, Hashable {
    /// The least scores in the order of ``SoulConnection``.
    private let scores: [Double]
    private let coverages: [Double]

    /// The bounds of ``SoulConnection``.
    public static let standard = ConnectionBounds(.standard, calibration: nil)

    /// Creates the bounds of a rule; the fixed ones where no calibration says what scores the quantiles are.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - calibration: The quantiles of scores in the population.
    public init(_ rule: ConnectionRule, calibration: AffinityCalibration?) {
        let all = SoulConnection.allCases
        if let quantiles = rule.quantiles, let calibration {
            scores = [0] + all.dropFirst().map { calibration.score(above: quantiles[$0]) }
        } else {
            scores = all.map(\.threshold)
        }
        coverages = [0] + all.dropFirst().map { max($0.minimumCoverage, rule.minimumCoverage) }
    }

    /// The least score of a connection, 0…1; above 1 where no score is enough.
    public func score(of connection: SoulConnection) -> Double { scores[connection.rawValue] }

    /// The least coverage of a connection, 0…1.
    public func coverage(of connection: SoulConnection) -> Double { coverages[connection.rawValue] }

    /// Finds the strongest connection whose score and coverage are reached.
    ///
    /// - Parameters:
    ///   - score: The score, 0…1.
    ///   - coverage: The share of all weight that could be compared, 0…1.
    public func connection(score: Double, coverage: Double) -> SoulConnection {
        SoulConnection.allCases.last {
            score >= scores[$0.rawValue] && coverage >= coverages[$0.rawValue] - SoulConnection.rounding
        } ?? .distantEcho
    }
}
