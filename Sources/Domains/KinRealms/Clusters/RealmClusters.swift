import KinClustering
public import KinCore
public import KinLinearAlgebra

/// What belongs together in an album: the table of its categories and its clusters, with all it takes to place another image.
///
/// It is what `clusters.json` holds; read back, it works without the analyses.
///
///     let clusters = try RealmClusters(of: album, options: ClusterOptions(seed: 7))
///     clusters.clusters[0].topCategories
///     clusters.choice?.candidates              // the curve over k
///     let json = clusters.json
public struct RealmClusters: Sendable, Equatable {
    /// How an image becomes a vector.
    public let recipe: FeatureRecipe
    /// What the starts were drawn from.
    public let seed: UInt64
    /// How many images were clustered.
    public internal(set) var imageCount: Int
    /// How many objects they have.
    public internal(set) var objectCount: Int
    /// Σ‖x − c‖² over all images.
    public let inertia: Double
    /// The mean silhouette, of 2,000 images at most; nil for a single cluster.
    public let silhouette: Double?
    /// How k was chosen; nil when it was given.
    public let choice: Choice?
    /// Every category of the album, the one in most images first.
    public let categories: [CategorySummary]
    /// The clusters, by number.
    public internal(set) var clusters: [ImageCluster]
    /// Their centres, k × dimension.
    public internal(set) var centroids: Matrix<Float>

    /// How the number of clusters was chosen.
    public struct Choice: Sendable, Equatable {
        /// A number that was tried.
        public struct Candidate: Sendable, Equatable {
            /// The number of clusters.
            public let k: Int
            /// The inertia with so many.
            public let inertia: Double
            /// What the criterion says; the higher the better.
            public let score: Double
        }

        /// The criterion's name: "silhouette".
        public let criterion: String
        /// The curve, by ascending k.
        public let candidates: [Candidate]
    }

    init(
        recipe: FeatureRecipe, seed: UInt64, imageCount: Int, objectCount: Int, inertia: Double, silhouette: Double?,
        choice: Choice?, categories: [CategorySummary], clusters: [ImageCluster], centroids: Matrix<Float>
    ) {
        self.recipe = recipe
        self.seed = seed
        self.imageCount = imageCount
        self.objectCount = objectCount
        self.inertia = inertia
        self.silhouette = silhouette
        self.choice = choice
        self.categories = categories
        self.clusters = clusters
        self.centroids = centroids
    }

    /// Clusters an album.
    ///
    /// - Throws: `.invalidArgument` for an album without images or a parameter out of its range.
    /// - Complexity: that of ``KMeans``, on images of ``FeatureRecipe/dimension``.
    public init(of album: Album, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        self = try ClusteredAlbum(album, options: options).clusters
    }
}

/// An album with its clusters: what a realm index is made of.
public struct ClusteredAlbum: Sendable {
    /// The images.
    public let album: Album
    /// Their vectors, row by row.
    public let features: Matrix<Float>
    /// The cluster of each image.
    public let labels: [Int]
    /// The clusters.
    public let clusters: RealmClusters

    /// Clusters an album; see ``RealmClusters/init(of:options:)``.
    ///
    /// - Throws: `.invalidArgument` for an album without images or a parameter out of its range.
    public init(_ album: Album, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        guard album.count > 0 else {
            throw KinError(.invalidArgument, "there are no images to cluster; read some analyses first")
        }
        let recipe = FeatureRecipe(for: album, weights: options.weights)
        guard recipe.dimension > 0 else {
            throw KinError(.invalidArgument, "all feature weights are 0; give at least one a positive weight")
        }
        let features = recipe.vectors(of: album)
        let found = try Self.cluster(features, options)
        self.album = album
        self.features = features
        labels = found.clustering.labels
        clusters = ClusterSummaries(
            album: album, features: features, recipe: recipe, clustering: found.clustering, choice: found.choice,
            silhouette: found.silhouette, options: options
        ).summary
    }

    /// k is chosen with one start each; then of clusters from several starts those with the best silhouette are kept, of equal ones the
    /// first.
    private static func cluster(
        _ features: Matrix<Float>, _ options: ClusterOptions
    ) throws(KinError) -> (clustering: Clustering, choice: Clustering.Choice?, silhouette: Double?) {
        let most = max(1, min(24, features.rows / 8))
        var kMeans = KMeans(
            k: options.k ?? (most < 2 ? .exactly(1) : .chosen(2...most, by: .silhouette, sample: 10_000)),
            maximumIterations: options.maximumIterations, seed: options.seed, threads: options.threads)
        let restarts = try options.restarts(forImages: features.rows)
        var found = [try kMeans.fit(features)]
        let choice = found[0].choice
        kMeans.k = .exactly(found[0].k)
        guard found[0].k > 1 else { return (found[0], choice, nil) }
        for restart in 1..<max(1, restarts) {
            var seeds = SeededGenerator.stream(UInt64(restart), of: options.seed)
            kMeans.seed = seeds.next()
            found.append(try kMeans.fit(features))
        }
        let scores = Clustering.silhouettes(of: features, found, seed: options.seed, threads: options.threads)
        let best = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
        return (found[best], choice, scores[best])
    }
}

extension KMeans.Criterion {
    /// The name in files.
    var name: String {
        switch self {
        case .elbow: "elbow"
        case .silhouette: "silhouette"
        case .simplifiedSilhouette: "simplified silhouette"
        case .gap: "gap"
        }
    }
}
