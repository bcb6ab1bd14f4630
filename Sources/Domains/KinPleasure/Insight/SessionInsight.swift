public import KinCore
public import KinLinearAlgebra

/// A statistical comparison of one session with the same person's earlier sessions.
public struct SessionInsight: Sendable, Hashable {
    /// An earlier session and its distance.
    public struct SimilarSession: Sendable, Hashable {
        /// The id of the session.
        public let id: String
        /// The instant at which the session began.
        public let start: Timestamp
        /// The distance of its point, in the units of the metric.
        public let distance: Double
    }

    /// The most similar past sessions, nearest first, ties by the newest.
    public let similar: [SimilarSession]
    /// The shift of every dimension, by descending effect size, undefined ones last.
    public let shifts: [DimensionShift]
    /// The significant pairs of dimensions over all sessions of the person, this one included.
    public let coActivations: [CoActivation]
    /// The transitions between states in the past sessions.
    public let paths: StatePaths

    /// Compares a session with the same person's earlier ones.
    ///
    /// - Parameters:
    ///   - session: The session to compare.
    ///   - others: Sessions of any people; those of other people and those that began later are ignored.
    ///   - k: The number of similar sessions, 0 or more.
    ///   - metric: The metric of the distances.
    ///   - rate: The false-discovery rate; see ``CoActivation/pairs(in:falseDiscoveryRate:)``.
    /// - Throws: `.invalidArgument` for a negative k or a rate outside 0…1; `.zeroVector` for the cosine of a session
    ///   of zeros.
    /// - Complexity: O(n log n) for n sessions.
    public init(
        of session: PleasureSession, among others: [PleasureSession], k: Int = 5, metric: Metric = .squaredL2,
        falseDiscoveryRate rate: Double = CoActivation.falseDiscoveryRate
    ) throws(KinError) {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        let past = others.filter { $0.userID == session.userID && $0.start < session.start && $0.id != session.id }
        let points = past.map(\.embedding)
        let point = session.embedding
        let distance = try PointDistance(metric, to: point)
        let near = zip(past, points).compactMap { past, point in
            distance(point.coordinates).map {
                SimilarSession(id: past.id, start: past.start, distance: $0)
            }
        }
        similar = Array(
            near.sorted { ($0.distance, $1.start, $0.id) < ($1.distance, $0.start, $1.id) }.prefix(k))
        shifts = Pleasure.Dimension.allCases
            .map { DimensionShift($0, value: point[$0], past: points) }
            .sorted { a, b in
                let (x, y) = (a.effectSize.map { abs($0) } ?? -1, b.effectSize.map { abs($0) } ?? -1)
                return x != y ? x > y : a.dimension < b.dimension
            }
        coActivations = try CoActivation.pairs(in: points + [point], falseDiscoveryRate: rate)
        paths = StatePaths(past.map(\.stateHistory))
    }

    /// The raised dimensions, by descending effect size.
    public var raised: [DimensionShift] { shifts.filter { $0.direction == .raised } }
    /// The lowered dimensions, by descending effect size.
    public var lowered: [DimensionShift] { shifts.filter { $0.direction == .lowered } }
}
