/// The clusters of a collection, with category statistics and the feature recipe for placing further images.
///
/// These are the contents of `clusters.json`; after reading them, the analyses are no longer needed.
///
///     let clusters = try RealmClusters(of: collection, options: ClusterOptions(seed: 7))
///     clusters.clusters[0].topCategories
///     clusters.choice?.candidates              // the curve over k
///     let json = clusters.json
public struct RealmClusters: Sendable, Equatable {
    /// The recipe that turns an image into a vector.
    public let recipe: FeatureRecipe
    /// The seed of the random numbers.
    public let seed: UInt64
    /// The number of images clustered.
    public internal(set) var imageCount: Int
    /// The number of objects in the images.
    public internal(set) var objectCount: Int
    /// The sum of squared distances Σ‖x − c‖² over all images.
    public internal(set) var inertia: Double
    /// The mean silhouette, of a sample of at most 4,000 images; nil for one cluster.
    public let silhouette: Double?
    /// The choice of k; nil if k was given.
    public let choice: Choice?
    /// The statistics of all categories, by descending number of images.
    public internal(set) var categories: [CategorySummary]
    /// The clusters by ascending number.
    public internal(set) var clusters: [ImageCluster]
    /// The centroids of the clusters, k × dimension.
    public internal(set) var centroids: Matrix<Float>

    /// The choice of the number of clusters.
    public struct Choice: Sendable, Equatable {
        /// A number of clusters that was tried.
        public struct Candidate: Sendable, Equatable {
            /// The number of clusters.
            public let k: Int
            /// The inertia of the clustering.
            public let inertia: Double
            /// The score of the criterion; higher is better.
            public let score: Double
        }

        /// The name of the criterion: "silhouette".
        public let criterion: String
        /// The candidates by ascending k; empty if there were too few images to choose.
        public let candidates: [Candidate]
        /// The largest k that could be tried while scores rise; nil if the range was given.
        public let limit: Int?
        /// The number of images without objects, which have no part in the choice.
        public let withoutObjects: Int
    }

    /// Whether k was chosen and is the largest one tried, so that a wider range in ``ClusterOptions/k`` may give a
    /// better clustering.
    public var isChoiceAtEnd: Bool { choice?.candidates.last.map { $0.k == clusters.count } ?? false }

    /// A sentence on how k was chosen and why no larger one was tried; nil if k was given.
    public var choiceReason: String? {
        guard let choice else { return nil }
        let left = Plural.count(choice.withoutObjects, "image")
        let note = choice.withoutObjects == 0 ? "" : "; \(left) without objects had no part in the choice"
        guard let first = choice.candidates.first, let last = choice.candidates.last else {
            let least = (choice.criterion == "gap" ? KMeans.Criterion.gap() : .silhouette).fewestCounts + 1
            return "k = 1: choosing more by \(choice.criterion) takes at least \(8 * least) images, of which \(least) "
                + "differ; set k for more clusters" + note
        }
        let rule =
            if choice.criterion != "gap" {
                "has the best score by \(choice.criterion)"
            } else if isChoiceAtEnd {
                "is the last, and the gap still rises,"
            } else {
                "is the first after which the gap rises by no more than its standard error,"
            }
        let tried =
            first.k == last.k
            ? "k = \(first.k) is the only one tried by \(choice.criterion)"
            : "k = \(clusters.count) \(rule) of those tried from \(first.k) to \(last.k)"
        guard let limit = choice.limit else {
            return isChoiceAtEnd ? tried + "; a larger one may be better" + note : tried + note
        }
        if last.k < limit { return tried + "; beyond it the scores rise no more" + note }
        let count = clusters.reduce(0) { $0 + $1.size } - choice.withoutObjects
        let cause =
            limit < ClusterSearch.largest(ofImages: count) ? "as only \(limit) images differ" : "for so few images"
        return tried + "; \(limit) is the most \(cause)"
            + (isChoiceAtEnd && first.k < last.k ? ", and the scores still rise" : "") + note
    }
}

extension RealmClusters {
    /// Clusters the images of a collection.
    ///
    /// - Throws: `.invalidArgument` for a collection without images, more clusters than distinct images, or a parameter
    ///   out of its range.
    /// - Complexity: As `KMeans`, on vectors of ``FeatureRecipe/dimension``.
    public init(of collection: ImageCollection, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        self = try ClusteredImages(collection, options: options).clusters
    }
}

/// A collection with its clusters, the input of a realm index.
public struct ClusteredImages: Sendable {
    /// The images that were clustered.
    public let collection: ImageCollection
    /// The feature vectors, one row per image.
    public let features: Matrix<Float>
    /// The cluster of each image.
    public let labels: [Int]
    /// The clusters and their statistics.
    public let clusters: RealmClusters

    /// Clusters a collection; see ``RealmClusters/init(of:options:)``.
    ///
    /// - Throws: `.invalidArgument` for a collection without images or a parameter out of its range.
    public init(_ collection: ImageCollection, options: ClusterOptions = ClusterOptions()) throws(KinError) {
        guard collection.count > 0 else {
            throw KinError(.invalidArgument, "there are no images; read or put some analyses first")
        }
        try options.weights.check()
        let recipe = FeatureRecipe(for: collection, weights: options.weights)
        guard recipe.dimension > 0 else {
            throw KinError(.invalidArgument, "all feature weights are 0; give at least one a positive weight")
        }
        let features = recipe.vectors(of: collection)
        let withObjects = (0..<collection.count).filter { !collection.items(of: $0).isEmpty }
        let isAll = withObjects.isEmpty || withObjects.count == features.rows
        let choosing = isAll ? features : features.selecting(withObjects)
        let found = try ClusterSearch(features: features, choosing: choosing, options: options).outcome()
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
        case .silhouette: "silhouette"
        case .gap: "gap"
        }
    }
}
