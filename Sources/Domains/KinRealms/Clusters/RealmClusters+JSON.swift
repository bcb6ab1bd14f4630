extension RealmClusters: DeclaredRecord {
    private static let format = "kin clusters"

    package static let form: RecordSchema<RealmClusters> = RecordSchema(
        "clusters",
        .constant("format", format, .format(format)),
        .constant("version", 1, .version()),
        .required("recipe", \.recipe, .object),
        .required("seed", \.seed, .seed),
        .required("images", \.imageCount, .count),
        .required("objects", \.objectCount, .count),
        .required("k", \.clusters.count, .count),
        .required("inertia", \.inertia, .number()),
        .required("silhouette", \.silhouette, .nullable(.number())),
        .required("choice", \.choice, .nullable(.object)),
        .required("categories", \.categories, .list(of: JSONForm(CategorySummary.form))),
        .required("clusters", \.centredClusters, .list(of: .object))
    ) {
        (
            _: String, _: Int, recipe: FeatureRecipe, seed: UInt64, images: Int, objects: Int, k: Int, inertia: Double,
            silhouette: Double?, choice: Choice?, categories: [CategorySummary], clusters: [CentredCluster]
        ) throws(KinError) -> RealmClusters in
        guard k == clusters.count, k > 0 else {
            throw .field("k", "k is \(k), and there are \(clusters.count) clusters", .malformedInput)
        }
        for (number, cluster) in clusters.enumerated() {
            func error(_ message: String, _ field: String) -> KinError {
                KinError(.malformedInput, message).within("field", "clusters[\(number)].\(field)")
            }
            guard cluster.cluster.id == number else { throw error("clusters are numbered from 0 in order", "id") }
            guard cluster.centroid.count == recipe.dimension else {
                throw error(
                    "it has \(cluster.centroid.count) numbers, the recipe \(recipe.dimension) dimensions", "centroid")
            }
        }
        return RealmClusters(
            recipe: recipe, seed: seed, imageCount: images, objectCount: objects, inertia: inertia,
            silhouette: silhouette, choice: choice, categories: categories, clusters: clusters.map(\.cluster),
            centroids: try Matrix(rows: clusters.map(\.centroid)))
    }

    private var centredClusters: [CentredCluster] {
        clusters.map { CentredCluster(cluster: $0, centroid: Array(centroids.row($0.id))) }
    }

    /// Reads the contents of `clusters.json`.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming field, line and column; `.unsupportedFormat` for a
    ///   different format or version.
    public init(json: String) throws(KinError) { self = try Self.form.read(text: json) }

    /// The contents of `clusters.json`, on one line, in the format of `FORMAT.md`.
    public var json: String { jsonText }
}

extension FeatureRecipe: DeclaredRecord {
    package static let form = RecordSchema<FeatureRecipe>(
        "recipe",
        .constant("version", version, .version()),
        .required("categories", \.categories, .texts),
        .required("weights", \.weights, JSONForm(weights)),
        .required("mean_color", \.meanColour, .nullable(.coordinates))
    ) { (_: Int, categories: [String], weights: FeatureWeights, mean: CIELAB?) throws(KinError) in
        guard Set(categories).count == categories.count, categories.count <= vocabularyLimit else {
            throw .field("categories", "there are at most \(vocabularyLimit) categories, each once", .malformedInput)
        }
        return FeatureRecipe(categories: categories, weights: weights, meanColour: mean)
    }

    private static let weights = RecordSchema<FeatureWeights>(
        "weights",
        .required("histogram", \.histogram, .weight),
        .required("values", \.values, .weight),
        .required("affect", \.affect, .weight),
        .required("mood", \.mood, .weight),
        .required("colour", \.colour, .weight),
        make: FeatureWeights.init(histogram:values:affect:mood:colour:))
}

extension JSONForm<Float> {
    /// The weight of a kind of features.
    fileprivate static let weight = JSONForm(
        "number, 0 or more",
        read: { reader throws(KinError) in
            let weight = try reader.float()
            guard weight >= 0 else { throw reader.error("a weight is not negative", code: .invalidArgument) }
            return weight
        }, write: { $1.number($0) })
}

extension JSONForm<CIELAB> {
    /// The three coordinates of a colour.
    fileprivate static let coordinates = JSONForm(
        "list of three numbers",
        read: { reader throws(KinError) in
            let values = try reader.list { reader throws(KinError) in try reader.number() }
            guard values.count == 3 else { throw reader.error("a colour has three coordinates") }
            return CIELAB(lightness: values[0], a: values[1], b: values[2])
        }, write: { lab, writer in writer.array([lab.lightness, lab.a, lab.b]) { $1.number($0) } })
}

extension RealmClusters.Choice: DeclaredRecord {
    package static let form = RecordSchema<RealmClusters.Choice>(
        "choice",
        .required("criterion", \.criterion, .text),
        .optional("limit", \.limit, .count),
        .standard("without_objects", \.withoutObjects, .count, default: 0, writesDefault: false),
        .required("curve", \.candidates, .list(of: JSONForm(candidate)))
    ) { (criterion: String, limit: Int?, withoutObjects: Int, candidates: [Candidate]) in
        RealmClusters.Choice(
            criterion: criterion, candidates: candidates, limit: limit, withoutObjects: withoutObjects)
    }

    private static let candidate = RecordSchema<Candidate>(
        "candidate",
        .required("k", \.k, .count),
        .required("inertia", \.inertia, .number()),
        .required("score", \.score, .number()),
        make: Candidate.init(k:inertia:score:))
}

extension CategorySummary {
    fileprivate static let form = RecordSchema<CategorySummary>(
        "category",
        .required("category", \.category, .text),
        .required("objects", \.objects, .count),
        .required("images", \.images, .count),
        .required("emotional_valence", \.valence, .nullable(.number())),
        .required("calming_score", \.calming, .nullable(.number())),
        .required("therapeutic_focus", \.focus, .object),
        make: CategorySummary.init(category:objects:images:valence:calming:focus:))
}

/// A cluster with its centroid.
private struct CentredCluster: DeclaredRecord {
    let cluster: ImageCluster
    let centroid: [Float]

    static let form = RecordSchema<CentredCluster>(
        "cluster",
        .required("id", \.cluster.id, .count),
        .required("name", \.cluster.name, .text),
        .required("size", \.cluster.size, .count),
        .required("inertia_share", \.cluster.inertiaShare, .number()),
        .required("medoid_images", \.cluster.medoids, .texts),
        .required("top_categories", \.cluster.topCategories, .list(of: JSONForm(share))),
        .required("therapeutic_focus", \.cluster.focus, .object),
        .required("mood", \.cluster.mood, .nullable(.text)),
        .standard("catch_all", \.cluster.isCatchAll, .boolean, default: false, writesDefault: false),
        .required("centroid", \.centroid, .vector)
    ) {
        (
            id: Int, name: String, size: Int, inertiaShare: Double, medoids: [String],
            top: [ImageCluster.CategoryShare], focus: GoalValues, mood: String?, isCatchAll: Bool, centroid: [Float]
        ) in
        CentredCluster(
            cluster: ImageCluster(
                id: id, name: name, size: size, inertiaShare: inertiaShare, medoids: medoids, topCategories: top,
                focus: focus, mood: mood, isCatchAll: isCatchAll), centroid: centroid)
    }

    private static let share = RecordSchema<ImageCluster.CategoryShare>(
        "category",
        .required("category", \.category, .text),
        .required("share", \.share, .share),
        .required("lift", \.lift, .number()),
        make: ImageCluster.CategoryShare.init(category:share:lift:))
}
