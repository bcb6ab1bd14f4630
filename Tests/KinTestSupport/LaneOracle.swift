package import KinCore
package import KinLinearAlgebra

/// A brute-force search that adds in the documented order (eight lanes, then a fixed tree), implemented independently.
///
/// If distances nearly tie, the order of the additions decides which vector is nearer. With the same order, the result
/// of an exact index has to be identical to the last bit, for any data.
package struct LaneOracle: Sendable {
    private let values: [Double]
    private let dimension: Int
    private let ids: [VectorID]
    private let metric: Metric

    package init(_ vectors: Matrix<Float>, ids: [VectorID]? = nil, metric: Metric) {
        values = vectors.elements.map(Double.init)
        dimension = vectors.columns
        self.ids = ids ?? (0..<vectors.rows).map { VectorID(UInt64($0)) }
        self.metric = metric
    }

    /// All allowed rows, nearest first, ties by ascending id.
    package func ranking(of query: [Float], where allowed: (VectorID) -> Bool = { _ in true }) -> [Neighbor] {
        let query = query.map(Double.init)
        var all: [Neighbor] = []
        for (row, id) in ids.enumerated() where allowed(id) {
            all.append(Neighbor(id: id, distance: distance(row, query)))
        }
        return all.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
    }

    private func distance(_ row: Int, _ q: [Double]) -> Double {
        switch metric {
        case .squaredL2: return sum { (x($0, row) - q[$0]) * (x($0, row) - q[$0]) }
        case .innerProduct: return -sum { x($0, row) * q[$0] }
        case .cosine:
            let product = sum { x($0, row) * q[$0] }
            let squares = sum { x($0, row) * x($0, row) } * sum { q[$0] * q[$0] }
            return min(max(1 - product / squares.squareRoot(), 0), 2)
        }
    }

    private func x(_ j: Int, _ row: Int) -> Double { values[row * dimension + j] }

    private func sum(_ term: (Int) -> Double) -> Double {
        var lane = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for j in 0..<dimension {
            switch j % 8 {
            case 0: lane.0 += term(j)
            case 1: lane.1 += term(j)
            case 2: lane.2 += term(j)
            case 3: lane.3 += term(j)
            case 4: lane.4 += term(j)
            case 5: lane.5 += term(j)
            case 6: lane.6 += term(j)
            default: lane.7 += term(j)
            }
        }
        return ((lane.0 + lane.4) + (lane.2 + lane.6)) + ((lane.1 + lane.5) + (lane.3 + lane.7))
    }
}

/// The distance by definition, summed in the order of the dimensions.
package func plainDistance(_ metric: Metric, _ x: [Double], _ q: [Double]) -> Double {
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
