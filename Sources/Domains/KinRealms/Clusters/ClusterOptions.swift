/// The options for clustering a collection.
public struct ClusterOptions: Sendable, Hashable {
    /// The number of clusters, at most the number of distinct images; nil chooses by silhouette, from 2. The search
    /// goes to 24 and continues while the silhouettes rise, up to the smaller of √n and n ∕ 8 for n images (n at most
    /// 10,000 in the root). Images without objects have no part in the choice. ``RealmClusters/choiceReason`` gives the
    /// reason for the end of the search.
    public var k: KMeans.ClusterCount?
    /// The criterion that chooses k if ``k`` is nil. Criteria other than the silhouette choose from 2 to 24, at most an
    /// eighth of the number of images.
    public var criterion: KMeans.Criterion
    /// The weights of the kinds of features.
    public var weights: FeatureWeights
    /// The number of initialisations; their best are refined by merging and splitting. Nil for 12, or fewer for more
    /// than 5,000 images.
    public var restarts: Int?
    /// The largest number of iterations of one initialisation.
    public var maximumIterations: Int
    /// The seed of the random numbers; the same seed gives the same clusters, byte for byte.
    public var seed: UInt64
    /// The largest number of threads to use; the result does not depend on it.
    public var threads: Int

    /// Creates options, which ``RealmClusters/init(of:options:)`` checks.
    public init(
        k: KMeans.ClusterCount? = nil, criterion: KMeans.Criterion = .silhouette,
        weights: FeatureWeights = FeatureWeights(), restarts: Int? = nil, maximumIterations: Int = 100,
        seed: UInt64 = 0, threads: Int = 1
    ) {
        self.k = k
        self.criterion = criterion
        self.weights = weights
        self.restarts = restarts
        self.maximumIterations = maximumIterations
        self.seed = seed
        self.threads = threads
    }

    /// The number of initialisations for a number of images.
    func restarts(forImages count: Int) throws(KinError) -> Int {
        guard let restarts else { return max(1, min(12, 60_000 / max(1, count))) }
        try KMeans.check(restarts: restarts)
        return restarts
    }
}
