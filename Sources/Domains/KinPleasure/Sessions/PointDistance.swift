/// The distances of points to a query in double precision, bit-identical to the distances of an index search.
struct PointDistance {
    private let metric: Metric
    private let query: SIMD16<Double>
    private let querySquare: Double
    /// The number 1 in the compared dimensions, 0 in the others.
    private let weights: SIMD16<Double>

    /// Prepares the distances to a query.
    ///
    /// - Parameter subset: The dimensions to compare; the query is 0 in the others.
    /// - Throws: `.zeroVector` for a query of zeros under the cosine.
    init(_ metric: Metric, to query: Pleasure, in subset: SessionIndex.Subset = .all) throws(KinError) {
        self.metric = metric
        weights = subset.weights
        self.query = SIMD16<Double>(query.coordinates)
        querySquare = Self.sum(self.query * self.query)
        guard !metric.comparesDirections || querySquare > 0 else {
            throw KinError(.zeroVector, "a query of zeros has no direction to compare by; use l2")
        }
    }

    /// The distance of a point; nil for the cosine of a point of zeros.
    @inline(__always)
    func callAsFunction(_ point: SIMD16<Float>) -> Double? {
        let x = SIMD16<Double>(point) * weights
        switch metric {
        case .squaredL2:
            let difference = x - query
            return Self.sum(difference * difference)
        case .innerProduct:
            return -Self.sum(x * query)
        case .cosine:
            let square = Self.sum(x * x)
            guard square > 0 else { return nil }
            return min(max(1 - Self.sum(x * query) / (square * querySquare).squareRoot(), 0), 2)
        }
    }

    /// The sum of the components, in the order of the kernels.
    @inline(__always)
    private static func sum(_ x: SIMD16<Double>) -> Double {
        let eight = x.lowHalf + x.highHalf
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two[0] + two[1]
    }
}
