/// The rule that maps scores to connections: the fixed bounds of ``SoulConnection``, or quantiles of the population.
///
///     let rule = ConnectionRule(quantiles: .standard, minimumCoverage: 0.75)
///     let nearest = try matcher.calibrated(rule).mostSimilar(to: "u42", k: 10)
public struct ConnectionRule: Sendable, Hashable {
    /// The shares of pairs that connections exceed; nil for the fixed bounds.
    public var quantiles: ConnectionQuantiles?
    /// The least coverage of every connection, 0…1; a higher ``SoulConnection/minimumCoverage`` still applies.
    public var minimumCoverage: Double

    /// The fixed bounds: 0.70, 0.75, 0.85 and 0.95.
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
    /// The shares in the order of ``SoulConnection``, starting with 0 for distant echoes.
    package let shares: [Double]

    /// The standard quantiles: 0.95 for parallel paths, 0.98, 0.995, and 0.9995 for soul mirrors.
    ///
    /// A soul mirror's contributions are integrated without asking, so only one pair in two thousand is one. In a
    /// population of a thousand a person has half a mirror, 4.5 kindred spirits, 15 resonant travellers and 30 parallel
    /// paths on average. Of the 1,892 Last.fm listeners 99 % have some connection by these quantiles, and 4 % by the
    /// fixed bounds. If each of them made one contribution a day, each would receive 0.7 that are delivered, 8
    /// discovered, 28 pending and 55 visible a day on average
    /// (`Tests/Domains/KinAffinityTests/CalibrationTests.swift`), so use a delivery limit with these quantiles.
    public static let standard = ConnectionQuantiles(unchecked: [0, 0.95, 0.98, 0.995, 0.9995])

    private init(unchecked shares: [Double]) { self.shares = shares }

    /// Creates quantiles from a share for each connection but distant echoes.
    ///
    /// - Parameters:
    ///   - parallelPath: The share of pairs that parallel paths exceed, 0…1.
    ///   - resonantTraveller: The share that resonant travellers exceed, at least the previous one.
    ///   - kindredSpirit: The share that kindred spirits exceed, at least the previous one.
    ///   - soulMirror: The share that soul mirrors exceed, at least the previous one.
    /// - Throws: `.notFinite`; `.invalidArgument` for a share outside 0…1 or below the share of a weaker connection;
    ///   naming the connection.
    public init(
        parallelPath: Double, resonantTraveller: Double, kindredSpirit: Double, soulMirror: Double
    ) throws(KinError) {
        try self.init([parallelPath, resonantTraveller, kindredSpirit, soulMirror])
    }

    /// Creates quantiles from the shares of the four connections, the weakest first.
    package init(_ shares: [Double]) throws(KinError) {
        var least = 0.0
        for (name, share) in zip(SoulConnection.names.dropFirst(), shares) {
            try KinError.check(share, name, "from 0 to 1") { $0 >= 0 && $0 <= 1 }
            guard share >= least else {
                throw .field(name, "must be at least \(least), the value of a weaker connection, not \(share)")
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

    /// Creates the bounds of a rule: by its quantiles if the rule has them and a calibration is given, else the fixed
    /// scores.
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

    /// The least score of a connection, 0…1; above 1 if no score is enough.
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
