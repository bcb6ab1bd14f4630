/// A cluster whose division into two lowers the inertia.
package struct ClusterSplit: Sendable {
    /// The number of the cluster.
    package let cluster: Int
    /// The decrease of the inertia by the cut; further iterations lower the inertia more.
    package let gain: Double
    /// The centroids of the two halves, 2 × dimension; a possible start for k-means.
    package let centroids: Matrix<Float>
}

extension Clustering {
    /// The cluster whose division in two lowers the inertia most; the first of several. Nil if the points of each
    /// cluster are equal.
    ///
    /// A cluster is cut across its principal axis at the position with the least inertia of the halves.
    ///
    /// - Parameters:
    ///   - points: The points that were clustered, by the squared Euclidean distance and with equal weights.
    ///   - threads: The largest number of threads; the result does not depend on it.
    /// - Complexity: O(n (dimension + log n)).
    package func bestSplit(of points: Matrix<Float>, threads: Int) -> ClusterSplit? {
        var members = [[Int]](repeating: [], count: k)
        for (i, label) in labels.enumerated() { members[label].append(i) }
        let splits = concurrentMap(threads, k, memory: {}) { c, _ in
            ClusterCut(members[c], of: points)?.split(of: c)
        }
        return splits.compactMap(\.self).min { ($0.gain, $1.cluster) > ($1.gain, $0.cluster) }
    }
}
