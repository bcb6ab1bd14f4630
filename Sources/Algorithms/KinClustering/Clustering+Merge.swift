public import KinCore
import KinLinearAlgebra

/// A pair of clusters whose union costs little inertia.
public struct MergeHint: Sendable, Hashable {
    /// The numbers of the two clusters, the lower one first.
    public let clusters: [Int]
    /// The increase of the inertia if the two clusters were merged, at least 0.
    public let increase: Double
    /// The increase as a share of the clustering's inertia; infinite if that is 0.
    public let relativeIncrease: Double
}

extension Clustering {
    /// The pairs of clusters whose union costs the least inertia, cheapest first; ties are ordered by the clusters'
    /// numbers.
    ///
    /// For squared distances the inertia grows by
    ///
    ///     W₁ W₂ ∕ (W₁ + W₂) · ‖c₁ − c₂‖²
    ///
    /// with W the weights of the clusters (Ward, "Hierarchical grouping to optimize an objective function", JASA 58,
    /// 1963, doi:10.1080/01621459.1963.10500845). For cosine it grows by R₁ + R₂ − ‖R₁ c₁ + R₂ c₂‖, where R is the
    /// length of the sum of a cluster's unit vectors, which is W minus the cluster's inertia. Both formulas assume that
    /// the centroids are the means of their points, which holds up to rounding once a run has converged. Empty clusters
    /// are left out.
    ///
    /// - Parameter count: The largest number of pairs. Default: 10.
    /// - Throws: `.invalidArgument` if `count` is negative.
    /// - Complexity: O(k² dimension).
    public func mergeHints(count: Int = 10) throws(KinError) -> [MergeHint] {
        guard count >= 0 else { throw KinError(.invalidArgument, "count must be 0 or more, not \(count)") }
        let pairs = k * (k - 1) / 2
        guard count > 0, pairs > 0 else { return [] }
        let best = unsafe [Neighbor](unsafeUninitializedCapacity: min(count, pairs)) { buffer, initialized in
            var top = unsafe TopK(UnsafeMutableBufferPointer(rebasing: buffer[..<min(count, pairs)]))
            PointRows.withRows(of: centroids) { rows in
                for a in 0..<k - 1 where weights[a] > 0 { offerPartners(of: a, rows, to: &top) }
            }
            initialized = unsafe top.finish().count
        }
        return best.map { found in
            let pair = Int(found.id.rawValue)
            return MergeHint(
                clusters: [pair / k, pair % k], increase: found.distance,
                relativeIncrease: inertia > 0 ? found.distance / inertia : .infinity)
        }
    }

    /// Inserts the pairs of a cluster with clusters of higher numbers; the id of a pair is a k + b.
    private func offerPartners(of a: Int, _ rows: PointRows, to top: inout TopK) {
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: k - 1 - a) { distances in
            unsafe Kernels.active.distances(
                metric, from: rows.row(a), to: rows.row(a + 1), stride: rows.stride, count: distances.count,
                into: distances.baseAddress!)
            for b in a + 1..<k where weights[b] > 0 {
                let increase = unsafe cost(of: a, and: b, distance: distances[b - a - 1])
                top.insert(VectorID(UInt64(a * k + b)), increase)
            }
        }
    }

    /// The increase of the inertia by the union of two clusters at a distance.
    private func cost(of a: Int, and b: Int, distance: Double) -> Double {
        guard metric.comparesDirections else { return weights[a] * weights[b] / (weights[a] + weights[b]) * distance }
        let (r, s) = (max(weights[a] - inertias[a], 0), max(weights[b] - inertias[b], 0))
        // r + s − ‖r c₁ + s c₂‖ with ‖r c₁ + s c₂‖² = (r + s)² − 2 r s δ, without subtracting nearly equal numbers.
        let square = 2 * r * s * distance
        let length = max((r + s) * (r + s) - square, 0).squareRoot()
        return r + s + length > 0 ? square / (r + s + length) : 0
    }
}
