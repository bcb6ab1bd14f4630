/// An index of images by realm type, with the fields that world generation needs.
///
/// These are the contents of `realm_index.json`; a ``RealmLibrary`` consists of the index and ``RealmClusters``. The
/// score of an image i in a realm r is
///
///     s(i, r) = ½ g(i, r) + ½ q(i, r)
///
/// where g is 1 for the model's first suggestion, ½ for the second, and so on, and q is the share of r by nearness to
/// the realms' centres. A centre is the mean of the images that suggest the realm, weighted by g. Without suggestions
/// s = q. An image is listed in its best realm and in each realm with a score of at least ¼. In a collection without
/// any suggestion every cluster is a realm.
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
        /// The box, confidence and scores; nil in a file of version 1.
        public let detail: ObjectDetail?
    }

    /// The fields of an image for world generation.
    public struct Image: Sendable, Hashable {
        /// The id of the image.
        public let id: String
        /// The cluster of the image.
        public let cluster: Int
        /// The mood in the model's words; nil if unknown.
        public let mood: String?
        /// The value of the image for each goal.
        public let values: GoalValues
        /// The objects in the order of the analysis.
        public let objects: [Object]
        /// The mean of ``values`` and the values from its objects' scores; either alone if the other is missing.
        public let ownValues: GoalValues

        init(id: String, cluster: Int, mood: String?, values: GoalValues, objects: [Object]) {
            self.id = id
            self.cluster = cluster
            self.mood = mood
            self.values = values
            self.objects = objects
            ownValues = GoalValues(values, objects: objects.compactMap(\.detail))
        }
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
    /// The version of the file that the index was read from: 1, without objects' scores, or 2.
    let version: Int

    /// The version that is built and written.
    static let newestVersion = 2
    /// The least score of an image in a realm other than its best.
    static let leastScore = 0.25

    /// Finds the images with the highest values for some goals.
    ///
    /// The score of an image is the mean over the goals of
    ///
    ///     ¾ v + ¼ f
    ///
    /// with v its ``Image/ownValues`` and f the focus of its cluster, the mean of v over the cluster's images. In an
    /// index that was read from a file of version 1, it is the mean of ``Image/values``.
    ///
    /// - Parameters:
    ///   - goals: The goals.
    ///   - count: The largest number of images.
    /// - Returns: Images with a score above 0, by descending score, ties by id.
    /// - Complexity: O(images · log images).
    public func images(for goals: [TherapeuticGoal], count: Int = 10) -> [RankedImage] {
        zip(images, goalScores(for: goals)).lazy.map { RankedImage(id: $0.id, score: rounded($1)) }
            .filter { $0.score > 0 }.sorted { ($1.score, $0.id) < ($0.score, $1.id) }.prefix(max(0, count)).map { $0 }
    }

    /// Finds the images with the highest values for some goals, with variety; exact.
    ///
    /// The cost of an image is its negated score. Its category is the realm with its highest score. The distance
    /// between two images is one minus the share of common categories of objects among the categories of both (Jaccard
    /// 1912, doi:10.1111/j.1469-8137.1912.tb05611.x), and 1 for images without objects.
    ///
    /// - Parameters:
    ///   - goals: The goals.
    ///   - count: The largest number of images.
    ///   - variety: The diversity, the limit of a realm, and the images to leave out.
    /// - Returns: Images with a score above 0, in the order of their choice.
    /// - Complexity: O(images · log images), and O(count · images) distances with diversity.
    public func images(for goals: [TherapeuticGoal], count: Int = 10, variety: ListVariety) -> [RankedImage] {
        guard variety != .none else { return images(for: goals, count: count) }
        let ranking = images(for: goals, count: images.count)
        let numbers = Dictionary(images.indices.map { (images[$0].id, $0) }) { first, _ in first }
        let categories = images.map { Set($0.objects.map(\.category)) }
        var best = [(score: Double, realm: String)?](repeating: nil, count: images.count)
        for realm in realms {
            for entry in realm.entries where entry.score > best[entry.image]?.score ?? -.infinity {
                best[entry.image] = (entry.score, realm.type)
            }
        }
        func distance(_ a: Set<String>, _ b: Set<String>) -> Double {
            let common = a.intersection(b).count
            return common == 0 ? 1 : 1 - Double(common) / Double(a.count + b.count - common)
        }
        let list = VariedList<RankedImage>(
            id: { $0.id }, cost: { -$0.score }, category: { best[numbers[$0.id]!]?.realm },
            distance: { distance(categories[numbers[$0.id]!], categories[numbers[$1.id]!]) })
        return infallible("a ranking that is there") { () throws(KinError) in
            try list.choose(max(0, count), variety) { Array(ranking.prefix($0)) }
        }
    }

    /// The realm of a type in any spelling, such as `Night Sky` for `night_sky`; nil for an unknown type.
    public func realm(_ type: String) -> Realm? { number(of: type).map { realms[$0] } }

    /// The position of the realm of a type. In files of older versions, spellings of one type can be different realms;
    /// the realm with exactly this spelling is then the first choice.
    func number(of type: String) -> Int? {
        if let number = realms.firstIndex(where: { $0.type == type }) { return number }
        let plain = Spelling.plain(type)
        return realms.firstIndex { Spelling.plain($0.type) == plain }
    }

    /// The mean value of a realm's images for goals, weighted by score.
    ///
    /// The value of an image is its score in ``images(for:count:)``.
    ///
    /// - Complexity: O(images).
    public func value(of realm: Realm, for goals: [TherapeuticGoal]) -> Double {
        Self.value(of: realm, scores: goalScores(for: goals))
    }

    /// The mean score of a realm's images for goals, weighted by their score in the realm.
    static func value(of realm: Realm, scores: [Double]) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for entry in realm.entries {
            sum += entry.score * scores[entry.image]
            weight += entry.score
        }
        return weight > 0 ? sum / weight : 0
    }

    /// The score of every image for goals; see ``images(for:count:)``.
    func goalScores(for goals: [TherapeuticGoal]) -> [Double] {
        let goals = goals.unique
        let own = images.map { $0.ownValues.mean(of: goals) }
        guard version > 1 else { return own }
        // By cluster number, which may be any number in a file.
        var focus: [Int: (sum: Double, count: Double)] = [:]
        for (image, value) in zip(images, own) {
            focus[image.cluster, default: (0, 0)].sum += value
            focus[image.cluster]!.count += 1
        }
        let means = focus.mapValues { $0.sum / $0.count }
        return zip(images, own).map { image, value in score(own: value, focus: means[image.cluster]!) }
    }

    /// The score of an image for a goal, from its own value and its cluster's focus.
    func score(own: Double, focus: Double) -> Double { version > 1 ? 0.75 * own + 0.25 * focus : own }

    /// The values of an image that this index uses.
    func ownValues(of analysis: ImageAnalysis) -> GoalValues {
        version > 1 ? GoalValues(analysis.values, objects: analysis.objects.map { ObjectDetail($0) }) : analysis.values
    }
}
