extension Affinity: DeclaredObject {
    /// The affinity as a JSON object: `score`, `connection`, `coverage`, `shrinkage`, `raise`, with a calibration
    /// `nearer_than`, and for each block `similarity`, `weight` and `contribution`. Blocks of traits also have
    /// `shared`.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<Affinity>(
        .field("score", \.score, "0 to 1"),
        .field("connection", { $0.connection.name }),
        .field("coverage", \.coverage, "the share of all weight that could be compared"),
        .field(
            "shrinkage", \.shrinkage,
            "the factor of the score for few events, 0.5 to 1: a product of two multiples of 1/2,048"),
        .field("raise", \.raise, "the smallest change for a stronger connection; null if no single change is enough"),
        .optional("nearer_than", \.nearerThan, "about the share of pairs with a lower score"),
        .members("blocks", { $0.blocks.map { ($0.block.name, $0) } }, by: "block"))
}

extension Affinity.BlockAffinity: DeclaredObject {
    package static let schema = ObjectSchema<Affinity.BlockAffinity>(
        .field("similarity", \.similarity),
        .field("weight", \.weight),
        .field("contribution", \.contribution, "to the score"),
        .optional("shared", \.sharedTraits, "of traits: the contribution of each to the score, by name"))

    private var sharedTraits: NamedValues<Double>? {
        block == .patterns || block == .valence ? nil : NamedValues(shared.map { ($0.name, $0.contribution) })
    }
}
