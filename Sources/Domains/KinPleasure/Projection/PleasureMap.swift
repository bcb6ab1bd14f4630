public import KinCore
public import KinLinearAlgebra

/// A person's sessions on a map of two or three dimensions, by principal components.
///
///     let map = try PleasureMap(of: sessions, components: 2)
///     map.points[0].coordinates      // where the oldest session lies
///     map.explainedVarianceRatio     // how much of the whole the axes show
public struct PleasureMap: Sendable {
    /// A session's place on the map.
    public struct Point: Sendable, Hashable {
        /// Which session it is.
        public let id: String
        /// When it began.
        public let start: Timestamp
        /// As many numbers as there are axes.
        public let coordinates: [Float]
    }

    /// One axis of the map.
    public struct Axis: Sendable, Hashable {
        /// The share of the variance that lies along it.
        public let explainedVarianceRatio: Double
        /// How much each dimension belongs to it, in storage order; the squares add up to 1.
        public let loadings: [Double]

        /// The dimensions that belong to it most, the strongest first.
        public func strongest(_ count: Int = 2) -> [Pleasure.Dimension] {
            let sorted = Pleasure.Dimension.allCases.sorted { a, b in
                let (x, y) = (abs(loadings[a.rawValue]), abs(loadings[b.rawValue]))
                return x != y ? x > y : a < b
            }
            return Array(sorted.prefix(count))
        }
    }

    /// The components.
    public let components: PCA
    /// The sessions in the order of time: the trajectory.
    public let points: [Point]

    /// Draws a map of sessions.
    ///
    /// The sign of an axis is arbitrary; the dimension that belongs to it most has a positive loading, or, when there is an earlier
    /// map, the axis points the way that most agrees with the axis of the same number there, so that a map does not flip
    /// over as sessions come.
    ///
    /// - Parameters:
    ///   - sessions: At least three, not all at one point.
    ///   - count: How many axes: 2 or 3.
    ///   - earlier: A map to keep the orientation of.
    /// - Throws: `.invalidArgument` for another number of axes, fewer than three sessions, or sessions that all lie at one point.
    /// - Complexity: O(n) and the eigenvectors of a 16 × 16 matrix.
    public init(of sessions: [PleasureSession], components count: Int = 2, like earlier: PleasureMap? = nil)
        throws(KinError)
    {
        guard count == 2 || count == 3 else {
            throw KinError(.invalidArgument, "a map has 2 or 3 axes, not \(count)")
        }
        guard sessions.count >= 3 else {
            throw KinError(.invalidArgument, "a map needs at least 3 sessions, and there are \(sessions.count)")
        }
        let sorted = sessions.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        let matrix = Matrix(points: sorted.map(\.embedding))
        let fitted = try PCA(fitting: matrix, components: count)
        guard fitted.totalVariance > 0 else {
            throw KinError(.invalidArgument, "all sessions lie at one point; there is nothing to draw a map of")
        }
        components =
            try earlier.map { earlier throws(KinError) in try fitted.oriented(like: earlier.components) } ?? fitted
        let coordinates = try components.transform(matrix)
        points = sorted.indices.map { row in
            Point(id: sorted[row].id, start: sorted[row].start, coordinates: Array(coordinates.row(row)))
        }
    }

    /// A map of places that are known already.
    package init(components: PCA, points: [Point]) {
        self.components = components
        self.points = points
    }

    /// The axes.
    public var axes: [Axis] {
        components.explainedVarianceRatio.enumerated().map { i, ratio in
            Axis(explainedVarianceRatio: ratio, loadings: Array(components.components.row(i)))
        }
    }

    /// Where a point lies on the map.
    public func coordinates(of point: Pleasure) throws(KinError) -> [Float] {
        Array(try components.transform(Matrix(points: [point])).row(0))
    }
}

extension PCA {
    /// The same components, each with the sign that agrees with that of another fit.
    fileprivate func oriented(like other: PCA) throws(KinError) -> PCA {
        var signed = components
        for i in 0..<min(components.rows, other.components.rows) {
            let product = (0..<dimension).reduce(0.0) { $0 + components[i, $1] * other.components[i, $1] }
            guard product < 0 else { continue }
            for j in 0..<dimension { signed[i, j] = -signed[i, j] }
        }
        return try PCA(
            mean: mean, components: signed, explainedVariance: explainedVariance, totalVariance: totalVariance)
    }
}

extension Matrix<Float> {
    /// A row for each point.
    init(points: [Pleasure]) {
        self.init(rows: points.count, columns: Pleasure.Dimension.count)
        for (i, point) in points.enumerated() {
            for j in 0..<Pleasure.Dimension.count { self[i, j] = point.coordinates[j] }
        }
    }
}
