import KinCore
public import KinJSON

extension Affinity: JSONObject {
    /// The affinity as a JSON object: `score`, `connection`, `coverage`, with a calibration `nearer_than`, and of each block `similarity`, `weight`, `contribution`
    /// and, for traits, what is `shared`.
    public var json: String { jsonText }

    /// Writes the members of the JSON object.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("score", score)
        writer.member("connection", connection.name)
        writer.member("coverage", coverage)
        if let nearerThan { writer.member("nearer_than", nearerThan) }
        writer.object("blocks") { writer in
            for block in blocks { writer.member(block.block.name, block) }
        }
    }
}

extension Affinity.BlockAffinity: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("similarity", similarity)
        writer.member("weight", weight)
        writer.member("contribution", contribution)
        guard block != .patterns, block != .valence else { return }
        writer.object("shared") { writer in
            for trait in shared { writer.member(trait.name, trait.contribution) }
        }
    }
}
