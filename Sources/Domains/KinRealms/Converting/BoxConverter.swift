/// A converter from bounding boxes of detection data sets to analyses, for trials on real images.
///
/// The images' ids and the objects' names, categories and boxes are real. Everything else comes from a table of
/// assumptions by category: associations, valence and calming of objects and, as means over the objects by area,
/// values, mood and realm types of images. The confidence is the detector's score, or 1 for an annotation.
public struct BoxConverter: Sendable {
    /// A category of a data set.
    public struct Category: Sendable, Hashable {
        /// The name of the category: "dog".
        public let name: String
        /// The supercategory it belongs to: "animal".
        public let group: String

        /// Creates a category from its names.
        public init(name: String, group: String) {
            self.name = name
            self.group = group
        }
    }

    /// A box with the category of its object and the confidence of the detection, 0 to 1.
    public typealias Box = (category: Category, box: DetectedObject.BoundingBox, confidence: Float)

    /// A notice for users on real and assumed fields.
    public static let note = """
        Image ids, names, categories and boxes are those of the files. Therapeutic associations and values, valence, calming scores, \
        mood and realm types are assumptions from a table of categories. Confidence is the score (or confidence) of a box, or 1 without scores.
        """

    /// Creates a converter, which has no parameters.
    public init() {}

    /// Whether the table of assumptions has a category or its supercategory; objects of other categories are neutral.
    ///
    /// - Parameter category: The category.
    public static func isKnown(_ category: Category) -> Bool { CategoryMeanings.meaning(of: category) != nil }

    /// Converts the boxes of one image to an analysis.
    ///
    /// - Throws: As ``ImageAnalysis/init(id:objects:mood:values:realmTypes:colours:)`` and
    ///   ``DetectedObject/init(name:category:box:confidence:associations:valence:calming:number:)``.
    public func analysis(image id: String, boxes: [Box]) throws(KinError) -> ImageAnalysis {
        let meanings = boxes.map { CategoryMeanings.meaning(of: $0.category) ?? CategoryMeanings.neutral }
        var objects: [DetectedObject] = []
        for (number, part) in zip(boxes, meanings).enumerated() {
            objects.append(
                try DetectedObject(
                    name: part.0.category.name, category: part.0.category.name, box: part.0.box,
                    confidence: part.0.confidence, associations: part.1.values.filter { $0.value >= 0.5 }.map(\.goal),
                    valence: part.1.valence, calming: part.1.calming, number: number))
        }
        let area = boxes.reduce(0) { $0 + Double($1.box.area) }
        let shares = boxes.map { area > 0 ? Double($0.box.area) / area : 1 / Double(boxes.count) }
        return try ImageAnalysis(
            id: id, objects: objects, mood: mood(meanings, shares), values: values(meanings, shares),
            realmTypes: realms(meanings, shares))
    }

    private func values(_ meanings: [CategoryMeanings.Meaning], _ shares: [Double]) -> GoalValues {
        var sums = [Double](repeating: 0, count: TherapeuticGoal.allCases.count)
        for (meaning, share) in zip(meanings, shares) {
            for part in meaning.values { sums[part.goal.rawValue] += share * Double(part.value) }
        }
        return GoalValues { Float(min(1, (sums[$0.rawValue] * 100).rounded() / 100)) }
    }

    /// The mood for the mean valence and calming score.
    private func mood(_ meanings: [CategoryMeanings.Meaning], _ shares: [Double]) -> String {
        let valence = zip(meanings, shares).reduce(0) { $0 + Double($1.0.valence) * $1.1 }
        let calming = zip(meanings, shares).reduce(0) { $0 + Double($1.0.calming) * $1.1 }
        switch (valence, calming) {
        case (0.55..., 0.6...): return "peaceful"
        case (0.55..., _): return "joyful"
        case (0.3..., 0.6...): return "cozy"
        case (0.3..., _): return "lively"
        case (_, 0.5...): return "quiet"
        default: return "busy"
        }
    }

    /// The one or two realm types with the largest shares; the second needs at least 20 %.
    private func realms(_ meanings: [CategoryMeanings.Meaning], _ shares: [Double]) -> [String] {
        var sums: [String: Double] = [:]
        for (meaning, share) in zip(meanings, shares) {
            for (rank, realm) in meaning.realms.enumerated() { sums[realm, default: 0] += share / Double(rank + 1) }
        }
        let ranked = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return ranked.prefix(2).enumerated().filter { $0.offset == 0 || $0.element.value >= 0.2 }.map { $0.element.key }
    }
}
