import KinCore
import KinLinearAlgebra

extension KMeans {
    /// Throws unless the parameters, the points and the weights make sense together.
    func check(_ points: Matrix<Float>, weights: [Double]?) throws(KinError) {
        try checkParameters(pointCount: points.rows)
        guard points.columns > 0 else {
            throw KinError(.invalidArgument, "points need at least one dimension, and these have none")
        }
        try points.checkVectors(for: metric)
        if let weights { try Self.check(weights, pointCount: points.rows) }
        guard case .centroids(let centroids) = start else { return }
        guard centroids.rows == k, centroids.columns == points.columns else {
            throw KinError(
                .dimensionMismatch,
                "start has \(centroids.rows) centroids of \(centroids.columns) dimensions, "
                    + "but k is \(k) and the points have \(points.columns) dimensions")
        }
        do throws(KinError) { try centroids.checkVectors(for: metric) } catch { throw error.within("in", "start") }
        guard restarts == 1 else {
            throw KinError(
                .invalidArgument,
                "restarts is \(restarts), but every run from given centroids is the same; use 1, or start by plusPlus")
        }
    }

    private func checkParameters(pointCount n: Int) throws(KinError) {
        guard metric != .innerProduct else {
            throw KinError(
                .invalidArgument, "inner products have no nearest centroid to speak of; use squaredL2 or cosine")
        }
        guard k >= 1, k <= n else {
            throw KinError(.invalidArgument, "k is \(k); it must be from 1 to the number of points, \(n)")
        }
        guard restarts >= 1 else {
            throw KinError(.invalidArgument, "restarts is \(restarts); it must be at least 1")
        }
        guard maximumIterations >= 1 else {
            throw KinError(.invalidArgument, "maximumIterations is \(maximumIterations); it must be at least 1")
        }
        guard tolerance >= 0, tolerance < 1 else {
            throw KinError(.invalidArgument, "tolerance is \(tolerance); it must be at least 0 and below 1")
        }
        guard threads >= 1 else {
            throw KinError(.invalidArgument, "threads is \(threads); it must be at least 1")
        }
    }

    /// Within these bounds no weighted sum of floats or of their squared distances overflows or loses digits.
    private static let weightRange = 1e-100...1e100

    private static func check(_ weights: [Double], pointCount n: Int) throws(KinError) {
        guard weights.count == n else {
            throw KinError(.invalidArgument, "\(n) points need as many weights, but \(weights.count) were given")
        }
        for (i, weight) in weights.enumerated() where weight != 0 && !weightRange.contains(weight) {
            throw KinError(
                weight.isFinite ? .invalidArgument : .notFinite,
                "the weight is \(weight); it must be 0 or between 1e-100 and 1e100"
            ).within("row", i)
        }
        guard weights.contains(where: { $0 > 0 }) else {
            throw KinError(.invalidArgument, "all weights are 0; give at least one point a positive weight")
        }
    }
}

extension Matrix<Float> {
    /// Throws unless all rows are finite and, for cosine, none is zero.
    func checkVectors(for metric: Metric) throws(KinError) {
        try checkFinite()
        guard metric == .cosine else { return }
        for i in 0..<rows where row(i).allSatisfy({ $0 == 0 }) {
            throw KinError(.zeroVector, "a zero vector has no direction; remove it or use squaredL2").within("row", i)
        }
    }

    /// The rows divided by their lengths.
    ///
    /// - Precondition: No row is zero.
    func normalizedRows() -> Matrix<Float> {
        unsafe Matrix(rows: rows, columns: columns) { places in
            for i in 0..<rows {
                let length = row(i).reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
                for j in 0..<columns {
                    unsafe places.initializeElement(at: i * columns + j, to: Float(Double(self[i, j]) / length))
                }
            }
        }
    }
}
