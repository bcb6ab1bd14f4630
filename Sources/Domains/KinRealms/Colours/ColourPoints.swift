/// Weighted colours in CIELAB, and their k-means clustering.
///
/// In three dimensions a plain loop is several times as fast as the general k-means. Distances are in single precision,
/// sums in double.
struct ColourPoints {
    /// The coordinates L*, a*, b* and the weight of each point.
    private var points: [SIMD4<Float>] = []

    var count: Int { points.count }

    mutating func append(_ lab: (Float, Float, Float), weight: Double) {
        points.append(SIMD4(lab.0, lab.1, lab.2, Float(weight)))
    }

    /// A clustering: centroids, the weight assigned to each, and the inertia.
    struct Centroids {
        var centroids: [SIMD3<Double>]
        var weights: [Double]
        var inertia: Double
    }

    /// Chooses initial centroids by k-means++ (Arthur and Vassilvitskii 2007); fewer than k if there are fewer distinct
    /// points.
    func initialCentroids(_ k: Int, _ generator: inout SeededGenerator) -> [SIMD3<Double>] {
        var centroids: [SIMD3<Double>] = []
        var weights = points.map { Double($0.w) }
        while centroids.count < k {
            let total = weights.reduce(0, +)
            guard total > 0 else { break }
            let position = points[generator.index(weights: weights, total: total)]
            centroids.append(SIMD3(Double(position.x), Double(position.y), Double(position.z)))
            for i in weights.indices {
                let point = points[i]
                let (dl, da, db) = (point.x - position.x, point.y - position.y, point.z - position.z)
                let weight = Double(point.w * (dl * dl + da * da + db * db))
                weights[i] = centroids.count == 1 ? weight : min(weights[i], weight)
            }
        }
        return centroids
    }

    /// Runs Lloyd's iterations until no centroid moves by more than 0.01 ΔE, or the limit is reached.
    func refined(_ centroids: [SIMD3<Double>], iterations: Int) -> Centroids {
        var found = means(centroids)
        for _ in 1..<max(2, iterations) {
            let next = means(found.centroids)
            let moved = zip(next.centroids, found.centroids).contains { new, old in
                ((new - old) * (new - old)).sum() > 1e-4
            }
            found = next
            if !moved { break }
        }
        return found
    }

    /// The means of the points nearest to each centroid; a centroid without points does not change.
    private func means(_ centroids: [SIMD3<Double>]) -> Centroids {
        let rows = centroids.map { SIMD3(Float($0.x), Float($0.y), Float($0.z)) }
        var totals = [SIMD4<Double>](repeating: .zero, count: centroids.count)
        var inertia = 0.0
        unsafe totals.withUnsafeMutableBufferPointer { totals in
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe points.withUnsafeBufferPointer { points in
                    for i in 0..<points.count {
                        let point = unsafe points[i]
                        var (best, label) = (Float.infinity, 0)
                        for c in 0..<rows.count {
                            let centre = unsafe rows[c]
                            let (dl, da, db) = (point.x - centre.x, point.y - centre.y, point.z - centre.z)
                            let distance = dl * dl + da * da + db * db
                            label = distance < best ? c : label
                            best = distance < best ? distance : best
                        }
                        let weight = Double(point.w)
                        unsafe totals[label] +=
                            weight * SIMD4(1, Double(point.x), Double(point.y), Double(point.z))
                        inertia += weight * Double(best)
                    }
                }
            }
        }
        let means = zip(totals, centroids).map { sum, position in
            sum[0] > 0 ? SIMD3(sum[1], sum[2], sum[3]) / sum[0] : position
        }
        return Centroids(centroids: means, weights: totals.map { $0[0] }, inertia: inertia)
    }
}
