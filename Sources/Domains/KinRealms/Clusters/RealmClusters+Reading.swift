public import KinCore
import KinJSON
import KinLinearAlgebra

extension RealmClusters {
    private static let keys = JSONKeys([
        "format", "version", "recipe", "seed", "images", "objects", "k", "inertia", "silhouette", "choice",
        "categories",
        "clusters",
    ])

    /// Reads the contents of `clusters.json`.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for
    ///   another format or version.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Self(from: &reader) }
    }

    private init(from reader: inout JSONReader) throws(KinError) {
        var recipe: FeatureRecipe?
        var (seed, images, objects, k, inertia) = (UInt64(0), 0, 0, 0, 0.0)
        var (silhouette, choice): (Double?, Choice?) = (nil, nil)
        var (categories, clusters): ([CategorySummary], [ImageCluster]) = ([], [])
        var rows: [[Float]] = []
        let start = reader
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: try reader.format(Self.format)
            case 1: try reader.version()
            case 2: recipe = try FeatureRecipe(from: &reader)
            case 3: seed = try reader.seed()
            case 4: images = try reader.count()
            case 5: objects = try reader.count()
            case 6: k = try reader.count()
            case 7: inertia = try reader.number()
            case 8: silhouette = try reader.takesNull() ? nil : reader.number()
            case 9: choice = try reader.takesNull() ? nil : Choice(from: &reader)
            case 10:
                categories = try reader.list { reader throws(KinError) in try CategorySummary(from: &reader) }
            default:
                try reader.array { reader throws(KinError) in
                    clusters.append(try ImageCluster(from: &reader, number: clusters.count, centres: &rows))
                }
            }
        }
        guard let recipe else { preconditionFailure("the recipe is required") }
        guard k == clusters.count, k > 0 else {
            throw start.error("k is \(k), and there are \(clusters.count) clusters").inField("k")
        }
        for (number, row) in rows.enumerated() where row.count != recipe.dimension {
            throw start.error("it has \(row.count) numbers, the recipe \(recipe.dimension) dimensions")
                .inField("clusters[\(number)].centroid")
        }
        self.init(
            recipe: recipe, seed: seed, imageCount: images, objectCount: objects, inertia: inertia,
            silhouette: silhouette, choice: choice, categories: categories, clusters: clusters,
            centroids: try Matrix(rows: rows))
    }
}

extension JSONReader {
    /// Reads the name of a format and requires it to be the given one.
    mutating func format(_ wanted: String) throws(KinError) {
        let found = try string()
        guard found == wanted else {
            throw error(
                "this is a file of the format \"\(found.prefix(40))\", not \"\(wanted)\"", code: .unsupportedFormat)
        }
    }

    /// Reads a version number and requires it to be from 1 to the newest one.
    @discardableResult
    mutating func version(upTo newest: Int = 1) throws(KinError) -> Int {
        let found = try integer()
        guard found >= 1, found <= newest else {
            let known = newest == 1 ? "version 1" : "versions 1 to \(newest)"
            throw error("version \(found) is not known; this release reads \(known)", code: .unsupportedFormat)
        }
        return Int(found)
    }

    /// Reads a count, from 0 to 2⁴⁰.
    mutating func count() throws(KinError) -> Int {
        let value = try integer()
        guard value >= 0, value <= 1 << 40 else {
            throw error("\(value) is no number of things", code: .invalidArgument)
        }
        return Int(value)
    }

    /// Reads an unsigned 64-bit seed.
    mutating func seed() throws(KinError) -> UInt64 {
        let text = try verbatim()
        guard let seed = UInt64(text) else { throw error("\(text.prefix(40)) is no whole number from 0 to 2^64 - 1") }
        return seed
    }

    /// Reads an array of floats.
    mutating func vector() throws(KinError) -> [Float] {
        try list { reader throws(KinError) in try reader.float() }
    }
}

extension GoalValues {
    private static let keys = JSONKeys(TherapeuticGoal.allCases.map(\.name), required: [])

    /// Reads values by the goals' names.
    init(from reader: inout JSONReader) throws(KinError) {
        self.init()
        var values = GoalValues()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            values[TherapeuticGoal.allCases[key]] = Float(try reader.share())
        }
        self = values
    }
}

extension FeatureRecipe {
    private static let keys = JSONKeys(["version", "categories", "weights", "mean_color"])
    private static let weightKeys = JSONKeys(FeatureWeights.names)

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var categories: [String] = []
        var weights = [Float](repeating: 0, count: FeatureWeights.names.count)
        var mean: CIELAB?
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: try reader.version()
            case 1:
                categories = try reader.strings()
                guard Set(categories).count == categories.count, categories.count <= Self.vocabularyLimit else {
                    throw reader.error("there are at most \(Self.vocabularyLimit) categories, each once")
                }
            case 2:
                try reader.members(of: Self.weightKeys) { reader, key throws(KinError) in
                    weights[key] = try reader.float()
                    guard weights[key] >= 0 else {
                        throw reader.error("a weight is not negative", code: .invalidArgument)
                    }
                }
            default:
                guard try !reader.takesNull() else { return }
                let values = try reader.list { reader throws(KinError) in try reader.number() }
                guard values.count == 3 else { throw reader.error("a colour has three coordinates") }
                mean = CIELAB(lightness: values[0], a: values[1], b: values[2])
            }
        }
        self.init(
            categories: categories,
            weights: FeatureWeights(
                histogram: weights[0], values: weights[1], affect: weights[2], mood: weights[3], colour: weights[4]),
            meanColour: mean)
    }
}

extension RealmClusters.Choice {
    private static let keys = JSONKeys(["criterion", "curve", "limit"], required: ["criterion", "curve"])
    private static let candidateKeys = JSONKeys(["k", "inertia", "score"])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (criterion, candidates, limit): (String, [Candidate], Int?) = ("", [], nil)
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: criterion = try reader.string()
            case 2: limit = try reader.count()
            default:
                candidates = try reader.list { reader throws(KinError) in
                    var (k, inertia, score) = (0, 0.0, 0.0)
                    try reader.members(of: Self.candidateKeys) { reader, key throws(KinError) in
                        switch key {
                        case 0: k = try reader.count()
                        case 1: inertia = try reader.number()
                        default: score = try reader.number()
                        }
                    }
                    return Candidate(k: k, inertia: inertia, score: score)
                }
            }
        }
        self.init(criterion: criterion, candidates: candidates, limit: limit)
    }
}

extension CategorySummary {
    private static let keys = JSONKeys([
        "category", "objects", "images", "emotional_valence", "calming_score", "therapeutic_focus",
    ])

    fileprivate init(from reader: inout JSONReader) throws(KinError) {
        var (category, objects, images): (String, Int, Int) = ("", 0, 0)
        var (valence, calming): (Double?, Double?) = (nil, nil)
        var focus = GoalValues()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: category = try reader.string()
            case 1: objects = try reader.count()
            case 2: images = try reader.count()
            case 3: valence = try reader.takesNull() ? nil : reader.number()
            case 4: calming = try reader.takesNull() ? nil : reader.number()
            default: focus = try GoalValues(from: &reader)
            }
        }
        self.init(
            category: category, objects: objects, images: images, valence: valence, calming: calming, focus: focus)
    }
}

extension ImageCluster {
    private static let required = [
        "id", "name", "size", "inertia_share", "medoid_images", "top_categories", "therapeutic_focus", "mood",
        "centroid",
    ]
    private static let keys = JSONKeys(required + ["catch_all"], required: required)
    private static let shareKeys = JSONKeys(["category", "share", "lift"])

    fileprivate init(from reader: inout JSONReader, number: Int, centres: inout [[Float]]) throws(KinError) {
        var (name, size, inertiaShare): (String, Int, Double) = ("", 0, 0)
        var (medoids, mood): ([String], String?) = ([], nil)
        var top: [CategoryShare] = []
        var focus = GoalValues()
        var (centre, isCatchAll): ([Float], Bool) = ([], false)
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0:
                guard try reader.count() == number else { throw reader.error("clusters are numbered from 0 in order") }
            case 1: name = try reader.string()
            case 2: size = try reader.count()
            case 3: inertiaShare = try reader.number()
            case 4: medoids = try reader.strings()
            case 5:
                top = try reader.list { reader throws(KinError) in
                    var (category, share, lift) = ("", 0.0, 0.0)
                    try reader.members(of: Self.shareKeys) { reader, key throws(KinError) in
                        switch key {
                        case 0: category = try reader.string()
                        case 1: share = try reader.share()
                        default: lift = try reader.number()
                        }
                    }
                    return CategoryShare(category: category, share: share, lift: lift)
                }
            case 6: focus = try GoalValues(from: &reader)
            case 7: mood = try reader.optionalString()
            case 9: isCatchAll = try reader.boolean()
            default: centre = try reader.vector()
            }
        }
        centres.append(centre)
        self.init(
            id: number, name: name, size: size, inertiaShare: inertiaShare, medoids: medoids, topCategories: top,
            focus: focus, mood: mood, isCatchAll: isCatchAll)
    }
}
