/// The rules that turn an image into a feature vector; the same recipe always gives the same vector.
///
/// Version 1. With o the objects of an image, each weighted by its confidence cₒ and its share aₒ of the area of all
/// boxes (at least 2 %), the vector has these parts:
///
/// 1. one dimension per category of the vocabulary, √(Σ cₒ aₒ over the category's objects ∕ Σ cₒ aₒ over all). This
///    part has length 1, and its squared distances are twice those of Hellinger. The last dimension is for all other
///    categories;
/// 2. one dimension per goal: the value of the image for it;
/// 3. two dimensions: the means of valence and calming of its objects, by the same weights;
/// 4. two dimensions: the mood's pleasantness and arousal;
/// 5. three dimensions, if any image has colours: the mean colour in CIELAB ∕ 100; for an image without colours, the
///    collection's mean.
///
/// Each part is multiplied by its weight from ``FeatureWeights``; a part with weight 0 is left out.
public struct FeatureRecipe: Sendable, Hashable {
    /// The version of the rules above.
    public static let version = 1
    /// The largest number of categories with their own dimension.
    public static let vocabularyLimit = 128

    /// The categories with a dimension, the most frequent first.
    public let categories: [String]
    /// The weights of the kinds of features.
    public let weights: FeatureWeights
    /// The mean colour of the collection in CIELAB; nil if no image has colours.
    public let meanColour: CIELAB?

    private let columns: [String: Int]
    /// The first dimension of each part, and the total.
    private let starts: [Int]

    /// Creates the recipe for a collection, with its most frequent categories by images, ties by name.
    public init(for collection: ImageCollection, weights: FeatureWeights = FeatureWeights()) {
        let ranked = collection.totals.indices.sorted {
            (collection.totals[$1].images, collection.categories[UInt32($0)])
                < (collection.totals[$0].images, collection.categories[UInt32($1)])
        }
        self.init(
            categories: ranked.prefix(Self.vocabularyLimit).map { collection.categories[UInt32($0)] }, weights: weights,
            meanColour: Self.meanColour(of: collection))
    }

    init(categories: [String], weights: FeatureWeights, meanColour: CIELAB?) {
        self.categories = categories
        self.weights = weights
        self.meanColour = meanColour
        // A file of release 0.3.0 may have several spellings of a category.
        columns = Dictionary(
            categories.enumerated().map { (Spelling.plain($1), $0) }, uniquingKeysWith: { first, _ in first })
        let widths = [categories.count + 1, TherapeuticGoal.allCases.count, 2, 2, meanColour == nil ? 0 : 3]
        starts = zip(widths, weights.list).reduce(into: [0]) { starts, part in
            starts.append(starts[starts.count - 1] + (part.1 > 0 ? part.0 : 0))
        }
    }

    private static func meanColour(of collection: ImageCollection) -> CIELAB? {
        var (l, a, b, count) = (0.0, 0.0, 0.0, 0)
        for attributes in collection.attributes where !attributes.colour.0.isNaN {
            l += Double(attributes.colour.0)
            a += Double(attributes.colour.1)
            b += Double(attributes.colour.2)
            count += 1
        }
        guard count > 0 else { return nil }
        // Rounded as in the file.
        let mean = [l, a, b].map { rounded($0 / Double(count)) }
        return CIELAB(lightness: mean[0], a: mean[1], b: mean[2])
    }

    /// The number of dimensions.
    public var dimension: Int { starts[starts.count - 1] }

    /// The dimension of a category; a category outside the vocabulary has the last dimension of the part.
    func column(of category: String) -> Int { columns[Spelling.plain(category)] ?? categories.count }

    /// Computes the vectors of a collection's images, one row each.
    ///
    /// - Complexity: O(objects + images · dimension).
    public func vectors(of collection: ImageCollection) -> Matrix<Float> {
        let positions = collection.categories.words.map { column(of: $0) }
        let moods = collection.moods.words.map { ImageMood($0) ?? .neutral }
        var elements = [Float](repeating: 0, count: collection.count * dimension)
        unsafe elements.withUnsafeMutableBufferPointer { elements in
            for row in 0..<collection.count {
                unsafe fill(
                    UnsafeMutableBufferPointer(rebasing: elements[row * dimension..<(row + 1) * dimension]),
                    with: collection, row: row, positions: positions, moods: moods)
            }
        }
        return infallible("the elements are rows · dimension") { () throws(KinError) in
            try Matrix(rows: collection.count, columns: dimension, elements: elements)
        }
    }

    /// Computes the vector of one image: the row of ``dimension`` numbers that ``vectors(of:)`` computes for it.
    public func vector(of analysis: ImageAnalysis) -> [Float] {
        var collection = ImageCollection()
        infallible("a collection without images takes any") { () throws(KinError) in try collection.append(analysis) }
        return vectors(of: collection).elements
    }

    private func fill(
        _ vector: UnsafeMutableBufferPointer<Float>, with collection: ImageCollection, row: Int, positions: [Int],
        moods: [ImageMood]
    ) {
        let items = collection.items(of: row)
        let total = items.reduce(Float(0)) { $0 + $1.weight }
        if weights.histogram > 0, total > 0 {
            for item in items { unsafe vector[positions[Int(item.category)]] += item.weight / total }
            for i in 0...categories.count { unsafe vector[i] = weights.histogram * vector[i].squareRoot() }
        }
        if weights.values > 0 {
            for goal in TherapeuticGoal.allCases {
                unsafe vector[starts[1] + goal.rawValue] = weights.values * collection.values[row][goal]
            }
        }
        let attributes = collection.attributes[row]
        if weights.affect > 0 {
            unsafe vector[starts[2]] = weights.affect * attributes.valence
            unsafe vector[starts[2] + 1] = weights.affect * attributes.calming
        }
        if weights.mood > 0, attributes.mood != ImageCollection.noMood {
            unsafe vector[starts[3]] = weights.mood * moods[Int(attributes.mood)].pleasantness
            unsafe vector[starts[3] + 1] = weights.mood * moods[Int(attributes.mood)].arousal
        }
        if weights.colour > 0, let mean = meanColour {
            let colour =
                attributes.colour.0.isNaN ? (Float(mean.lightness), Float(mean.a), Float(mean.b)) : attributes.colour
            unsafe vector[starts[4]] = weights.colour * colour.0 / 100
            unsafe vector[starts[4] + 1] = weights.colour * colour.1 / 100
            unsafe vector[starts[4] + 2] = weights.colour * colour.2 / 100
        }
    }

    /// The readable name of a dimension: "tree", "sleep", "valence".
    func name(ofDimension dimension: Int) -> String {
        let part = starts.dropFirst().firstIndex { dimension < $0 }! - 1
        let position = dimension - starts[part]
        switch part {
        case 0: return position < categories.count ? categories[position] : "other things"
        case 1: return TherapeuticGoal.allCases[position].name
        case 2: return ["valence", "calming"][position]
        case 3: return ["mood: pleasantness", "mood: arousal"][position]
        default: return ["lightness", "red against green", "yellow against blue"][position]
        }
    }

    /// The dimensions of the histogram: the categories, and one for all others.
    var histogram: Range<Int> { 0..<starts[1] }
}

/// The weights of the kinds of features in the distance between images.
public struct FeatureWeights: Sendable, Hashable {
    /// The weight of the square roots of category shares, a vector of length 1.
    public var histogram: Float
    /// The weight of the values for the goals, 0…1 each.
    public var values: Float
    /// The weight of the mean valence, −1…1, and the mean calming score, 0…1.
    public var affect: Float
    /// The weight of the mood's two coordinates, −1…1 each.
    public var mood: Float
    /// The weight of the mean dominant colour: L* ∕ 100, a* ∕ 100 and b* ∕ 100.
    public var colour: Float

    /// Creates weights; the defaults are those of recipe version 1.
    public init(
        histogram: Float = 1, values: Float = 0.25, affect: Float = 0.25, mood: Float = 0.15, colour: Float = 0.3
    ) {
        self.histogram = histogram
        self.values = values
        self.affect = affect
        self.mood = mood
        self.colour = colour
    }

    /// The weights of square-root category histograms alone.
    public static let histogramOnly = FeatureWeights(values: 0, affect: 0, mood: 0, colour: 0)

    /// The weights in the order of the features.
    var list: [Float] { [histogram, values, affect, mood, colour] }

    /// Requires that each weight is finite and 0 or more.
    func check() throws(KinError) {
        for (name, weight) in zip(["histogram", "values", "affect", "mood", "colour"], list) {
            try KinError.check(Double(weight), "weights.\(name)", "0 or more") { $0 >= 0 }
        }
    }
}
