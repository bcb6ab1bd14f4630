package import KinJSON
import KinLinearAlgebra

extension RealmClusters {
    static let format = "kin clusters"

    /// The contents of `clusters.json`, on one line, in the format of `FORMAT.md`.
    public var json: String {
        JSONWriter.object { writer in
            writer.member("format", Self.format)
            writer.member("version", 1)
            writer.member("recipe", recipe)
            writer.member("seed", seed)
            writer.member("images", imageCount)
            writer.member("objects", objectCount)
            writer.member("k", clusters.count)
            writer.member("inertia", inertia)
            writer.member("silhouette", silhouette)
            writer.member("choice", choice)
            writer.member("categories") { $0.array(categories) { $0.write(to: &$1) } }
            writer.member("clusters") { $0.array(clusters) { $0.write(to: &$1, centre: centroids.row($0.id)) } }
        }
    }
}

extension JSONWriter {
    /// Writes an array of floats.
    mutating func vector(_ values: some Sequence<Float>) {
        array(values) { $1.number($0) }
    }
}

extension FeatureRecipe: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("version", Self.version)
        writer.member("categories", categories)
        writer.object("weights") { writer in
            for (name, weight) in zip(FeatureWeights.names, weights.list) {
                writer.member(name, weight)
            }
        }
        writer.member("mean_color") { writer in
            guard let mean = meanColour else { return writer.null() }
            writer.array([mean.lightness, mean.a, mean.b]) { $1.number($0) }
        }
    }
}

extension RealmClusters.Choice: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("criterion", criterion)
        if let limit { writer.member("limit", limit) }
        writer.objects("curve", candidates) { candidate, writer in
            writer.member("k", candidate.k)
            writer.member("inertia", candidate.inertia)
            writer.member("score", candidate.score)
        }
    }
}

extension CategorySummary {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("category", category)
            writer.member("objects", objects)
            writer.member("images", images)
            writer.member("emotional_valence", valence)
            writer.member("calming_score", calming)
            writer.member("therapeutic_focus", focus)
        }
    }
}

extension ImageCluster {
    fileprivate func write(to writer: inout JSONWriter, centre: ArraySlice<Float>) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("name", name)
            writer.member("size", size)
            writer.member("inertia_share", inertiaShare)
            writer.member("medoid_images", medoids)
            writer.objects("top_categories", topCategories) { top, writer in
                writer.member("category", top.category)
                writer.member("share", top.share)
                writer.member("lift", top.lift)
            }
            writer.member("therapeutic_focus", focus)
            writer.member("mood", mood)
            if isCatchAll { writer.member("catch_all", true) }
            writer.member("centroid") { $0.vector(centre) }
        }
    }
}
