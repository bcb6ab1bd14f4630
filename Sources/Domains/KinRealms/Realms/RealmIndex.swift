/// Which images fit which realm type, and what of each image a world needs.
///
/// It is what `realm_index.json` holds; together with ``RealmClusters`` it makes worlds and places images without the analyses
/// (``RealmLibrary``).
///
/// The score of an image i for a realm r is
///
///     s(i, r) = ½ g(i, r) + ½ q(i, r)
///
/// where g is 1 for the realm type that the model suggested first, ½ for the second, and so on, and q is the share of r in the image by
/// its nearness to the realms' centres, which are the means of the images that suggest them, weighted by g. An image without
/// suggestions has s = q. It is listed under its best realm and under each with a score of ¼ or more. In a collection without any suggestion every
/// cluster is a realm, of the cluster's name.
public struct RealmIndex: Sendable, Equatable {
    /// An image in a realm.
    public struct Entry: Sendable, Hashable {
        /// The image's number in ``RealmIndex/images``.
        public let image: Int
        /// How well it fits, 0…1.
        public let score: Double
    }

    /// The images of a realm type.
    public struct Realm: Sendable, Equatable {
        /// The realm type: "forest".
        public let type: String
        /// Its images, the best first, ties by id.
        public internal(set) var entries: [Entry]
        /// The mean vector of the images that suggest it.
        var centre: [Float]
        /// The sum of the weights in that mean.
        var weight: Double
    }

    /// An object of an image.
    public struct Object: Sendable, Hashable {
        /// What it is called.
        public let name: String
        /// What kind of thing it is.
        public let category: String
        /// Its place in the analysis, from 0.
        public let number: Int
    }

    /// An image, as a world needs it.
    public struct Image: Sendable, Hashable {
        /// The image's id.
        public let id: String
        /// Its cluster.
        public let cluster: Int
        /// Its mood, as the model called it.
        public let mood: String?
        /// What it is good for.
        public let values: GoalValues
        /// What is in it, in the order of the analysis.
        public let objects: [Object]
    }

    /// An image with a score.
    public struct RankedImage: Sendable, Hashable {
        /// The image's id.
        public let id: String
        /// The score, 0…1.
        public let score: Double
    }

    /// The realms, by type.
    public internal(set) var realms: [Realm]
    /// The images, in the order of the collection.
    public internal(set) var images: [Image]
    /// τ of the nearness: half the mean squared distance of images to the centre of their realm.
    let temperature: Double

    /// The least score with which an image is listed under more than its best realm.
    static let leastScore = 0.25

    /// The images that are best for some goals.
    ///
    /// - Parameters:
    ///   - goals: What is wanted; an image's score is the mean of its values for them.
    ///   - count: How many images at most.
    /// - Returns: Images of a score above 0, the best first, ties by id.
    /// - Complexity: O(images · log images).
    public func images(for goals: [TherapeuticGoal], count: Int = 10) -> [RankedImage] {
        images.lazy.map { RankedImage(id: $0.id, score: rounded($0.values.mean(of: goals))) }.filter { $0.score > 0 }
            .sorted { ($1.score, $0.id) < ($0.score, $1.id) }.prefix(max(0, count)).map { $0 }
    }

    /// The realm of a type.
    public func realm(_ type: String) -> Realm? { realms.first { $0.type == type } }

    /// The mean value of a realm's images for goals, weighted by their scores.
    public func value(of realm: Realm, for goals: [TherapeuticGoal]) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for entry in realm.entries {
            sum += entry.score * images[entry.image].values.mean(of: goals)
            weight += entry.score
        }
        return weight > 0 ? sum / weight : 0
    }
}
