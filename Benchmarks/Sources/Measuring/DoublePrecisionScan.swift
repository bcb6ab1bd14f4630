package import Kin

/// The reference for ids: every distance in double precision by definition, sorted by (distance, id).
package struct DoublePrecisionScan {
    private let vectors: Matrix<Float>
    private let metric: Metric

    package init(vectors: Matrix<Float>, metric: Metric) {
        self.vectors = vectors
        self.metric = metric
    }

    /// The k nearest rows among those that a bitmap allows; the row number is the id.
    package func nearest(to query: ArraySlice<Float>, k: Int, among allowed: IDBitmap? = nil) -> [Neighbor] {
        let query = query.map(Double.init)
        var best: [Neighbor] = []
        for row in 0..<vectors.rows {
            let id = VectorID(UInt64(row))
            if let allowed, !allowed.contains(id) { continue }
            let neighbor = Neighbor(id: id, distance: distance(query, vectors.row(row)))
            if best.count == k, neighbor > best[k - 1] { continue }
            let place = best.firstIndex { neighbor < $0 } ?? best.endIndex
            best.insert(neighbor, at: place)
            if best.count > k { best.removeLast() }
        }
        return best
    }

    private func distance(_ query: [Double], _ row: ArraySlice<Float>) -> Double {
        switch metric {
        case .squaredL2:
            return zip(query, row).reduce(0) { sum, pair in
                let difference = Double(pair.1) - pair.0
                return sum + difference * difference
            }
        case .innerProduct:
            return -zip(query, row).reduce(0) { $0 + $1.0 * Double($1.1) }
        case .cosine:
            let dot = zip(query, row).reduce(0) { $0 + $1.0 * Double($1.1) }
            let squares = query.reduce(0) { $0 + $1 * $1 } * row.reduce(0) { $0 + Double($1) * Double($1) }
            return 1 - dot / squares.squareRoot()
        }
    }

    /// Throws if the ids of the first `count` rows differ from the reference.
    package func check(_ results: NeighborTable, of queries: Matrix<Float>, k: Int, count: Int) throws {
        for row in 0..<min(count, results.count) {
            try check(Array(results[row]), of: queries.row(row), k: k)
        }
    }

    /// Throws if the ids differ from the reference among the rows that a bitmap allows.
    package func check(
        _ result: [Neighbor],
        of query: ArraySlice<Float>,
        k: Int,
        among allowed: IDBitmap? = nil
    ) throws {
        let truth = nearest(to: query, k: k, among: allowed)
        guard result.map(\.id) == truth.map(\.id) else {
            throw WrongIDs(found: result, expected: truth, metric: metric)
        }
    }
}

/// A search whose result differs from the scan in double precision.
package struct WrongIDs: Error, CustomStringConvertible {
    var found: [Neighbor]
    var expected: [Neighbor]
    var metric: Metric

    package var description: String {
        "wrong ids (\(metric.rawValue)): found \(found.map(\.id)), a scan in double precision gives \(expected.map(\.id))"
    }
}
