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
