/// Images that resemble each other.
public struct ImageCluster: Sendable, Hashable {
    /// A category's part in a cluster.
    public struct CategoryShare: Sendable, Hashable {
        /// The category.
        public let category: String
        /// Its mean share of the cluster's images, by area and confidence.
        public let share: Double
        /// How many times its share in all images that is.
        public let lift: Double
    }

    /// Its number.
    public let id: Int
    /// What is typical of it: "dog & frisbee".
    public let name: String
    /// How many images it has.
    public var size: Int
    /// Its part of the inertia, 0…1.
    public internal(set) var inertiaShare: Double
    /// The images nearest to its centre. The first is its medoid: of all its images the one whose squared distances to the others have the
    /// least sum, since Σ‖x − m‖² = Σ‖x − c‖² + n ‖m − c‖².
    public let medoids: [String]
    /// The categories with the highest shares.
    public let topCategories: [CategoryShare]
    /// The mean values of its images.
    public internal(set) var focus: GoalValues
    /// The commonest mood of its images, as it was called.
    public let mood: String?
}

/// What the images say of one category of things.
public struct CategorySummary: Sendable, Hashable {
    /// The category.
    public let category: String
    /// How many objects are of it.
    public internal(set) var objects: Int
    /// How many images have one.
    public internal(set) var images: Int
    /// The mean valence of its objects, −1…1; nil where none says.
    public let valence: Double?
    /// The mean calming score of its objects, 0…1; nil where none says.
    public let calming: Double?
    /// Of each goal, half the share of its objects that are associated with it and half the mean value of the images that have one.
    public let focus: GoalValues
}

extension ImageCollection {
    /// The table of categories, the one in most images first, ties by name.
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
    /// With six decimals, as in a file.
    var rounded: GoalValues {
        var values = GoalValues()
        for goal in TherapeuticGoal.allCases { values[goal] = (self[goal] * 1e6).rounded() / 1e6 }
        return values
    }
}
