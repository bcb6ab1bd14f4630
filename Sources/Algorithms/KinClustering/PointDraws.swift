/// Samples of points with probabilities proportional to given masses.
struct PointDraws {
    let blocks: PointBlocks
    /// The total mass of each block.
    var blockMasses: [Double]

    /// A point sampled by its mass; nil if no mass is positive.
    ///
    /// - Parameter mass: The mass of a point, at least 0; the masses of a block sum to its total up to rounding.
    /// - Complexity: O(blocks + points in a block).
    func draw(_ generator: inout SeededGenerator, mass: (Int) -> Double) -> Int? {
        let total = blockMasses.reduce(0, +)
        guard total > 0 else { return nil }
        var rest = generator.uniform() * total
        var last: Int?
        for (block, blockMass) in blockMasses.enumerated() where blockMass > 0 {
            // Rounding may put the target beyond the last point; the last point is then returned.
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
