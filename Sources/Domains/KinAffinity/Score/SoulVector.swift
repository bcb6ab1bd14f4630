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
    package init(_ soul: Soul, rarity: GoalRarity?) {
        blocks = SoulBlock.named.map { block in
            let traits = soul.traits(block).list
            var result = Block()
            result.names = traits.map(\.name)
            result.values = traits.map { trait in
                let damped = logarithm(onePlus: trait.amount)
                return block == .goals ? damped * (rarity?.factor(trait.name) ?? 1) : damped
            }
            result.squares = result.values.reduce(0) { $0 + $1 * $1 }
            return result
        }
        pattern = soul.pattern?.vector ?? []
        patternSquares = pattern.reduce(0) { $0 + $1 * $1 }
        valence = soul.valence
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
    @inline(__always)
    static func cosine(product: Double, _ a: Double, _ b: Double) -> Double {
        let squares = a * b
        // Amounts near the ends of the range of numbers: the product of two squares may leave it where their roots do not.
        let length = squares.isNormal ? squares.squareRoot() : a.squareRoot() * b.squareRoot()
        return min(1, product / length)
    }

    /// 1 − |a − b| ∕ 2.
    @inline(__always)
    static func valence(_ a: Double, _ b: Double) -> Double { 1 - abs(a - b) / 2 }
}
