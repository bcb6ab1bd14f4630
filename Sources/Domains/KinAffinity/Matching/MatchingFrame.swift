/// The search space for matches: the principal axes of each block, and the length of the block's part outside them.
///
/// # The bound
///
/// A soul with the blocks M is the vector x of √wᵢ x̂ᵢ for the blocks i of M that are cosines (x̂ᵢ is the block at
/// length 1), and of the point of an arc for valence (``ValenceArc``). Take two souls with the blocks A and B,
/// C = A ∩ B, W = Σ wᵢ over C, and q the first soul without the blocks that the second lacks. Over the cosines of C,
/// ‖√wᵢ x̂ᵢ − √wᵢ q̂ᵢ‖² = 2 wᵢ (1 − sᵢ). For valence the arc makes this an upper bound. The blocks that B has and A
/// lacks add exactly their squared lengths, which are the same for every soul: lᵢ = wᵢ, and the arc's squared radius.
/// So a soul with a score of at least τ satisfies
///
///     ‖x − q‖² ≤ 2 W (1 − τ) + Σ lᵢ over B ∖ A
///
/// Let Pᵢ be an orthonormal projection of block i and rᵢ(x) = ‖xᵢ − Pᵢxᵢ‖. By the triangle inequality in the
/// complement,
///
///     ‖xᵢ − qᵢ‖² ≥ ‖Pᵢxᵢ − Pᵢqᵢ‖² + (rᵢ(x) − rᵢ(q))²,
///
/// which is the squared distance of the vectors (Pᵢxᵢ, rᵢ(x)) in the index. If scores shrink, the score without
/// shrinkage is at least τ divided by the queried soul's factor, which takes the place of τ. A soul outside that radius
/// in the index scores less than τ, whichever features Pᵢ leaves out. Features may therefore be added at any time, and
/// Pᵢ need not be fitted to the souls at all.
///
/// Each axis and each rᵢ belongs to one block, so the summand of B ∖ A has its own coordinates: boxes are compared by
/// the other coordinates alone, within 2 W (1 − τ). Axes of all blocks together would be fewer, but a soul without
/// goals, for example, would have to look into every box.
///
/// # When rarity has changed
///
/// Each soul that is added or removed changes the rarity of goals, and with it every soul that has goals. The index
/// still has the vectors made with earlier factors. Let d be the ratio of the current factor of a goal to the indexed
/// factor, and D the diagonal matrix of all d, from m to M. Let u and v be the indexed goals of two souls, and U and V
/// the current goals at length 1. Then u and v have the directions of D⁻¹U and D⁻¹V. Since
/// ‖a − b‖² = (‖a‖ − ‖b‖)² + ‖a‖ ‖b‖ ‖â − b̂‖² for all vectors a and b,
///
///     ‖û − v̂‖² ≤ ‖D⁻¹(U − V)‖² ∕ (‖D⁻¹U‖ ‖D⁻¹V‖) ≤ (M ∕ m)² ‖U − V‖².
///
/// So the part 2 w (1 − s) of the radius that belongs to goals is multiplied by the slack (M ∕ m)² (``GoalFactors``),
/// at least 1. That part is at most the whole, and at most 2 w.
///
/// Rounding: the coordinates are floats, each off by at most 2⁻²⁵ of a vector no longer than 1. rᵢ is the root of a
/// difference that is off by about 2⁻⁵⁰, so rᵢ is off by less than 2⁻²⁴.
/// ``squaredRadius(score:compared:goals:slack:unmatched:)`` adds 2⁻²¹ to the distance, and 2⁻⁴⁰ to the square for the
/// rounding of the score. Squared lengths are off by less than 2⁻²⁰ (``slack``).
struct MatchingFrame: Sendable {
    /// The dimension of the space, at most 112.
    let dimension: Int
    /// The frames of the cosines, by block.
    let blocks: [BlockFrame]
    private let arc: ValenceArc
    private let weights: AffinityWeights
    /// The coordinates of the blocks that are not in a mask, by mask.
    private let outside: [[Int]]
    /// The sum of the weights of the blocks of each mask, and the squared length of a vector with these blocks.
    let (sums, squaredLengths): ([Double], [Double])

    /// The largest number of axes; with the remainders of the blocks and the arc there are 112 coordinates.
    ///
    /// A vocabulary of about 80 traits is then represented completely, and the bound is close to the score. With 63
    /// axes a search among a million took twice as long: comparing a soul costs a cache miss, screening its codes does
    /// not.
    static let mostAxes = 106

    /// The first coordinate of the valence arc.
    private static let arcStart = 0

    /// The greatest error of a sum of squared lengths.
    static let slack = 0x1p-20

    /// Creates a frame without axes, for no souls.
    init(weights: AffinityWeights) {
        self.init(weights: weights, axes: SoulBlock.cosines.map { _ in [] })
    }

    /// Creates a frame from the axes of each block.
    ///
    /// - Parameter axes: The axes of each cosine block; those with the greatest variance are used.
    init(weights: AffinityWeights, axes: [[PrincipalAxis]]) {
        // The axes with the greatest variance come first, so that partial distances exceed the radius soonest.
        let all = axes.enumerated().flatMap { b, axes in axes.indices.map { (block: b, axis: $0) } }
            .sorted { axes[$1.block][$1.axis].variance < axes[$0.block][$0.axis].variance }
            .prefix(Self.mostAxes)
        var places = [[Int]](repeating: [], count: axes.count)
        for (n, choice) in all.enumerated() { places[choice.block].append(Self.arcStart + ValenceArc.coordinates + n) }
        let rest = Self.arcStart + ValenceArc.coordinates + all.count
        let blocks = axes.indices.map { b in
            BlockFrame(
                SoulBlock.cosines[b], root: weights[SoulBlock.cosines[b]].squareRoot(),
                axes: axes[b].prefix(places[b].count), places: places[b], rest: rest + b)
        }
        self.init(weights: weights, blocks: blocks, dimension: rest + axes.count)
    }

    /// Creates a frame from the frames of the blocks.
    ///
    /// - Parameter dimension: The dimension of the space; the blocks' positions are below it.
    init(weights: AffinityWeights, blocks: [BlockFrame], dimension: Int) {
        self.weights = weights
        self.blocks = blocks
        self.dimension = dimension
        let arc = ValenceArc(weight: weights[.valence])
        self.arc = arc
        sums = (0..<32).map { weights.sum(BlockMask(rawValue: UInt8($0))) }
        squaredLengths = (0..<32).map { mask in
            BlockMask(rawValue: UInt8(mask)).blocks.reduce(0) { sum, block in
                sum + (block == .valence ? arc.squaredRadius : weights[block])
            }
        }
        outside = (0..<32).map { [blocks] mask in
            let mask = BlockMask(rawValue: UInt8(mask))
            let arc = mask.has(.valence) ? [] : Array(Self.arcStart..<Self.arcStart + ValenceArc.coordinates)
            return arc + blocks.filter { !mask.has($0.block) }.flatMap { $0.places + [$0.rest] }
        }
    }

    /// The squared distance that no soul with a score of at least `score` exceeds.
    ///
    /// - Parameters:
    ///   - score: The score τ, 0…1.
    ///   - compared: The weight W of the blocks that both have.
    ///   - goals: The weight of goals, if both have some, else 0.
    ///   - slack: The factor of the goals' part; see ``MatchingFrame``.
    ///   - unmatched: The squared length of the blocks that only the other has.
    static func squaredRadius(
        score: Double, compared: Double, goals: Double, slack: Double, unmatched: Double
    ) -> Double {
        let spread = max(0, 2 * compared * (1 - score))
        let drift = (slack - 1) * min(spread, 2 * goals)
        let distance = (spread + drift + unmatched + 0x1p-40).squareRoot() + 0x1p-21
        return distance * distance
    }

    /// The coordinates of the blocks that are not in a mask.
    func coordinates(outside mask: BlockMask) -> [Int] { outside[Int(mask.rawValue)] }

    /// Projects a soul onto the frame.
    ///
    /// - Parameters:
    ///   - row: The numbers of the soul.
    ///   - factors: The factors of goals by feature.
    ///   - vector: Receives ``dimension`` floats.
    func project(_ row: SoulRow, goals factors: [Double], into vector: UnsafeMutablePointer<Float>) {
        unsafe vector.update(repeating: 0, count: dimension)
        if row.mask.has(.valence) { unsafe arc.project(row.valence, into: vector + Self.arcStart) }
        for block in blocks where row.mask.has(block.block) {
            unsafe block.project(row, goals: factors, into: vector)
        }
    }
}
