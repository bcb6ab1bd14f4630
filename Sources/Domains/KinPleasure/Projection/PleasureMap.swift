/// A projection of a person's sessions to two or three principal components.
///
///     let map = try PleasureMap(of: sessions, components: 2)
///     map.points[0].coordinates          // the oldest session
///     map.axes[0].explainedVarianceRatio
public struct PleasureMap: Sendable {
    /// A session's projected point.
    public struct Point: Sendable, Hashable {
        /// The id of the session.
        public let id: String
        /// The start of the session.
        public let start: Timestamp
        /// The projected coordinates, one per axis.
        public let coordinates: [Float]
    }

    /// One principal axis of the map.
    public struct Axis: Sendable, Hashable {
        /// The share of the variance along the axis, 0…1.
        public let explainedVarianceRatio: Double
        /// The weight of each dimension in the axis, in storage order; the sum of squares is 1.
        public let loadings: [Double]

        /// Creates an axis from its share of the variance and its sixteen loadings.
        public init(explainedVarianceRatio: Double, loadings: [Double]) {
            self.explainedVarianceRatio = explainedVarianceRatio
            self.loadings = loadings
        }

        /// The dimensions with the largest absolute loadings, in descending order.
        ///
        /// - Precondition: `count` is 0 or more.
        public func strongest(_ count: Int = 2) -> [Pleasure.Dimension] {
            let sorted = Pleasure.Dimension.allCases.prefix(loadings.count).sorted { a, b in
                let (x, y) = (abs(loadings[a.rawValue]), abs(loadings[b.rawValue]))
                return x != y ? x > y : a < b
            }
            return Array(sorted.prefix(count))
        }
    }

    /// The fitted principal components.
    public let components: PCA
    /// The projected sessions by ascending start: the trajectory.
    public let points: [Point]

    /// Fits a map to sessions.
    ///
    /// The sign of an axis is arbitrary. Its largest loading is positive or, with an earlier map, the axis agrees with
    /// the earlier axis of the same number, so a map does not flip as sessions are added.
    ///
    /// - Parameters:
    ///   - sessions: At least three sessions with distinct points.
    ///   - count: The number of axes, 2 or 3.
    ///   - earlier: The axes of a map whose orientation is reused. Default: none.
    /// - Throws: `.invalidArgument` for a different number of axes, fewer than three sessions, or sessions that all
    ///   have the same point; `.dimensionMismatch` for an earlier axis without sixteen loadings.
    /// - Complexity: O(n), and the eigenvectors of a 16 × 16 matrix.
    public init(of sessions: [PleasureSession], components count: Int = 2, like earlier: [Axis] = []) throws(KinError) {
        guard count == 2 || count == 3 else {
            throw KinError(.invalidArgument, "a map has 2 or 3 axes, not \(count)")
        }
        guard sessions.count >= 3 else {
            throw KinError(.invalidArgument, "a map needs at least 3 sessions, not \(sessions.count)")
        }
        let sorted = sessions.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        let matrix = Matrix(points: sorted.map(\.embedding))
        let fitted = try PCA(fitting: matrix, components: count)
        guard fitted.totalVariance > 0 else {
            throw KinError(.invalidArgument, "all sessions are at one point; a map needs at least two")
        }
        components = try fitted.oriented(like: earlier)
        let coordinates = try components.transform(matrix)
        points = sorted.indices.map { row in
            Point(id: sorted[row].id, start: sorted[row].start, coordinates: Array(coordinates.row(row)))
        }
    }

    /// Creates a map from known components and points.
    package init(components: PCA, points: [Point]) {
        self.components = components
        self.points = points
    }

    /// The axes by descending variance.
    public var axes: [Axis] {
        components.explainedVarianceRatio.enumerated().map { i, ratio in
            Axis(explainedVarianceRatio: ratio, loadings: Array(components.components.row(i)))
        }
    }
}

extension PCA {
    /// The same components, with signs that agree with given axes.
    fileprivate func oriented(like axes: [PleasureMap.Axis]) throws(KinError) -> PCA {
        var signed = components
        for (i, axis) in axes.prefix(signed.rows).enumerated() {
            guard axis.loadings.count == dimension else {
                throw KinError(
                    .dimensionMismatch, "an earlier axis has \(axis.loadings.count) loadings, not \(dimension)")
            }
            let product = (0..<dimension).reduce(0.0) { $0 + components[i, $1] * axis.loadings[$1] }
            guard product < 0 else { continue }
            for j in 0..<dimension { signed[i, j] = -signed[i, j] }
        }
        return try PCA(
            mean: mean, components: signed, explainedVariance: explainedVariance, totalVariance: totalVariance)
    }
}

extension Matrix<Float> {
    /// Creates a matrix with a row for each point.
    init(points: [Pleasure]) {
        self.init(rows: points.count, columns: Pleasure.Dimension.count)
        for (i, point) in points.enumerated() {
            for j in 0..<Pleasure.Dimension.count { self[i, j] = point.coordinates[j] }
        }
    }
}
