/// The methods of images, clusters and worlds.
enum RealmMethods {
    static let group = MethodGroup(
        title: "Images and worlds",
        prose: """
            The images are those of the store, added with `put` and `import` as `{"image": analysis}` or as bare analyses. A caller that stores an answer of
            `cluster` passes its `clusters` and `realm_index` to the other methods. Without them, the methods use the store's images, which are clustered
            again after each change: one more image can change most zones. If zones must last, store the world and pass it to `place`, or store an answer of
            `cluster` and add images with `insert_image`. `Sources/Domains/KinRealms/FORMAT.md` describes analyses, clusters, realm index and worlds.
            """,
        methods: [cluster, categories, world, place, insertImage, rankImages, matchScenes, dominantColours])

    private static let cluster = EngineMethod(
        "cluster", "Clusters images by their contents.",
        Parameter<[String]?>(
            "analyses", .list("analysis") { reader throws(KinError) in try reader.verbatim() },
            "Analyses with `image_id`. Default: the store's images."),
        Parameter<Int?>(
            "k", .integer(1...ParameterRange.mostResults), "The number of clusters. Default: chosen by `criterion`."),
        Parameter<UInt64>.seed(default: 0),
        Parameter<Int?>(
            "restarts", .integer(1...1000), "The number of starts. Default: 12; fewer for over 5,000 images."),
        Parameter<KMeans.Criterion>(
            "criterion",
            .words([.silhouette, .gap()], ["silhouette", "gap"]), default: .silhouette, "The criterion that chooses k.")
    ) { engine, analyses, k, seed, restarts, criterion throws(KinError) in
        var options = ClusterOptions(criterion: criterion)
        options.k = k.map { .exactly($0) } ?? options.k
        options.seed = seed
        options.restarts = restarts
        guard let analyses else {
            let library = try engine.realmLibrary(options)
            return ClusteringAnswer(library: library, report: AnalysisReport(library))
        }
        var reader = ImageCollectionReader(keepsAnalyses: true)
        for (number, line) in analyses.enumerated() {
            reader.read(Array(line.utf8), image: nil, file: "analyses[\(number)]")
        }
        try reader.checkContents()
        // By id, as in the store: the order of the images has an effect on the clusters.
        var collection = ImageCollection()
        for analysis in reader.analyses.sorted(by: { $0.id < $1.id }) { try collection.append(analysis) }
        return ClusteringAnswer(
            library: RealmLibrary(of: try ClusteredImages(collection, options: options)), report: reader.report)
    }

    private static let categories = EngineMethod(
        "categories", "Counts the categories of the objects in the store's images."
    ) { engine throws(KinError) in try engine.store.categories() }

    private static let world = EngineMethod(
        "world", "Generates a world from images.",
        answer:
            """
            a world, whose objects have box, confidence and scores; `theme_is_known` is false if the theme had no effect. With `universe_id`, the \
            app's result instead: `success`, `universeId`, `realmsCreated`, `zonesCreated`, `scenesIncorporated` and `objectsDetected`; the same \
            request without the id returns the world itself
            """,
        library,
        Parameter<String>("name", .text, "The name of the world."),
        Parameter<String>("theme", .text, default: "", "A theme, in words."),
        Parameter<String>("creator", .text, default: "", "The creator's name."),
        Parameter<[TherapeuticGoal]>("goals", goals, default: [], goalsHelp),
        Parameter<Int>("minutes", .integer(1...1440), default: 20, "The length of a visit in minutes."),
        Parameter<Bool>("collaborative", .boolean, default: false, "Whether several people share it."),
        Parameter<Int?>(
            "realms", .integer(1...1000), "The number of realms. Default: one per seven minutes, at most five."),
        Parameter<UInt64>.seed(default: 0),
        Parameter<String?>(
            "universe_id", .text, "The id of the world in Serenity Soother, to answer in that app's format.")
    ) {
        engine, library, name, theme, creator, goals, minutes, isCollaborative, realms, seed, universe
            throws(KinError) in
        var request = WorldRequest(name: name, theme: theme, creator: creator, goals: goals, minutes: minutes)
        request.isCollaborative = isCollaborative
        request.realms = realms
        request.seed = seed
        let world = try engine.library(library).world(request)
        return universe.map { .shaped(WorldGenerationResult(universeID: $0, world: world)) }
            ?? ShapedAnswer.plain(world)
    }

    private static let place = EngineMethod(
        "place", "Places an image among realms, clusters and a world's zones.",
        library, analysis,
        Parameter<RealmWorld?>("world", .world, "The world whose zones to choose from.")
    ) { engine, library, analysis, world throws(KinError) in
        try engine.library(library).place(analysis, in: world)
    }

    private static let insertImage = EngineMethod(
        "insert_image", "Adds an image to the given clusters and realm index.",
        answer: "`placement`, as `place` answers; `clusters` and `realm_index` with the image in them", library,
        analysis
    ) { engine, library, analysis throws(KinError) in
        guard var library else {
            throw KinError(
                .invalidArgument,
                "the parameters \"clusters\" and \"realm_index\" are missing; `put` adds to the store's images")
        }
        let placement = try library.insert(analysis)
        return JSONText(
            "{\"placement\":\(placement.json),\"clusters\":\(library.clusters.json),\"realm_index\":\(library.index.json)}"
        )
    }

    private static let rankImages = EngineMethod(
        "rank_images", "Ranks images for one or more therapeutic goals, by the values of image, objects and cluster.",
        Parameter<RealmIndex?>(
            "realm_index", .realmIndex, "The realm index. Default: the index of the store's images."),
        Parameter<[TherapeuticGoal]>("goals", goals, goalsHelp),
        Parameter<Int>("k", .count, default: 10, "The number of images."),
        Parameter<ListVariety>.variety(of: "image", category: "realm")
    ) { engine, index, goals, k, variety throws(KinError) in
        try TherapeuticGoal.require(goals)
        if let index { return index.images(for: goals, count: k, variety: variety) }
        return try engine.rankImages(for: goals, k: k, variety: variety)
    }

    private static let matchScenes = EngineMethod(
        "match_scenes", "Finds the scenes nearest to a vector, by the cosine distance.",
        answer: "list of scenes, nearest first",
        Parameter<[SceneVector]>(
            "scenes", .list("scene", SceneVector.form.read), default: [],
            "The scenes, each with `id` and `vector`, all of one dimension."),
        Parameter<[Float]>("vector", .list("number", SceneVector.number), "The vector to compare with."),
        Parameter<Int>("k", .count, default: 5, "The number of scenes.")
    ) { _, scenes, vector, k throws(KinError) in
        guard !vector.isEmpty else { throw KinError(.invalidArgument, "the vector has no numbers") }
        if let stranger = scenes.first(where: { $0.vector.count != vector.count }) {
            throw KinError(
                .dimensionMismatch,
                "its vector has \(stranger.vector.count) numbers, the one to compare with \(vector.count)"
            ).within("scene", stranger.id)
        }
        var taken = Set<String>()
        if let twice = scenes.first(where: { !taken.insert($0.id).inserted }) {
            throw KinError(.duplicateID, "the scene appears twice").within("scene", twice.id)
        }
        var index = VectorIndex(dimension: vector.count, metric: .cosine, layout: .flat)
        for (number, scene) in scenes.enumerated() {
            do throws(KinError) { try index.upsert(scene.vector, id: VectorID(UInt64(number))) } catch {
                throw error.without(["row"]).within("scene", scene.id)
            }
        }
        return try index.search(vector, k: k).map {
            SceneMatch(scene: scenes[Int($0.id.rawValue)].id, distance: $0.distance)
        }
    }

    private static let dominantColours = EngineMethod(
        "dominant_colours", "Finds the dominant colours of pixels, by k-means in CIELAB.",
        answer: "list of colours, by descending share",
        Parameter<[UInt8]>(
            "pixels",
            ParameterForm(.list("number")) { reader throws(KinError) in
                var bytes: [UInt8] = []
                try readPixels(&reader, into: &bytes, isNested: false)
                return bytes
            },
            """
            Red, green and blue of each pixel in turn, 0 to 255: a flat list, or nested lists of pixels with 3 or 4 numbers, of which the fourth is \
            ignored. Example: an array of shape (height, width, 4).
            """),
        Parameter<Int>("k", .integer(1...256), default: 5, "The number of colours."),
        Parameter<UInt64>.seed(default: 0)
    ) { _, pixels, k, seed throws(KinError) in try DominantColours(count: k, seed: seed).find(in: pixels) }

    /// Reads a list of numbers, or of lists; a nested list of numbers is one pixel.
    private static func readPixels(
        _ reader: inout JSONReader, into bytes: inout [UInt8], isNested: Bool
    ) throws(KinError) {
        let (start, first) = (reader, bytes.count)
        var isPixel = isNested
        try reader.array { reader throws(KinError) in
            if reader.isAtArray() {
                isPixel = false
                try readPixels(&reader, into: &bytes, isNested: true)
            } else {
                bytes.append(UInt8(try ParameterRange.integer(&reader, in: 0...255)))
            }
        }
        guard isPixel else { return }
        guard (3...4).contains(bytes.count - first) else {
            throw start.error("a pixel has 3 or 4 numbers, not \(bytes.count - first)", code: .invalidArgument)
        }
        bytes.removeLast(bytes.count - first - 3)
    }

    // MARK: Parameters

    /// The library from the parameters `clusters` and `realm_index`; nil if both are missing.
    private static let library = Parameter<RealmLibrary?>.combining(
        Parameter<RealmClusters?>(
            "clusters",
            .object("clusters") { reader throws(KinError) in try RealmClusters(json: reader.verbatim()) },
            "The clusters. Default: the clusters of the store's images."),
        Parameter<RealmIndex?>("realm_index", .realmIndex, "The realm index of `clusters`.")
    ) { clusters, index throws(KinError) in
        switch (clusters, index) {
        case (let clusters?, let index?): return try RealmLibrary(clusters: clusters, index: index)
        case (nil, nil): return nil
        default:
            throw KinError(.invalidArgument, "\"clusters\" and \"realm_index\" belong together; one of them is missing")
        }
    }

    private static let analysis = Parameter<ImageAnalysis>(
        "analysis", .object("analysis", ImageAnalysis.init(from:)), "The analysis of an image.")

    private static let goals = ParameterForm<[TherapeuticGoal]>(.list("goal")) { reader throws(KinError) in
        guard reader.isAtArray() else { return [try TherapeuticGoal(named: reader.string())] }
        return try reader.list { reader throws(KinError) in try TherapeuticGoal(named: reader.string()) }
    }
    private static let goalsHelp =
        "The therapeutic goals: \(TherapeuticGoal.allCases.map(\.name).joined(separator: ", "))."
}

extension ParameterForm<RealmWorld> {
    static let world = object("world") { reader throws(KinError) in try RealmWorld(json: reader.verbatim()) }
}

extension ParameterForm<RealmIndex> {
    fileprivate static let realmIndex = object("realm index") { reader throws(KinError) in
        try RealmIndex(json: reader.verbatim())
    }
}

extension Engine {
    /// A given library, or the library of the store's images.
    fileprivate func library(_ given: RealmLibrary?) throws(KinError) -> RealmLibrary {
        if let given { return given }
        return try realmLibrary()
    }
}

/// A scene with its vector.
private struct SceneVector: Sendable {
    let id: String
    let vector: [Float]

    static let form = RecordSchema<SceneVector>(
        "scene",
        .required("id", \.id, .text),
        .required("vector", \.vector, .list(of: JSONForm("number", read: number) { $1.number($0) })),
        make: SceneVector.init(id:vector:))

    static func number(_ reader: inout JSONReader) throws(KinError) -> Float { Float(try reader.number()) }
}

/// The library of clustered images, with the report of their analyses.
package struct ClusteringAnswer: Sendable, DeclaredObject {
    package let library: RealmLibrary
    package let report: AnalysisReport

    package static let schema = ObjectSchema<ClusteringAnswer>(
        .field("clusters", \.library.clusters),
        .field("realm_index", { JSONText($0.library.index.json) }),
        .field("k_is_at_end", \.library.clusters.isChoiceAtEnd, "k was chosen and is the largest k tried"),
        .field(
            "k_reason", \.library.clusters.choiceReason,
            "how k was chosen, and why no larger k was tried; null if k was given"),
        .field("report", \.report))
}

extension AnalysisReport: DeclaredObject {
    package static let schema = ObjectSchema<AnalysisReport>(
        .field("images", \.images),
        .field("broken_images", \.brokenImages),
        .field("objects", \.objects),
        .field("refused_objects", \.refusedObjects),
        .field("refused_values", \.refusedValues),
        .field("unknown_keys", { Members($0.unknownKeys) }, "the number of each, by name"),
        .field("problems", { $0.problems.map(\.description) }))
}

extension CategorySummary: DeclaredObject {
    package static let schema = ObjectSchema<CategorySummary>(
        .field("category", \.category),
        .field("objects", \.objects, "the number of objects"),
        .field("images", \.images, "the number of images"),
        .field("emotional_valence", \.valence),
        .field("calming_score", \.calming),
        .members("therapeutic_focus", \.goals, by: "goal"))

    private var goals: [(name: String, value: Float)] { TherapeuticGoal.allCases.map { ($0.name, focus[$0]) } }
}

extension RealmIndex.RankedImage: DeclaredObject {
    package static let schema = ObjectSchema<RealmIndex.RankedImage>(
        .field("image", \.id),
        .field("score", \.score))
}

/// A scene with the cosine distance of its vector, 0…2.
private struct SceneMatch: Sendable, DeclaredObject {
    let scene: String
    let distance: Double

    static let schema = ObjectSchema<SceneMatch>(
        .field("scene", \.scene),
        .field("distance", \.distance))
}

extension DominantColour: DeclaredObject {
    package static let schema = ObjectSchema<DominantColour>(
        .field("hex", \.hex),
        .field("red", { Int($0.red) }, "0 to 255"),
        .field("green", { Int($0.green) }, "0 to 255"),
        .field("blue", { Int($0.blue) }, "0 to 255"),
        .field("share", \.share))
}
