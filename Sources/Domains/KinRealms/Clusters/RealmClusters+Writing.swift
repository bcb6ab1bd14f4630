import KinJSON
import KinLinearAlgebra

extension RealmClusters {
    static let format = "kin clusters"

    /// The contents of `clusters.json`, on one line, in the format of `FORMAT.md`.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format") { $0.string(Self.format) }
            writer.member("version") { $0.integer(1) }
            writer.member("recipe") { recipe.write(to: &$0) }
            writer.member("seed") { $0.integer(seed) }
            writer.member("images") { $0.integer(imageCount) }
            writer.member("objects") { $0.integer(objectCount) }
            writer.member("k") { $0.integer(clusters.count) }
            writer.member("inertia") { $0.number(inertia) }
            writer.member("silhouette") { $0.number(silhouette) }
            writer.member("choice") { writer in
                if let choice { choice.write(to: &writer) } else { writer.null() }
            }
            writer.member("categories") { $0.array(categories) { $0.write(to: &$1) } }
            writer.member("clusters") { $0.array(clusters) { $0.write(to: &$1, centre: centroids.row($0.id)) } }
        }
        return writer.text
    }
}

extension JSONWriter {
    /// Writes an array of floats.
    mutating func vector(_ values: some Sequence<Float>) {
        array(values) { $1.number($0) }
    }
}

extension FeatureRecipe {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version") { $0.integer(Self.version) }
            writer.member("categories") { $0.array(categories) }
            writer.member("weights") { writer in
                writer.object { writer in
                    for (name, weight) in zip(FeatureWeights.names, weights.list) {
                        writer.member(name) { $0.number(weight) }
                    }
                }
            }
            writer.member("mean_color") { writer in
                guard let mean = meanColour else { return writer.null() }
                writer.array([mean.lightness, mean.a, mean.b]) { $1.number($0) }
            }
        }
    }
}

extension RealmClusters.Choice {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("criterion") { $0.string(criterion) }
            if let limit { writer.member("limit") { $0.integer(limit) } }
            writer.member("curve") { writer in
                writer.array(candidates) { candidate, writer in
                    writer.object { writer in
                        writer.member("k") { $0.integer(candidate.k) }
                        writer.member("inertia") { $0.number(candidate.inertia) }
                        writer.member("score") { $0.number(candidate.score) }
                    }
                }
            }
        }
    }
}

extension CategorySummary {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("category") { $0.string(category) }
            writer.member("objects") { $0.integer(objects) }
            writer.member("images") { $0.integer(images) }
            writer.member("emotional_valence") { $0.number(valence) }
            writer.member("calming_score") { $0.number(calming) }
            writer.member("therapeutic_focus") { focus.write(to: &$0) }
        }
    }
}

extension ImageCluster {
    fileprivate func write(to writer: inout JSONWriter, centre: ArraySlice<Float>) {
        writer.object { writer in
            writer.member("id") { $0.integer(id) }
            writer.member("name") { $0.string(name) }
            writer.member("size") { $0.integer(size) }
            writer.member("inertia_share") { $0.number(inertiaShare) }
            writer.member("medoid_images") { $0.array(medoids) }
            writer.member("top_categories") { writer in
                writer.array(topCategories) { top, writer in
                    writer.object { writer in
                        writer.member("category") { $0.string(top.category) }
                        writer.member("share") { $0.number(top.share) }
                        writer.member("lift") { $0.number(top.lift) }
                    }
                }
            }
            writer.member("therapeutic_focus") { focus.write(to: &$0) }
            writer.member("mood") { $0.string(mood) }
            if isCatchAll { writer.member("catch_all") { $0.boolean(true) } }
            writer.member("centroid") { $0.vector(centre) }
        }
    }
}
