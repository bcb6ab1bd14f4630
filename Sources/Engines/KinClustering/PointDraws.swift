import KinCore
import KinLinearAlgebra

/// Draws of points with probabilities proportional to their pointWeights.
struct PointDraws {
    let blocks: PointBlocks
    /// The mass of each block.
    var blockMasses: [Double]

    /// A point drawn by its mass; nil when no mass is positive.
    ///
    /// - Parameter mass: The pointWeights, at least 0, that add up to those of the blocks but for rounding.
    /// - Complexity: O(blocks + points in a block).
    func draw(_ generator: inout SeededGenerator, mass: (Int) -> Double) -> Int? {
        let total = blockMasses.reduce(0, +)
        guard total > 0 else { return nil }
        var rest = generator.uniform() * total
        var last: Int?
        for (block, blockMass) in blockMasses.enumerated() where blockMass > 0 {
            // Rounding may leave the mark behind the last point: then that is drawn.
            if rest >= blockMass && blockMasses[(block + 1)...].contains(where: { $0 > 0 }) {
                rest -= blockMass
                continue
            }
            for i in blocks.range(block) {
                let share = mass(i)
                guard share > 0 else { continue }
                last = i
                if rest < share { return i }
                rest -= share
            }
            return last
        }
        return last
    }
}
