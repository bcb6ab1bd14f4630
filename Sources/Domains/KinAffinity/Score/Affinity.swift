/// The affinity of two souls: its score, its coverage, and the contribution of each block.
public struct Affinity: Sendable, Hashable {
    /// The score, 0…1; 0 when nothing can be compared.
    public let score: Double
    /// The connection type of the two, by the model's rule for score and coverage.
    public let connection: SoulConnection
    /// The share of all weight that could be compared, 0…1.
    public let coverage: Double
    /// The factor of the score for the number of events behind the two souls, 0.5…1; 1 if the model does not shrink
    /// scores. For n and m events it is √((n + 1) ∕ (n + 2)) times √((m + 1) ∕ (m + 2)), each rounded to a multiple of
    /// 2⁻¹¹.
    public let shrinkage: Double
    /// The smallest change that gives the two a stronger connection; nil if no change of one number is enough.
    public let raise: ConnectionChange?
    /// The estimated share of all pairs of the population with a lower score, 0…1
    /// (``AffinityCalibration/share(below:)``); nil if the model has no calibration.
    public let nearerThan: Double?
    /// The blocks that both have, in their order.
    public let blocks: [BlockAffinity]

    /// The similarity of one block, and its contribution to the score.
    public struct BlockAffinity: Sendable, Hashable {
        /// The block that is compared.
        public let block: SoulBlock
        /// The similarity of the two souls in the block, 0…1.
        public let similarity: Double
        /// The weight of the block among those that were compared, whose weights sum to 1.
        public let weight: Double
        /// The contribution of the block to the score: weight times similarity times ``Affinity/shrinkage``.
        public let contribution: Double
        /// The up to three common traits with the largest contributions, in descending order; empty for patterns and
        /// valence.
        public let shared: [SharedTrait]
    }

    /// A trait that both souls have.
    public struct SharedTrait: Sendable, Hashable {
        /// The name of the trait.
        public let name: String
        /// The contribution of the trait to the score.
        public let contribution: Double
    }

    /// The affinity in a block; nil when one of the two lacks it.
    public subscript(block: SoulBlock) -> BlockAffinity? { blocks.first { $0.block == block } }
}
