/// The ranking of realms and zones for an image, with reasons.
public struct ImagePlacement: Sendable, Hashable {
    /// The fit of the image with a realm.
    public struct RealmFit: Sendable, Hashable {
        /// The type of the realm.
        public let realm: String
        /// The score, defined in ``RealmIndex``.
        public let score: Double
        /// The suggestion part: 1 for the first suggestion of the model that the index or world has, ½ for the second and
        /// so on, 0 without a suggestion.
        public let suggestion: Double
        /// The share of the realm by nearness to the realms' centres, 0…1.
        public let resemblance: Double
        /// The distance to the realm's centre.
        public let distance: Double
    }

    /// The fit of the image with a zone of its realm.
    public struct ZoneFit: Sendable, Hashable {
        /// The id of the zone; nil without a world, when the realm's clusters are ranked instead.
        public let zone: String?
        /// The cluster of the zone.
        public let cluster: Int
        /// The name of the cluster.
        public let name: String
        /// The share by nearness among the realm's zones, 0…1.
        public let score: Double
        /// The distance to the cluster's centroid.
        public let distance: Double
    }

    /// The id of the image.
    public let image: String
    /// The values of the image for the goals.
    public let values: GoalValues
    /// The realms by descending score.
    public let realms: [RealmFit]
    /// The zones of the best realm, by ascending distance.
    public let zones: [ZoneFit]
    /// The contents of the best realm, and its value for goals.
    public let contents: RealmContents
    /// The reasons for the ranking, as sentences made from the numbers.
    public let reasons: [String]

    /// The realm with the highest score.
    public var realm: RealmFit { realms[0] }
    /// The nearest zone of the best realm.
    public var zone: ZoneFit { zones[0] }
}

extension RealmLibrary {
    /// Finds the realm and zone that an image fits best.
    ///
    /// - Parameters:
    ///   - analysis: The analysis of the image.
    ///   - world: The world with the zones to rank; nil for all realms of the index, with clusters as zones.
    /// - Throws: `.invalidArgument` without realms, or for a world with realms or clusters that the index does not
    ///   have.
    /// - Complexity: O((realms + clusters) · dimension + images of the realm).
    public func place(_ analysis: ImageAnalysis, in world: RealmWorld? = nil) throws(KinError) -> ImagePlacement {
        let vector = clusters.recipe.vector(of: analysis)
        let candidates = try candidates(in: world)
        let distances = candidates.map { squaredDistance(vector, index.realms[$0.realm].centre) }
        let types = candidates.map { index.realms[$0.realm].type }
        let suggestions = analysis.realmTypes.compactMap { index.number(of: $0) }
            .compactMap { number in candidates.firstIndex { $0.realm == number } }
        let scores = RealmIndex.scores(distances, suggestions: suggestions, index.temperature)
        let order = scores.indices.sorted { (scores[$1].score, types[$0]) < (scores[$0].score, types[$1]) }
        let fits = order.map {
            ImagePlacement.RealmFit(
                realm: types[$0], score: scores[$0].score, suggestion: scores[$0].suggestion,
                resemblance: scores[$0].resemblance, distance: rounded(distances[$0].squareRoot()))
        }
        let zones = zoneFits(vector, candidates[order[0]].zones)
        let contents = contents(of: index.realms[candidates[order[0]].realm])
        let reasons = PlacementReasons(
            library: self, analysis: analysis, vector: vector, realms: fits, zones: zones, contents: contents)
        return ImagePlacement(
            image: analysis.id, values: analysis.values, realms: fits, zones: zones, contents: contents,
            reasons: reasons.sentences)
    }

    /// A candidate realm for the image, and its zones.
    private struct Candidate {
        let realm: Int
        let zones: [(id: String?, cluster: Int)]
    }

    private func candidates(in world: RealmWorld?) throws(KinError) -> [Candidate] {
        if let world {
            return try world.realms.map { realm throws(KinError) in
                guard let number = index.number(of: realm.type) else {
                    throw KinError(
                        .invalidArgument,
                        "the world has a realm \(realm.type), the index has none; give the world's own index")
                }
                if let zone = realm.zones.first(where: { $0.cluster >= clusters.clusters.count }) {
                    throw KinError(
                        .invalidArgument,
                        "zone \(zone.id) is of cluster \(zone.cluster), which is missing; give the world's own index")
                }
                return Candidate(realm: number, zones: realm.zones.map { ($0.id, $0.cluster) })
            }
        }
        let candidates = index.realms.indices.map { realm in
            let clusters = Set(index.realms[realm].entries.map { index.images[$0.image].cluster }).sorted()
            return Candidate(realm: realm, zones: clusters.map { (nil, $0) })
        }.filter { !$0.zones.isEmpty }
        guard !candidates.isEmpty else {
            throw KinError(.invalidArgument, "the index has no realms to place an image in")
        }
        return candidates
    }

    private func zoneFits(_ vector: [Float], _ zones: [(id: String?, cluster: Int)]) -> [ImagePlacement.ZoneFit] {
        let distances = zones.map { squaredDistance(vector, clusters.centroids.row($0.cluster)) }
        let shares = RealmScoring.shares(distances, temperature: index.temperature)
        return zones.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.map {
            ImagePlacement.ZoneFit(
                zone: zones[$0].id, cluster: zones[$0].cluster, name: clusters.clusters[zones[$0].cluster].name,
                score: rounded(shares[$0]), distance: rounded(distances[$0].squareRoot()))
        }
    }
}

extension ImagePlacement: DeclaredObject {
    /// The placement as a JSON object, on one line; `zone` is the id of the zone, else the name of its cluster.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<ImagePlacement>(
        .field("image", \.image),
        .field("therapeutic_value", \.values, "of the image"),
        .field("realm", \.realm.realm),
        .field("score", \.realm.score),
        .field("zone", { $0.zone.zone ?? $0.zone.name }, "its id; without a world, the name of its cluster"),
        .field("reasons", \.reasons, "sentences"),
        .field("contents", \.contents, "of the realm"),
        .field("realms", \.realms, "by descending score"),
        .field("zones", \.zones, "of the realm, nearest first"))
}

extension ImagePlacement.RealmFit: DeclaredObject {
    package static let schema = ObjectSchema<ImagePlacement.RealmFit>(
        .field("realm", \.realm),
        .field("score", \.score),
        .field(
            "suggestion", \.suggestion,
            "1 for the best suggestion that the index or world has, 1/2 for the next and so on"),
        .field("resemblance", \.resemblance, "0 to 1"),
        .field("distance", \.distance, "to the realm's centre"))
}

extension ImagePlacement.ZoneFit: DeclaredObject {
    package static let schema = ObjectSchema<ImagePlacement.ZoneFit>(
        .field("zone", \.zone),
        .field("cluster", \.cluster),
        .field("name", \.name),
        .field("score", \.score, "0 to 1"),
        .field("distance", \.distance, "to the cluster's centroid"))
}
