package import KinCore
package import KinLinearAlgebra

/// The right result of every search, computed in the plainest way: all distances in double precision, then a sort.
///
/// It shares only types with the library.
package struct NearestNeighborOracle: Sendable {
    private let vectors: [[Double]]
    private let ids: [VectorID]
    private let metric: Metric

    /// - Parameter ids: one per row of `vectors`. Default: 0, 1, 2, ….
    package init(_ vectors: Matrix<Float>, ids: [VectorID]? = nil, metric: Metric) {
        self.vectors = (0..<vectors.rows).map { vectors.row($0).map(Double.init) }
        self.ids = ids ?? (0..<vectors.rows).map { VectorID(UInt64($0)) }
        self.metric = metric
        precondition(self.ids.count == vectors.rows, "one id per row")
    }

    /// The `k` nearest allowed rows, nearest first, ties by ascending id; fewer if fewer are allowed.
    package func nearest(
        to query: some Collection<Float>,
        k: Int,
        where allowed: (VectorID) -> Bool = { _ in true }
    ) -> [Neighbor] {
        Array(ranking(of: query, where: allowed).prefix(k))
    }

    /// Every allowed row at a distance of at most `radius`, nearest first, ties by ascending id.
    package func within(
        _ radius: Double,
        of query: some Collection<Float>,
        where allowed: (VectorID) -> Bool = { _ in true }
    ) -> [Neighbor] {
        ranking(of: query, where: allowed).filter { $0.distance <= radius }
    }

    /// All allowed rows in order.
    private func ranking(of query: some Collection<Float>, where allowed: (VectorID) -> Bool) -> [Neighbor] {
        let query = query.map(Double.init)
        return rankedRows(ids, where: allowed) { Self.distance(metric, vectors[$0], query) }
    }

    /// The distance by definition, summed in the order of the dimensions.
    package static func distance(_ metric: Metric, _ x: [Double], _ q: [Double]) -> Double {
        precondition(x.count == q.count, "the query has the dimension of the vectors")
        var squares = 0.0
        var product = 0.0
        var xx = 0.0
        var qq = 0.0
        for j in 0..<x.count {
            squares += (x[j] - q[j]) * (x[j] - q[j])
            product += x[j] * q[j]
            xx += x[j] * x[j]
            qq += q[j] * q[j]
        }
        switch metric {
        case .squaredL2: return squares
        case .innerProduct: return -product
        case .cosine: return min(max(1 - product / (xx.squareRoot() * qq.squareRoot()), 0), 2)
        }
    }
}

/// The allowed rows with these ids, nearest first, ties by ascending id.
///
/// - Parameter distance: the distance of a row, by its number.
func rankedRows(_ ids: [VectorID], where allowed: (VectorID) -> Bool, distance: (Int) -> Double) -> [Neighbor] {
    var all: [Neighbor] = []
    for (row, id) in ids.enumerated() where allowed(id) { all.append(Neighbor(id: id, distance: distance(row))) }
    return all.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
}
