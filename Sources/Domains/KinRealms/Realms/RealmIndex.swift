/// An index of images by realm type, with the fields that world generation needs.
///
/// The contents of `realm_index.json`; with ``RealmClusters`` it makes a ``RealmLibrary``. The score of an image i in a
/// realm r is
///
///     s(i, r) = ½ g(i, r) + ½ q(i, r)
///
/// where g is 1 for the model's first suggestion, ½ for the second, and so on, and q is the share of r by nearness to
/// the realms' centres, the means of the images that suggest them, weighted by g. Without suggestions s = q. An image
/// is listed in its best realm and in each with a score of at least ¼. In a collection without any suggestion every
/// cluster is a realm.
public struct RealmIndex: Sendable, Equatable {
    /// An image listed in a realm.
    public struct Entry: Sendable, Hashable {
        /// The index of the image in ``RealmIndex/images``.
        public let image: Int
        /// The score of the image, 0…1.
        public let score: Double
    }

    /// A realm type and its images.
    public struct Realm: Sendable, Equatable {
        /// The realm type: "forest".
        public let type: String
        /// The images by descending score, ties by id.
        public internal(set) var entries: [Entry]
        /// The mean vector of the images that suggest the type, weighted by rank.
        var centre: [Float]
        /// The sum of the weights in that mean.
        var weight: Double
    }

    /// An object of an image.
    public struct Object: Sendable, Hashable {
        /// The name of the object.
        public let name: String
        /// The category of the object.
        public let category: String
        /// The position in the analysis, from 0.
        public let number: Int
    }

    /// The fields of an image that world generation needs.
    public struct Image: Sendable, Hashable {
        /// The id of the image.
        public let id: String
        /// The cluster of the image.
        public let cluster: Int
        /// The mood in the model's words; nil when unknown.
        public let mood: String?
        /// The value of the image for each goal.
        public let values: GoalValues
        /// The objects in the order of the analysis.
        public let objects: [Object]
    }

    /// An image with a score.
    public struct RankedImage: Sendable, Hashable {
        /// The id of the image.
        public let id: String
        /// The score of the image, 0…1.
        public let score: Double
    }

    /// The realms by ascending type.
    public internal(set) var realms: [Realm]
    /// The images in the order of the collection.
    public internal(set) var images: [Image]
    /// The scale τ of the kernel: half the mean squared distance of images to the centre of their realm.
    let temperature: Double

    /// The least score of an image in a realm other than its best.
    static let leastScore = 0.25

    /// Finds the images with the highest values for some goals.
    ///
    /// - Parameters:
    ///   - goals: The goals; an image's score is the mean of its values for them.
    ///   - count: The largest number of images.
    /// - Returns: Images with a score above 0, by descending score, ties by id.
    /// - Complexity: O(images · log images).
    public func images(for goals: [TherapeuticGoal], count: Int = 10) -> [RankedImage] {
        images.lazy.map { RankedImage(id: $0.id, score: rounded($0.values.mean(of: goals))) }.filter { $0.score > 0 }
            .sorted { ($1.score, $0.id) < ($0.score, $1.id) }.prefix(max(0, count)).map { $0 }
    }

    /// The realm of a type; nil for an unknown type.
    public func realm(_ type: String) -> Realm? { realms.first { $0.type == type } }

    /// The mean value of a realm's images for goals, weighted by score.
    public func value(of realm: Realm, for goals: [TherapeuticGoal]) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for entry in realm.entries {
            sum += entry.score * images[entry.image].values.mean(of: goals)
            weight += entry.score
        }
        return weight > 0 ? sum / weight : 0
    }
}
