import KinCore
import KinLinearAlgebra

/// The space in which matches are looked for: the leading principal axes of the souls, and how long what is left of them is.
///
/// # The bound
///
/// A soul with the blocks M is the vector x of √wᵢ x̂ᵢ for the blocks i of M that are cosines (x̂ᵢ the block at length 1), and √(w ∕ 2) v
/// for a valence v. Take two souls, A and B their blocks, C = A ∩ B, W = Σ wᵢ over C, and q the first one with the
/// blocks that the other lacks left out. Then over the cosines of C, ‖√wᵢ x̂ᵢ − √wᵢ q̂ᵢ‖² = 2 wᵢ (1 − sᵢ); for valence, since |a − b| ≤ 2,
/// w (a − b)² ∕ 2 ≤ w |a − b| = 2 w (1 − s); what B has and A lacks adds at most wᵢ each, because its length is √wᵢ (√(w ∕ 2) at most
/// for valence). So a soul with a score of at least τ lies within
///
///     ‖x − q‖² ≤ 2 W (1 − τ) + Σ wᵢ over B ∖ A
///
/// of q. Let P be an orthonormal projection and r(x) = ‖x − Px‖. By the triangle inequality in the complement,
///
///     ‖x − q‖² ≥ ‖Px − Pq‖² + (r(x) − r(q))²,
///
/// which is the squared distance of the vectors (Px, r(x)) and (Pq, r(q)) that the index holds. Whoever is outside that radius there scores
/// less than τ, whatever the features that P leaves out: features may be added at any time, and P need not be fitted to the souls at all.
///
/// Rounding: the coordinates are floats, each off by at most 2⁻²⁵ of a vector no longer than 1, and r is the root of a difference that is
/// off by some 2⁻⁵⁰, that is r by less than 2⁻²⁴. ``radius(_:)`` adds 2⁻²¹ to the distance, and 2⁻⁴⁰ to the square for what the score
/// itself is rounded.
struct MatchingFrame: Sendable {
    /// Axes, beside the one of what is left.
    let axes: Int
    /// The coordinates of each feature on the axes, feature by feature; zeros for features that the projection leaves out.
    private let matrix: [Float64]
    /// Features that have a place in the matrix.
    private let features: Int
    /// √wᵢ, and √(w ∕ 2) for valence.
    private let roots: [Double]

    /// Numbers in a vector of this space.
    var dimension: Int { axes + 1 }

    /// The most axes; with what is left of a vector, 112 coordinates. All of a vocabulary of some eighty traits has a place then, and a
    /// bound that is nearly the score: with 63 axes a question among a million took twice as long, since comparing a soul costs a cache
    /// miss and screening its codes does not.
    static let mostAxes = 111
    /// The most features among which the axes are sought.
    private static let mostFeatures = 384

    /// A frame without axes, for no souls.
    init(weights: AffinityWeights) {
        axes = 0
        matrix = []
        features = 0
        roots = Self.roots(weights)
    }

    private static func roots(_ weights: AffinityWeights) -> [Double] {
        SoulBlock.allCases.map { ($0 == .valence ? weights[$0] / 2 : weights[$0]).squareRoot() }
    }

    /// The squared distance in this space that no soul with a score of at least `score` exceeds.
    ///
    /// - Parameters:
    ///   - compared: W, the weight of what both have.
    ///   - unmatched: The weight of what only the other has.
    static func reach(score: Double, compared: Double, unmatched: Double) -> Double {
        let distance = (max(0, 2 * compared * (1 - score)) + unmatched + 0x1p-40).squareRoot() + 0x1p-21
        return distance * distance
    }

    /// Calls a function with each feature of a row and its coordinate.
    @inline(__always)
    private func forEachFeature(of row: SoulRow, _ mask: BlockMask, _ body: (Int, Double) -> Void) {
        for b in 0..<3 where mask.has(SoulBlock.named[b]) {
            let factor = roots[b] / row.squares(b).squareRoot()
            for i in row.start(b)..<row.start(b) + row.count(b) {
                unsafe body(Int(row.features[i]), row.values[i] * factor)
            }
        }
        if mask.has(.patterns) {
            let factor = roots[3] / row.squares(3).squareRoot()
            for j in 0..<SessionPattern.dimension { unsafe body(j, row.pattern[j] * factor) }
        }
        if mask.has(.valence) { body(FeatureTable.valence, row.valence * roots[4]) }
    }

    /// The vector of a soul, of whose blocks only some are taken.
    ///
    /// - Parameter vector: Receives ``dimension`` floats.
    func project(_ row: SoulRow, _ mask: BlockMask, into vector: UnsafeMutablePointer<Float>) {
        withProjection(of: row, mask) { projection in unsafe projection.assemble(mask, into: vector) }
    }

    /// Projects each block of a soul by itself, once for all the groups of people that it is compared with.
    func withProjection<Result>(of row: SoulRow, _ mask: BlockMask, _ body: (BlockProjection) -> Result) -> Result {
        let blocks = SoulBlock.allCases
        return unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: blocks.count * (axes + 1)) { sums in
            unsafe sums.initialize(repeating: 0)
            let start = sums.baseAddress!
            unsafe matrix.withUnsafeBufferPointer { matrix in
                for block in blocks where mask.has(block) {
                    let part = unsafe start + block.rawValue * (axes + 1)
                    forEachFeature(of: row, BlockMask(block)) { feature, x in
                        unsafe part[axes] += x * x
                        guard feature < features else { return }
                        let axis = unsafe matrix.baseAddress! + feature * axes
                        for a in 0..<axes { unsafe part[a] += x * axis[a] }
                    }
                }
            }
            return unsafe body(BlockProjection(axes: axes, sums: UnsafePointer(start)))
        }
    }
}

/// The coordinates of each block of a soul on the axes, and the block's squared length behind them.
@safe
struct BlockProjection {
    fileprivate let axes: Int
    fileprivate let sums: UnsafePointer<Double>

    fileprivate init(axes: Int, sums: UnsafePointer<Double>) {
        self.axes = axes
        unsafe self.sums = sums
    }

    /// The vector of the soul with only these blocks: axes + 1 floats.
    func assemble(_ mask: BlockMask, into vector: UnsafeMutablePointer<Float>) {
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: axes + 1) { total in
            unsafe total.initialize(repeating: 0)
            for block in SoulBlock.allCases where mask.has(block) {
                let part = unsafe sums + block.rawValue * (axes + 1)
                for a in 0...axes { unsafe total[a] += part[a] }
            }
            var rest = unsafe total[axes]
            for a in 0..<axes {
                unsafe rest -= total[a] * total[a]
                unsafe vector[a] = Float(total[a])
            }
            unsafe vector[axes] = Float(max(0, rest).squareRoot())
        }
    }
}

extension MatchingFrame {
    /// Finds the principal axes of some souls.
    ///
    /// - Parameters:
    ///   - sample: Slots of the table.
    ///   - features: How many features there are.
    /// - Complexity: O(sample · f² + f³) for the f ≤ 384 features that vary most.
    init(
        weights: AffinityWeights, sample: [Int], of table: SoulTable, features: Int
    ) throws(KinError) {
        let empty = MatchingFrame(weights: weights)
        var energy = [Double](repeating: 0, count: features)
        for slot in sample {
            empty.forEachFeature(of: table[slot], table[slot].mask) { feature, x in energy[feature] += x * x }
        }
        let order = energy.indices.filter { energy[$0] > 0 }.sorted { (energy[$1], $0) < (energy[$0], $1) }
        let chosen = order.prefix(Self.mostFeatures).sorted()
        var place = [Int](repeating: -1, count: features)
        for (i, feature) in chosen.enumerated() { place[feature] = i }
        let f = chosen.count
        guard f > 0 else {
            self = empty
            return
        }
        var rows = Matrix<Double>(rows: sample.count, columns: f)
        var means = [Double](repeating: 0, count: f)
        unsafe rows.withUnsafeMutableBufferPointer { rows in
            for (r, slot) in sample.enumerated() {
                empty.forEachFeature(of: table[slot], table[slot].mask) { feature, x in
                    guard place[feature] >= 0 else { return }
                    unsafe rows[r * f + place[feature]] = x
                    means[place[feature]] += x
                }
            }
        }
        var scatter = Matrix<Double>(rows: f, columns: f)
        try BLAS.syrk(rows, op: .transposed, into: &scatter)
        var centred = Matrix<Double>(rows: f, columns: f)
        unsafe centred.withUnsafeMutableBufferPointer { centred in
            for i in 0..<f {
                for j in 0..<f {
                    unsafe centred[i * f + j] = scatter[i, j] - means[i] * means[j] / Double(sample.count)
                }
            }
        }
        let eigen = try SymmetricEigen(centred)
        // An axis along which nothing varies tells nobody from anybody.
        let useful = eigen.values.prefix(Self.mostAxes).prefix { $0 > eigen.values[0] * 1e-9 }
        let axes = max(useful.count, min(1, f))
        var matrix = [Double](repeating: 0, count: features * axes)
        for (i, feature) in chosen.enumerated() {
            for a in 0..<axes { matrix[feature * axes + a] = eigen.vectors[a, i] }
        }
        self.axes = axes
        self.matrix = matrix
        self.features = features
        roots = empty.roots
    }
}
