import KinCore
package import KinLinearAlgebra

extension Clustering {
    /// The mean silhouettes of several clusterings of the same points, on one sample and for one computation of its distances; what
    /// ``silhouette(of:weights:sample:seed:threads:)`` says of each.
    ///
    /// - Parameter clusterings: Of these very points, with labels, the metric of the first.
    /// - Complexity: O(m² (dimension + clusterings)) for a sample of m points.
    package static func silhouettes(
        of points: Matrix<Float>, _ clusterings: [Clustering], sample: Int = 2_000, seed: UInt64 = 0, threads: Int = 1
    ) -> [Double] {
        guard let metric = clusterings.first?.metric else { return [] }
        var generator = SeededGenerator(seed: seed)
        let drawn = PointSample(points, weights: nil, size: sample, &generator)
        return Silhouettes(drawn, metric: metric, threads: threads).means(
            of: clusterings.map { found in drawn.picks.map { found.labels[$0] } }, clusters: clusterings.map(\.k))
    }
}
