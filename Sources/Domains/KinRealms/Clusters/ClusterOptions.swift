public import KinClustering
import KinCore

/// How to cluster a collection.
public struct ClusterOptions: Sendable {
    /// How many clusters, at most as many as there are images that differ; nil chooses from 2 to 24 (an eighth of the images at most) by
    /// silhouette, and ``RealmClusters/isChoiceAtEnd`` tells when the last of these is best.
    public var k: KMeans.ClusterCount?
    /// How much each kind of feature counts.
    public var weights: FeatureWeights
    /// How many starts are tried; the best are improved by merging and splitting, and the clusters with the best silhouette are kept. Nil for 12,
    /// and fewer for more than 5,000 images.
    public var restarts: Int?
    /// The most iterations of one start.
    public var maximumIterations: Int
    /// What the starts are drawn from: the same seed gives the same clusters, byte for byte.
    public var seed: UInt64
    /// The most threads to use; the result does not depend on it.
    public var threads: Int

    /// Options; ``RealmClusters/init(of:options:)`` checks them.
    public init(
        k: KMeans.ClusterCount? = nil, weights: FeatureWeights = FeatureWeights(), restarts: Int? = nil,
        maximumIterations: Int = 100, seed: UInt64 = 0, threads: Int = 1
    ) {
        self.k = k
        self.weights = weights
        self.restarts = restarts
        self.maximumIterations = maximumIterations
        self.seed = seed
        self.threads = threads
    }

    /// How many starts there are for so many images.
    func restarts(forImages count: Int) throws(KinError) -> Int {
        guard let restarts else { return max(1, min(12, 60_000 / max(1, count))) }
        guard restarts >= 1 else { throw KinError(.invalidArgument, "restarts is \(restarts); it must be at least 1") }
        return restarts
    }
}
