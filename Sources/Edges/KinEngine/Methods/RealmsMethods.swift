import KinClustering
import KinCore
import KinJSON
import KinRealms
import KinStore

/// The methods of images, clusters and worlds; a library is passed as the contents of its two files.
enum RealmsMethods {
    static let all = [cluster, world, place, absorb, rankImages]

    private static let cluster = EngineMethod("cluster") { call, request throws(KinError) in
        let given = try request.optionalList("analyses") { reader throws(KinError) in try reader.verbatim() }
        var options = ClusterOptions()
        if let k = try request.integer("k", in: 1...EngineRequest.mostResults) { options.k = .exactly(k) }
        options.seed = try request.seed(default: 0)
        options.restarts = try request.integer("restarts", in: 1...1000)
        try request.finish()
        var reader = ImageCollectionReader()
        for (number, line) in (given ?? []).enumerated() {
            reader.read(Array(line.utf8), image: nil, file: "analyses[\(number)]")
        }
        let collection = given == nil ? try call.store.imageCollection() : reader.collection
        let library = RealmLibrary(of: try ClusteredImages(collection, options: options))
        var writer = JSONWriter()
        writer.object { writer in
            write(library, to: &writer)
            writer.member("k_is_at_end") { $0.boolean(library.clusters.isChoiceAtEnd) }
            writer.member("report") { write(reader.report, to: &$0) }
        }
        return writer.text
    }

    private static let world = EngineMethod("world") { _, request throws(KinError) in
        let library = try request.library()
        var wish = WorldRequest(name: try request.string("name"))
        wish.theme = try request.optionalString("theme") ?? ""
        wish.creator = try request.optionalString("creator") ?? ""
        wish.goals = try request.goals()
        wish.minutes = try request.integer("minutes", in: 1...1440) ?? wish.minutes
        wish.isCollaborative = try request.boolean("collaborative")
        wish.realms = try request.integer("realms", in: 1...1000)
        wish.seed = try request.seed(default: 0)
        try request.finish()
        return try library.world(wish).json
    }

    private static let place = EngineMethod("place") { _, request throws(KinError) in
        let (library, analysis) = (try request.library(), try request.analysis())
        let world = try request.optional("world") { reader throws(KinError) in try RealmWorld(json: reader.verbatim()) }
        try request.finish()
        return try library.place(analysis, in: world).json
    }

    private static let absorb = EngineMethod("absorb") { _, request throws(KinError) in
        var library = try request.library()
        let analysis = try request.analysis()
        try request.finish()
        let placement = try library.insert(analysis)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("placement") { $0.raw(placement.json) }
            write(library, to: &writer)
        }
        return writer.text
    }

    private static let rankImages = EngineMethod("rank_images") { _, request throws(KinError) in
        let index = try request.required("realm_index") { reader throws(KinError) in
            try RealmIndex(json: reader.verbatim())
        }
        let (goals, k) = (try request.goals(), try request.count("k", default: 10))
        try request.finish()
        var writer = JSONWriter()
        writer.array(index.images(for: goals, count: k)) { image, writer in
            writer.object { writer in
                writer.member("image") { $0.string(image.id) }
                writer.member("score") { $0.number(image.score) }
            }
        }
        return writer.text
    }

    private static func write(_ library: RealmLibrary, to writer: inout JSONWriter) {
        writer.member("clusters") { $0.raw(library.clusters.json) }
        writer.member("realm_index") { $0.raw(library.index.json) }
    }

    private static func write(_ report: AnalysisReport, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("images") { $0.integer(report.images) }
            writer.member("broken_images") { $0.integer(report.brokenImages) }
            writer.member("objects") { $0.integer(report.objects) }
            writer.member("refused_objects") { $0.integer(report.refusedObjects) }
            writer.member("refused_values") { $0.integer(report.refusedValues) }
            writer.member("problems") { $0.array(report.problems.map(\.description)) }
        }
    }
}

extension EngineRequest {
    /// Reads the library from the parameters `clusters` and `realm_index`.
    fileprivate mutating func library() throws(KinError) -> RealmLibrary {
        let clusters = try required("clusters") { reader throws(KinError) in try RealmClusters(json: reader.verbatim())
        }
        let index = try required("realm_index") { reader throws(KinError) in try RealmIndex(json: reader.verbatim()) }
        return try RealmLibrary(clusters: clusters, index: index)
    }

    fileprivate mutating func analysis() throws(KinError) -> ImageAnalysis {
        try required("analysis") { reader throws(KinError) in try ImageAnalysis(from: &reader) }
    }

    fileprivate mutating func goals() throws(KinError) -> [TherapeuticGoal] {
        try optionalList("goals") { reader throws(KinError) in try TherapeuticGoal(named: reader.string()) } ?? []
    }
}
