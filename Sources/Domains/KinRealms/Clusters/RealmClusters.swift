import KinClustering
public import KinCore
public import KinLinearAlgebra

/// What belongs together in a collection: the table of its categories and its clusters, with all it takes to place another image.
///
/// It is what `clusters.json` holds; read back, it works without the analyses.
///
///     let clusters = try RealmClusters(of: collection, options: ClusterOptions(seed: 7))
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
    public internal(set) var inertia: Double
    /// The mean silhouette, of 4,000 images at most; nil for a single cluster.
    public let silhouette: Double?
    /// How k was chosen; nil when it was given.
    public let choice: Choice?
    /// Every category of the collection, the one in most images first.
    public internal(set) var categories: [CategorySummary]
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

    /// Whether k was chosen and is the largest number that was tried: a larger one may be better. Say so, and try more by
    /// ``ClusterOptions/k``.
    public var isChoiceAtEnd: Bool { choice?.candidates.last.map { $0.k == clusters.count } ?? false }

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

    /// Clusters a collection.
    ///
    /// - Throws: `.invalidArgument` for a collection without images, for more clusters than there are images that differ, and for a
    ///   parameter out of its range.
    /// - Complexity: that of `KMeans`, on images of ``FeatureRecipe/dimension``.
    public init(of collection: ImageCollection, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        self = try ClusteredImages(collection, options: options).clusters
    }
}

/// A collection with its clusters: what a realm index is made of.
public struct ClusteredImages: Sendable {
    /// The images.
    public let collection: ImageCollection
    /// Their vectors, row by row.
    public let features: Matrix<Float>
    /// The cluster of each image.
    public let labels: [Int]
    /// The clusters.
    public let clusters: RealmClusters

    /// Clusters a collection; see ``RealmClusters/init(of:options:)``.
    ///
    /// - Throws: `.invalidArgument` for a collection without images or a parameter out of its range.
    public init(_ collection: ImageCollection, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        guard collection.count > 0 else {
            throw KinError(.invalidArgument, "there are no images to cluster; read some analyses first")
        }
        let recipe = FeatureRecipe(for: collection, weights: options.weights)
        guard recipe.dimension > 0 else {
            throw KinError(.invalidArgument, "all feature weights are 0; give at least one a positive weight")
        }
        let features = recipe.vectors(of: collection)
        let found = try ClusterSearch(features: features, options: options).outcome()
        self.collection = collection
        self.features = features
        labels = found.clustering.labels
        clusters =
            ClusterSummaries(
                collection: collection, features: features, recipe: recipe, clustering: found.clustering,
                choice: found.choice,
                silhouette: found.silhouette, options: options
            ).summary
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
