/// How alike two souls are, and why.
public struct Affinity: Sendable, Hashable {
    /// 0…1.
    public let score: Double
    /// The connection type of the two by score and coverage; see ``SoulConnection`` for the least coverage of each.
    public var connection: SoulConnection { SoulConnection(affinity: score, coverage: coverage) }
    /// The share of all weight that could be compared, 0…1. Without any, the score is 0.
    public let coverage: Double
    /// The blocks that both have, in their order.
    public let blocks: [BlockAffinity]

    /// What one block says.
    public struct BlockAffinity: Sendable, Hashable {
        /// Which block.
        public let block: SoulBlock
        /// 0…1.
        public let similarity: Double
        /// Its weight among the blocks that were compared; these sum to 1.
        public let weight: Double
        /// What it adds to the score.
        public let contribution: Double
        /// The up to three traits in common that add most, the most first; none for patterns and valence.
        public let shared: [SharedTrait]
    }

    /// A trait that both have.
    public struct SharedTrait: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// What it adds to the score.
        public let contribution: Double
    }

    /// What a block says, or nil when one of the two lacks it.
    public subscript(block: SoulBlock) -> BlockAffinity? { blocks.first { $0.block == block } }
}
