import KinLibC

/// A soul as numbers: what a score is computed from.
package struct SoulVector: Sendable, Equatable {
    /// Damped and weighted traits of one block.
    package struct Block: Sendable, Equatable {
        /// Ascending.
        package var names: [String] = []
        /// All above 0, one for each name.
        package var values: [Double] = []
        /// Σ values².
        package var squares = 0.0
    }

    /// Goals, realms, objects.
    package var blocks: [Block]
    /// 27 coordinates, or none.
    package var pattern: [Double]
    /// Σ pattern².
    package var patternSquares: Double
    package var valence: Double?

    package var mask: BlockMask {
        var mask: BlockMask = []
        for block in SoulBlock.named where !blocks[block.rawValue].names.isEmpty { mask.insert(BlockMask(block)) }
        if !pattern.isEmpty { mask.insert(BlockMask(.patterns)) }
        if valence != nil { mask.insert(BlockMask(.valence)) }
        return mask
    }

    /// The vector of a soul: amounts are damped by ln(1 + n), goals multiplied by their rarity.
    ///
    /// Each block is first multiplied by the power of two that brings its largest value into 1…2. Cosines are the same to the bit, and no sum of
    /// squares vanishes or overflows, however small or large the amounts are.
    package init(_ soul: Soul, rarity: GoalRarity?) {
        blocks = SoulBlock.named.map { block in
            let traits = soul.traits(block).list
            var result = Block()
            result.names = traits.map(\.name)
            result.values = Self.scaled(traits.map { log1p($0.amount) })
            if block == .goals, let rarity {
                for i in traits.indices { result.values[i] *= rarity.factor(traits[i].name) }
            }
            result.squares = result.values.reduce(0) { $0 + $1 * $1 }
            return result
        }
        pattern = Self.scaled(soul.pattern?.vector ?? [])
        patternSquares = pattern.reduce(0) { $0 + $1 * $1 }
        valence = soul.valence
    }

    /// The values times the power of two that brings the largest into 1…2.
    private static func scaled(_ values: [Double]) -> [Double] {
        guard let largest = values.max(), largest > 0 else { return values }
        return values.map { Double(sign: .plus, exponent: -largest.exponent, significand: $0) }
    }

    package init(blocks: [Block], pattern: [Double], patternSquares: Double, valence: Double?) {
        self.blocks = blocks
        self.pattern = pattern
        self.patternSquares = patternSquares
        self.valence = valence
    }
}

/// The arithmetic of a score, the same wherever one is computed, so that it gives the same bits everywhere.
enum BlockSimilarity {
    /// Σ a b ∕ √(Σ a² · Σ b²), at most 1: exactly 1 for two equal vectors, because the root of a rounded square is the number itself.
    ///
    /// Both sums of squares are far from the ends of a double's range; see ``SoulVector/init(_:rarity:)``.
    @inline(__always)
    static func cosine(product: Double, _ a: Double, _ b: Double) -> Double {
        min(1, product / (a * b).squareRoot())
    }

    /// 1 − |a − b| ∕ 2.
    @inline(__always)
    static func valence(_ a: Double, _ b: Double) -> Double { 1 - abs(a - b) / 2 }
}
