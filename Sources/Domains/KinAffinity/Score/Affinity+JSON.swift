public import KinJSON

extension Affinity: JSONWritable {
    /// The affinity as a JSON object: `score`, `connection`, `coverage`, with a calibration `nearer_than`, and of each block `similarity`, `weight`, `contribution`
    /// and, for traits, what is `shared`.
    public var json: String { jsonText }

    package func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// Writes the members of the JSON object.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("score") { $0.number(score) }
        writer.member("connection") { $0.string(connection.name) }
        writer.member("coverage", formerly: "evidence") { $0.number(coverage) }
        if let nearerThan { writer.member("nearer_than") { $0.number(nearerThan) } }
        writer.member("blocks") { writer in
            writer.object { writer in
                for block in blocks { writer.member(block.block.name) { block.write(to: &$0) } }
            }
        }
    }
}

extension Affinity.BlockAffinity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("similarity") { $0.number(similarity) }
            writer.member("weight") { $0.number(weight) }
            writer.member("contribution") { $0.number(contribution) }
            guard block != .patterns, block != .valence else { return }
            writer.member("shared") { writer in
                writer.object { writer in
                    for trait in shared { writer.member(trait.name) { $0.number(trait.contribution) } }
                }
            }
        }
    }
}
