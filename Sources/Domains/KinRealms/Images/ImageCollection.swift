/// A compact collection of images for clustering and world generation, about 60 bytes an object.
///
/// Analyses are not stored, so a collection of millions of images fits into memory.
public struct ImageCollection: Sendable {
    /// An object of an image.
    struct Item: Sendable {
        var name: UInt32
        var category: UInt32
        /// The share of the image: confidence times the share of the area of all boxes, at least 2 %.
        var weight: Float
        /// The position in the analysis.
        var number: UInt32
        /// The box, confidence and scores.
        var detail: ObjectDetail
    }

    /// The attributes of an image other than its objects.
    struct Attributes: Sendable {
        /// The number of the mood; ``ImageCollection/noMood`` for none.
        var mood: UInt32
        /// The mean valence of its objects by weight; 0 if unknown.
        var valence: Float = 0
        var calming: Float = 0
        /// The mean of its dominant colours by share, in CIELAB; NaN if unknown.
        var colour: (Float, Float, Float) = (.nan, .nan, .nan)
    }

    static let noMood = UInt32.max
    /// The least share of an object in its image.
    static let leastShare: Float = 0.02

    /// The ids of the images, in the order of addition.
    public private(set) var ids: [String] = []
    private(set) var items: [Item] = []
    private(set) var attributes: [Attributes] = []
    /// The values of the images by the model's description of them.
    private(set) var values: [GoalValues] = []
    private var itemEnds: [Int] = []
    private var suggestions: [UInt32] = []
    private var suggestionEnds: [Int] = []
    private var rows: [String: Int] = [:]
    private(set) var names = Vocabulary()
    private(set) var categories = Vocabulary()
    private(set) var realmTypes = Vocabulary()
    private(set) var moods = Vocabulary()
    private(set) var totals: [CategoryTotals] = []

    /// Creates a collection without images.
    public init() {}

    /// The number of images.
    public var count: Int { ids.count }

    /// The number of objects in all images.
    public var objectCount: Int { items.count }

    /// Adds an image to the collection.
    ///
    /// - Throws: `.duplicateID` for an image whose id is in the collection already.
    public mutating func append(_ analysis: ImageAnalysis) throws(KinError) {
        guard rows[analysis.id] == nil else {
            throw KinError(.duplicateID, "this image already exists; its first analysis is used")
                .within("image", analysis.id)
        }
        rows[analysis.id] = ids.count
        ids.append(analysis.id)
        appendItems(of: analysis)
        values.append(analysis.values)
        suggestions += analysis.realmTypes.map { realmTypes.number(of: $0, key: Spelling.plain($0)) }
        suggestionEnds.append(suggestions.count)
    }

    private mutating func appendItems(of analysis: ImageAnalysis) {
        let details = analysis.objects.map { ObjectDetail($0) }
        var attributes = Attributes(mood: analysis.mood.map { moods.number(of: Spelling.folded($0)) } ?? Self.noMood)
        var (valence, calming) = (WeightedMean(), WeightedMean())
        let first = items.count
        for ((object, detail), weight) in zip(zip(analysis.objects, details), ObjectDetail.weights(of: details)) {
            let category = categories.number(of: object.category, key: Spelling.plain(object.category))
            items.append(
                Item(
                    name: names.number(of: object.name), category: category, weight: weight,
                    number: UInt32(clamping: object.number), detail: detail))
            if Int(category) == totals.count { totals.append(CategoryTotals()) }
            totals[Int(category)].add(object)
            valence.add(object.valence, weight)
            calming.add(object.calming, weight)
        }
        var seen: Set<UInt32> = []
        for item in items[first...] where seen.insert(item.category).inserted {
            totals[Int(item.category)].addImage(analysis.values)
        }
        itemEnds.append(items.count)
        attributes.valence = valence.value
        attributes.calming = calming.value
        if !analysis.colours.isEmpty { attributes.colour = DominantColour.mean(of: analysis.colours) }
        self.attributes.append(attributes)
    }

    // MARK: Images by row

    func items(of row: Int) -> ArraySlice<Item> { items[(row == 0 ? 0 : itemEnds[row - 1])..<itemEnds[row]] }

    /// The numbers of the suggested realm types, best first.
    func suggestions(of row: Int) -> ArraySlice<UInt32> {
        suggestions[(row == 0 ? 0 : suggestionEnds[row - 1])..<suggestionEnds[row]]
    }

    /// The values of an image by the model's description of the image and of its objects.
    func ownValues(of row: Int) -> GoalValues { GoalValues(values[row], objects: items(of: row).map(\.detail)) }

    /// The mood of an image in the model's words.
    func mood(of row: Int) -> String? {
        let mood = attributes[row].mood
        return mood == Self.noMood ? nil : moods[mood]
    }
}

/// A weighted mean that skips missing values.
private struct WeightedMean {
    private var sum = 0.0
    private var weight = 0.0

    mutating func add(_ value: Float?, _ weight: Float) {
        guard let value else { return }
        sum += Double(value) * Double(weight)
        self.weight += Double(weight)
    }

    var value: Float { weight > 0 ? Float(sum / weight) : 0 }
}

/// The sums over the objects of a category.
struct CategoryTotals: Sendable {
    private(set) var objects = 0
    private(set) var images = 0
    private var valence = (sum: 0.0, count: 0)
    private var calming = (sum: 0.0, count: 0)
    private var associations = [Double](repeating: 0, count: TherapeuticGoal.allCases.count)
    private var values = [Double](repeating: 0, count: TherapeuticGoal.allCases.count)

    mutating func add(_ object: DetectedObject) {
        objects += 1
        if let value = object.valence { valence = (valence.sum + Double(value), valence.count + 1) }
        if let value = object.calming { calming = (calming.sum + Double(value), calming.count + 1) }
        for goal in object.associations { associations[goal.rawValue] += 1 }
    }

    mutating func addImage(_ values: GoalValues) {
        images += 1
        for goal in TherapeuticGoal.allCases { self.values[goal.rawValue] += Double(values[goal]) }
    }

    /// The mean valence of the objects with a known valence.
    var meanValence: Double? { valence.count > 0 ? valence.sum / Double(valence.count) : nil }

    /// The mean calming score of the objects with a known score.
    var meanCalming: Double? { calming.count > 0 ? calming.sum / Double(calming.count) : nil }

    /// For each goal, half the share of associated objects plus half the mean value of the images.
    var focus: GoalValues {
        GoalValues { goal in
            let (associated, valued) = (associations[goal.rawValue], values[goal.rawValue])
            return Float(0.5 * associated / Double(max(1, objects)) + 0.5 * valued / Double(max(1, images)))
        }
    }
}

/// A vocabulary of words, numbered in the order of addition.
struct Vocabulary: Sendable {
    private(set) var words: [String] = []
    private var numbers: [String: UInt32] = [:]

    /// The number of a word, added if it is new.
    ///
    /// - Parameter key: A form that all spellings of the word share. The least spelling represents them, in any order of
    ///   addition; nil for a word with one spelling.
    mutating func number(of word: String, key: String? = nil) -> UInt32 {
        if let known = numbers[key ?? word] {
            words[Int(known)] = min(words[Int(known)], word)
            return known
        }
        let number = UInt32(words.count)
        words.append(word)
        numbers[key ?? word] = number
        return number
    }

    /// The number of a word by its key; nil for an unknown word.
    func find(_ key: String) -> UInt32? { numbers[key] }

    subscript(number: UInt32) -> String { words[Int(number)] }

    var count: Int { words.count }
}
