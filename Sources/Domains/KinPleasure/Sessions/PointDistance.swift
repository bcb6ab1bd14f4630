import KinCore
import KinLinearAlgebra

/// The distance of points to a query, in double precision; to the bit that of an index's search, so that a result does not depend on
/// where it was found.
struct PointDistance {
    private let metric: Metric
    private let query: SIMD16<Double>
    private let querySquare: Double

    /// - Throws: `.zeroVector` for a query without direction (cosine).
    init(_ metric: Metric, to query: Pleasure) throws(KinError) {
        self.metric = metric
        self.query = SIMD16<Double>(query.coordinates)
        querySquare = Self.sum(self.query * self.query)
        guard metric != .cosine || querySquare > 0 else {
            throw KinError(.zeroVector, "a query of zeros has no direction to compare by; use l2")
        }
    }

    /// The distance, or nil for a point that has no direction where one is needed.
    @inline(__always)
    func callAsFunction(_ point: SIMD16<Float>) -> Double? {
        let x = SIMD16<Double>(point)
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

    /// The sum in the order in which the kernels add.
    @inline(__always)
    private static func sum(_ x: SIMD16<Double>) -> Double {
        let eight = x.lowHalf + x.highHalf
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two[0] + two[1]
    }
}
