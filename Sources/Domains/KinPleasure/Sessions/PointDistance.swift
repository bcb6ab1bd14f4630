import KinCore
import KinLinearAlgebra

/// The distance of points to a query, in double precision.
struct PointDistance {
    private let metric: Metric
    private let query: SIMD16<Double>
    private let queryLength: Double

    /// - Throws: `.zeroVector` for a query without direction (cosine).
    init(_ metric: Metric, to query: Pleasure) throws(KinError) {
        self.metric = metric
        self.query = SIMD16<Double>(query.coordinates)
        queryLength = (self.query * self.query).sum().squareRoot()
        guard metric != .cosine || queryLength > 0 else {
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
            return (difference * difference).sum()
        case .innerProduct:
            return -(x * query).sum()
        case .cosine:
            let length = (x * x).sum().squareRoot()
            guard length > 0 else { return nil }
            return min(max(1 - (x * query).sum() / (length * queryLength), 0), 2)
        }
    }
}
