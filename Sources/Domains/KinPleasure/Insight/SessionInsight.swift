public import KinCore
public import KinLinearAlgebra

/// What a person's past says about one session: numbers only.
public struct SessionInsight: Sendable, Hashable {
    /// A past session that was like it.
    public struct SimilarSession: Sendable, Hashable {
        /// Which one.
        public let id: String
        /// When it began.
        public let start: Timestamp
        /// How far its point is away, in the metric's units.
        public let distance: Double
    }

    /// The most similar past sessions, nearest first, of equally near ones the newest.
    public let similar: [SimilarSession]
    /// Every dimension against the person's usual, the largest effect first, those that cannot be told last.
    public let shifts: [DimensionShift]
    /// The pairs of dimensions that fire together in the person's sessions, this one included.
    public let coActivations: [CoActivation]
    /// How the person's past sessions usually go.
    public let paths: StatePaths

    /// Looks at a session in the light of the same person's earlier ones.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - others: Sessions, of which those count that are the same person's and began earlier.
    ///   - k: How many similar sessions are wanted.
    ///   - metric: What similar means.
    ///   - rate: The share of false discoveries among the pairs; see ``CoActivation/pairs(in:falseDiscoveryRate:)``.
    /// - Throws: `.invalidArgument` for a negative k or a rate outside 0…1; `.zeroVector` for the cosine of a session without any
    ///   pleasure.
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

    /// The dimensions clearly above the usual, the largest effect first.
    public var raised: [DimensionShift] { shifts.filter { $0.direction == .raised } }
    /// The dimensions clearly below the usual, the largest effect first.
    public var lowered: [DimensionShift] { shifts.filter { $0.direction == .lowered } }
}
