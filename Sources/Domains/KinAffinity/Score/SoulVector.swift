import KinLibC

/// The numeric form of a soul that scores are computed from.
package struct SoulVector: Sendable, Equatable {
    /// The damped and weighted traits of one block.
    package struct Block: Sendable, Equatable {
        /// The names of the traits, ascending.
        package var names: [String] = []
        /// The values of the traits, all above 0.
        package var values: [Double] = []
        /// The sum of the squared values.
        package var squares = 0.0
    }

    /// The blocks of goals, realms and objects.
    package var blocks: [Block]
    /// The 27 coordinates of the pattern; empty if unknown.
    package var pattern: [Double]
    /// The sum of the squared coordinates of the pattern.
    package var patternSquares: Double
    /// The valence, −1…1; nil when it is unknown.
    package var valence: Double?
    /// The factor for the number of events.
    package var evidence: EvidenceFactor

    /// The blocks that the soul has.
    package var mask: BlockMask {
        var mask: BlockMask = []
        for block in SoulBlock.named where !blocks[block.rawValue].names.isEmpty { mask.insert(BlockMask(block)) }
        if !pattern.isEmpty { mask.insert(BlockMask(.patterns)) }
        if valence != nil { mask.insert(BlockMask(.valence)) }
        return mask
    }
}

extension SoulVector {
    /// Computes the vector of a soul. Traits with the same word (``TraitWord``) are merged, amounts are damped by
    /// ln(1 + n), and goals are multiplied by their rarity.
    ///
    /// Each block is first multiplied by the power of two that brings its largest value into 1…2. This leaves cosines
    /// the same to the bit, and sums of squares neither underflow nor overflow for any amounts.
    package init(_ soul: Soul, rarity: GoalRarity?) {
        blocks = SoulBlock.named.map { block in
            let traits = TraitWord.merged(soul.traits(block).list, in: block)
            var result = Block()
            result.names = traits.map(\.name)
            result.values = Self.scaled(traits.map { log1p($0.amount) })
            if block == .goals, let rarity {
                for i in traits.indices { result.values[i] *= rarity.factor(word: traits[i].name) }
            }
            result.squares = result.values.reduce(0) { $0 + $1 * $1 }
            return result
        }
        pattern = Self.scaled(soul.pattern.flatMap { $0.isEmpty ? nil : $0.vector } ?? [])
        patternSquares = pattern.reduce(0) { $0 + $1 * $1 }
        valence = soul.valence
        evidence = EvidenceFactor(events: soul.eventCount)
    }

    /// Multiplies values by the power of two that brings the largest into 1…2.
    private static func scaled(_ values: [Double]) -> [Double] {
        guard let largest = values.max(), largest > 0 else { return values }
        return values.map { Double(sign: .plus, exponent: -largest.exponent, significand: $0) }
    }
}

/// The similarity functions of blocks, shared by all computations of a score so that results are bit-identical.
enum BlockSimilarity {
    /// The cosine Σ a b ∕ √(Σ a² · Σ b²), at most 1. It is exactly 1 for equal vectors, since the root of a rounded
    /// square is the number itself.
    ///
    /// Both sums of squares are far from the ends of a double's range; see ``SoulVector/init(_:rarity:)``.
    @inline(__always)
    static func cosine(product: Double, _ a: Double, _ b: Double) -> Double {
        min(1, product / (a * b).squareRoot())
    }

    /// The similarity of two valences, 1 − |a − b| ∕ 2.
    @inline(__always)
    static func valence(_ a: Double, _ b: Double) -> Double { 1 - abs(a - b) / 2 }
}
