/// A statistical comparison of one session with the same person's earlier sessions.
public struct SessionInsight: Sendable, Hashable {
    /// An earlier session and its distance.
    public struct SimilarSession: Sendable, Hashable {
        /// The id of the session.
        public let id: String
        /// The start of the session.
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
    ///   - others: Sessions of any people. Sessions of other people, and sessions that did not begin earlier,
    ///     are ignored.
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
        let point = session.embedding
        let distance = try PointDistance(metric, to: point)
        var points: [(start: Timestamp, point: Pleasure)] = []
        var moments = PointMoments()
        var histories: [[SessionState]] = []
        var near: [(distance: Double, position: Int)] = []
        for position in others.indices
        where others[position].start < session.start && others[position].userID == session.userID
            && others[position].id != session.id
        {
            let past = others[position].embedding
            points.append((others[position].start, past))
            moments.add(past)
            histories.append(others[position].stateHistory)
            if let distance = distance(past.coordinates) { near.append((distance, position)) }
        }
        similar = Self.nearest(k, of: near, among: others)
        shifts = Pleasure.Dimension.allCases
            .map { DimensionShift($0, value: point[$0], past: moments) }
            .sorted { a, b in
                let (x, y) = (a.effectSize.map { abs($0) } ?? -1, b.effectSize.map { abs($0) } ?? -1)
                return x != y ? x > y : a.dimension < b.dimension
            }
        points.sort { $0.start < $1.start }
        moments.add(point)
        coActivations = try CoActivation.pairs(
            in: points.map(\.point) + [point], means: moments.mean, falseDiscoveryRate: rate)
        paths = StatePaths(histories)
    }

    /// The k nearest sessions, ties by the newest, then by id.
    private static func nearest(
        _ k: Int, of all: [(distance: Double, position: Int)], among sessions: [PleasureSession]
    ) -> [SimilarSession] {
        guard k > 0, !all.isEmpty else { return [] }
        let bound = all.map(\.distance).sorted()[min(k, all.count) - 1]
        let near = all.filter { $0.distance <= bound }.map { distance, position in
            SimilarSession(id: sessions[position].id, start: sessions[position].start, distance: distance)
        }
        return Array(near.sorted { ($0.distance, $1.start, $0.id) < ($1.distance, $0.start, $1.id) }.prefix(k))
    }
}
