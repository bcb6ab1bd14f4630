/// A cluster of similar images.
public struct ImageCluster: Sendable, Hashable {
    /// The share of a category in a cluster.
    public struct CategoryShare: Sendable, Hashable {
        /// The name of the category.
        public let category: String
        /// The mean share of the cluster's images, by area and confidence.
        public let share: Double
        /// The share in the cluster divided by the share in all images.
        public let lift: Double
    }

    /// The number of the cluster, from 0.
    public let id: Int
    /// The name, from its most typical categories: "dog & frisbee".
    public let name: String
    /// The number of images in the cluster.
    public var size: Int
    /// The share of the total inertia, 0…1.
    public internal(set) var inertiaShare: Double
    /// The images nearest to its centroid. The first is the medoid, which has the least sum of squared distances to the
    /// others, since Σ‖x − m‖² = Σ‖x − c‖² + n ‖m − c‖².
    public let medoids: [String]
    /// The categories with the highest shares.
    public let topCategories: [CategoryShare]
    /// The mean value of its images for each goal, by the model's description of an image and of its objects.
    public internal(set) var focus: GoalValues
    /// The most frequent mood of its images; nil if no image has one.
    public let mood: String?
    /// Whether its images resemble each other no more than all images do: their mean squared distance to the centroid
    /// is at least the mean squared distance of all images to their mean. Its name then begins with "mixed".
    public let isCatchAll: Bool
}

/// The statistics of one category over all images.
public struct CategorySummary: Sendable, Hashable {
    /// The name of the category.
    public let category: String
    /// The number of objects of the category.
    public internal(set) var objects: Int
    /// The number of images with such an object.
    public internal(set) var images: Int
    /// The mean valence of its objects, −1…1; nil if unknown.
    public let valence: Double?
    /// The mean calming score of its objects, 0…1; nil if unknown.
    public let calming: Double?
    /// For each goal, half the share of associated objects plus half the mean value of the images with the category.
    public let focus: GoalValues
}

extension ImageCollection {
    /// The statistics of all categories, by descending number of images, ties by name.
    public var categorySummaries: [CategorySummary] {
        totals.indices.map { number in
            let totals = totals[number]
            return CategorySummary(
                category: categories[UInt32(number)], objects: totals.objects, images: totals.images,
                valence: totals.meanValence.map(rounded), calming: totals.meanCalming.map(rounded),
                focus: totals.focus.rounded)
        }.sorted { ($1.images, $0.category) < ($0.images, $1.category) }
    }
}

extension GoalValues {
    /// The values rounded to six decimals, as written to files.
    var rounded: GoalValues { GoalValues { (self[$0] * 1e6).rounded() / 1e6 } }
}
