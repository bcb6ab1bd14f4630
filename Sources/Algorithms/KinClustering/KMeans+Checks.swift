extension KMeans {
    /// Throws an error unless the parameters, the points and the weights are valid together.
    func check(_ points: Matrix<Float>, weights: [Double]?) throws(KinError) {
        try checkParameters(pointCount: points.rows)
        guard points.columns > 0 else {
            throw KinError(.invalidArgument, "points need at least one dimension, and these have none")
        }
        try points.checkVectors(for: metric)
        if let weights { try Self.check(weights, pointCount: points.rows) }
        try checkStart(points)
        try checkChoice(points, weights: weights)
    }

    /// Throws an error unless a number of restarts is 1 to 1,000,000.
    package static func check(restarts: Int) throws(KinError) {
        try KinError.requireCount(restarts, "restarts", from: 1, upTo: 1_000_000)
    }

    private func checkStart(_ points: Matrix<Float>) throws(KinError) {
        if case .kMeansParallel(let rounds, let oversampling) = start {
            do throws(KinError) { try KinError.requireCount(rounds, "rounds", from: 1) } catch {
                throw error.within("in", "start")
            }
            guard oversampling > 0, oversampling <= 100 else {
                throw KinError(.invalidArgument, "oversampling must be above 0 and at most 100, not \(oversampling)")
                    .within("in", "start")
            }
        }
        guard case .centroids(let centroids) = start else { return }
        guard case .exactly(let k) = k else {
            throw KinError(
                .invalidArgument, "start has given centroids, but their number is to be chosen; start by plusPlus")
        }
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
        try metric.checkCentroids()
        if case .exactly(let k) = k, k < 1 || k > n {
            throw KinError(.invalidArgument, "k must be from 1 to \(n), the number of points, not \(k)")
        }
        try Self.check(restarts: restarts)
        try KinError.requireCount(maximumIterations, "the largest number of iterations", from: 1)
        guard tolerance >= 0, tolerance < 1 else {
            throw KinError(.invalidArgument, "tolerance must be at least 0 and below 1, not \(tolerance)")
        }
        try requireThreads(threads)
    }

    /// Throws an error unless all numbers of clusters can be tried and the criterion can compare them.
    private func checkChoice(_ points: Matrix<Float>, weights: [Double]?) throws(KinError) {
        guard case .chosen(let range, let criterion, let sample) = k else { return }
        let (least, name) =
            switch criterion {
            case .silhouette: (2, "a silhouette")
            case .gap: (1, "the gap statistic")
            }
        let fewest = criterion.fewestCounts
        let eligible = weights?.count { $0 > 0 } ?? points.rows
        guard range.lowerBound >= least, range.upperBound <= min(sample, eligible) else {
            throw KinError(
                .invalidArgument,
                "k is chosen from \(range.lowerBound) to \(range.upperBound); by \(name) it can be from \(least) to "
                    + "the number of points it is chosen on, \(min(sample, eligible))")
        }
        guard range.count >= fewest else {
            throw KinError(
                .invalidArgument,
                "k is chosen from \(Plural.count(range.count, "number")), and \(name) needs \(fewest) at least; set k, or choose it by "
                    + "a silhouette")
        }
        guard case .gap(let references) = criterion else { return }
        guard metric == .squaredL2 else {
            throw KinError(
                .invalidArgument, "the gap statistic needs the metric l2; use a silhouette with cosine")
        }
        try KinError.requireCount(references, "references", from: 1)
    }

    /// The range of positive weights. Within it, no weighted sum of floats or of squared distances overflows or loses
    /// precision.
    private static let weightRange = 1e-100...1e100

    static func check(_ weights: [Double], pointCount n: Int) throws(KinError) {
        guard weights.count == n else {
            throw KinError(.invalidArgument, "\(n) points need as many weights, but \(weights.count) were given")
        }
        for (i, weight) in weights.enumerated() where weight != 0 && !weightRange.contains(weight) {
            throw KinError(
                weight.isFinite ? .invalidArgument : .notFinite,
                "the weight must be 0 or between 1e-100 and 1e100, not \(weight)"
            ).within("row", i)
        }
        guard weights.contains(where: { $0 > 0 }) else {
            throw KinError(.invalidArgument, "all weights are 0; give at least one point a positive weight")
        }
    }
}

extension KMeans.Criterion {
    /// The least number of different k that the criterion can compare.
    package var fewestCounts: Int {
        switch self {
        case .gap: 2
        case .silhouette: 1
        }
    }
}

extension Metric {
    /// Throws an error unless the metric defines a nearest centroid.
    func checkCentroids() throws(KinError) {
        guard !hasCentroids else { return }
        let others = Metric.allCases.filter(\.hasCentroids).map(\.rawValue).joined(separator: " or ")
        throw KinError(.invalidArgument, "\(summary) defines no nearest centroid; use \(others)")
    }
}

extension Matrix<Float> {
    /// Throws an error unless all rows are finite and, for cosine, none is zero.
    func checkVectors(for metric: Metric) throws(KinError) {
        try checkFinite()
        guard metric.comparesDirections else { return }
        for i in 0..<rows where row(i).allSatisfy({ $0 == 0 }) {
            throw KinError(.zeroVector, "a zero vector has no direction; remove it or use l2").within("row", i)
        }
    }

    /// The rows divided by their lengths. Rows of length 1, up to the rounding of floats, stay unchanged, bit for bit.
    ///
    /// - Precondition: No row is zero.
    func normalizedRows() -> Matrix<Float> {
        unsafe Matrix(rows: rows, columns: columns) { storage in
            for i in 0..<rows {
                let square = row(i).reduce(0.0) { $0 + Double($1) * Double($1) }
                let length = abs(square - 1) <= 0x1p-22 ? 1 : square.squareRoot()
                for j in 0..<columns {
                    unsafe storage.initializeElement(at: i * columns + j, to: Float(Double(self[i, j]) / length))
                }
            }
        }
    }
}
