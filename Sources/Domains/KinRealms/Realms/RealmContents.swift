/// A summary of a realm's images: their content and their value for goals.
public struct RealmContents: Sendable, Hashable {
    /// A category and the share of images that show it.
    public struct CategoryFrequency: Sendable, Hashable {
        /// The name of the category.
        public let category: String
        /// The share of the images with such an object, 0…1.
        public let share: Double
    }

    /// The type of the realm.
    public let realm: String
    /// The number of images listed in the realm.
    public let imageCount: Int
    /// The five most frequent categories among the 1,000 images with the highest scores.
    public let categories: [CategoryFrequency]
    /// The mean value of the images for each goal, as ``RealmIndex/value(of:for:)``.
    public let values: GoalValues
}

extension RealmLibrary {
    /// The number of images used for counting categories, and the number of listed categories.
    private static let (countedImages, listedCategories) = (1_000, 5)

    /// Summarises the images of a realm.
    ///
    /// - Parameter realm: A realm of the library's index.
    /// - Complexity: O(images of the realm).
    public func contents(of realm: RealmIndex.Realm) -> RealmContents {
        var counts: [String: Int] = [:]
        let counted = realm.entries.prefix(Self.countedImages)
        for entry in counted {
            for category in Set(index.images[entry.image].objects.map(\.category)) { counts[category, default: 0] += 1 }
        }
        let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.listedCategories)
        var sums = [Double](repeating: 0, count: TherapeuticGoal.allCases.count)
        for entry in realm.entries {
            let image = index.images[entry.image]
            let focus = clusters.clusters[image.cluster].focus
            for goal in TherapeuticGoal.allCases {
                let score = index.score(own: Double(image.ownValues[goal]), focus: Double(focus[goal]))
                sums[goal.rawValue] += entry.score * score
            }
        }
        let weight = realm.entries.reduce(0) { $0 + $1.score }
        let values = GoalValues { weight > 0 ? Float(sums[$0.rawValue] / weight) : 0 }
        return RealmContents(
            realm: realm.type, imageCount: realm.entries.count,
            categories: frequent.map {
                .init(category: $0.key, share: rounded(Double($0.value) / Double(counted.count)))
            }, values: values.rounded)
    }
}

extension RealmContents: DeclaredObject {
    package static let schema = ObjectSchema<RealmContents>(
        .field("realm", \.realm),
        .field("images", \.imageCount, "the number of images"),
        .list(
            "categories", \.categories,
            .field("category", \.category),
            .field("share", \.share, "share of the images with this category")),
        .field("therapeutic_value", \.values))
}
