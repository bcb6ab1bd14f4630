/// The part of a squared distance that a screen of clamped codes loses if the query is far outside the grid.
///
/// Let y be the query in code steps, a an anchor between the codes, and o_j = |y_j − a_j|. In each dimension
///
///     (u − y)² = (u − a)² + 2 (u − a) (a − y) + o² = (u − a)² + 2 o |u − e| − 2 o |a − e| + o²,
///
/// where e is the lowest code if y < a and the highest code otherwise. The kernels sum (u − a)². This type adds the
/// terms 2 o |u − e|, which dominate for a query far outside, such as the target of a recommendation with negative
/// examples. With integers w_j = ⌊2 o_j ∕ step⌋,
///
///     Σ 2 o_j |u_j − e_j| ≥ step · Σ w_j |u_j − e_j|.
///
/// The step is an integer, so the sum is exact. The kernels multiply by weights up to 64, so w_j = 64 h_j + l_j takes
/// two products.
///
/// - For boxes (``BoxQuery``), the anchor is y itself inside the grid and the edge e outside, so 2 o |a − e| is zero. The
///   least (u − a)² and the least |u − e| are at the same corner of the box.
/// - For rows, the anchor is the middle code of every dimension. No |u − a| is then above 127, the largest gap that the
///   kernels square. A row with the error E within distance T of the query has ‖u − y‖ ≤ T + E.
package struct OuterTerms: Sendable {
    private let dimension: Int
    private let step: Int32
    /// The sum of the terms without u, in steps.
    private let constant: Int32
    /// Σ o_j² and Σ o_j.
    private let squares: Double
    private let lengths: Double

    /// The squared distance from the codes, in steps of the grid, above which the terms save more time than they take.
    static let leastSquared = 1024.0

    private static let slack = 0x1p-33

    /// Computes the weights of a query.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions.
    ///   - lowest: The lowest code; the highest is 255.
    ///   - weights: Receives 16 · groups weights: h for the lowest corners and then for the highest corners, and l
    ///     likewise.
    ///   - beyond: y − a in a dimension, or a number nearer to zero; finite.
    @inline(__always)
    init(dimension: Int, lowest: Int, weights: UnsafeMutablePointer<Int8>, beyond: (Int) -> Double) {
        let padded = (dimension + 3) & ~3
        // The sums of the terms remain below 2³⁰.
        let largest = Double((1 << 30) / (padded * 255 * 64))
        let most = min(64, largest)
        var (step, constant, squares, lengths) = (1.0, 0, 0.0, 0.0)
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: padded) { distances in
            var farthest = 0.0
            for j in 0..<padded {
                let distance = j < dimension ? beyond(j) : 0
                unsafe distances[j] = distance
                farthest = max(farthest, abs(distance))
                squares += distance * distance
                lengths += abs(distance)
            }
            step = min(max(1, (farthest / (32 * most)).rounded(.up)), (largest / most).rounded(.down))
            let factor = 2 / step * (1 - 0x1p-20)
            for j in 0..<padded {
                let weight = unsafe Int32(min(64 * most - 1, abs(distances[j]) * factor))
                let (high, low) = (Int8(truncatingIfNeeded: weight >> 6), Int8(truncatingIfNeeded: weight & 63))
                let isAbove = unsafe distances[j] > 0
                unsafe (weights[j], weights[padded + j]) = isAbove ? (0, -high) : (high, 0)
                unsafe (weights[2 * padded + j], weights[3 * padded + j]) = isAbove ? (0, -low) : (low, 0)
                constant += Int(weight) * (isAbove ? 255 : -lowest)
            }
        }
        self.dimension = dimension
        (self.step, self.constant) = (Int32(step), Int32(constant))
        (self.squares, self.lengths) = (squares, lengths)
    }

    /// The largest sum, as from ``sum(block:codes:groups:weights:centre:into:)``, of codes at most `distance` steps from
    /// the query.
    func limit(distance: Double) -> Int32 {
        let known = squares * (1 - Self.slack) - 254 * lengths * (1 + Self.slack)
        let allowed = distance * distance * (1 + Self.slack) - known + 1
        guard allowed < 0x1p31 - 1 else { return .max }
        return Int32(floorOf: max(allowed, -1))
    }

    /// Adds the terms to the bounds of boxes; a row is a box of one point.
    ///
    /// - Parameters:
    ///   - lows: The codes of the lowest corners; `highs` likewise for the highest corners.
    ///   - bounds: The squared distances of 64 · blocks boxes from the clamped query.
    @inline(__always)
    func add(
        lows: UnsafePointer<UInt8>, highs: UnsafePointer<UInt8>, groups: Int, blocks: Int,
        weights: UnsafePointer<Int8>, to bounds: UnsafeMutablePointer<Int32>
    ) {
        let rows = Kernels.blockRows
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * rows) { products in
            let products = products.baseAddress!
            for b in 0..<blocks {
                let first = b * rows * 4 * groups
                unsafe Kernels.active.boxProducts(
                    lows: lows + first, highs: highs + first, groups: groups, blocks: 1, weights: weights,
                    into: products)
                unsafe Kernels.active.boxProducts(
                    lows: lows + first, highs: highs + first, groups: groups, blocks: 1, weights: weights + 8 * groups,
                    into: products + rows)
                for i in 0..<rows {
                    unsafe bounds[b * rows + i] &+= step &* (64 &* products[i] &+ products[rows + i] &+ constant)
                }
            }
        }
    }
}

extension OuterTerms {
    /// Computes the sums of a block's rows, (u − a)² and the terms, for a query whose anchor is the middle code.
    ///
    /// - Parameters:
    ///   - weights: The query's 16 · groups weights.
    ///   - centre: Receives the anchor, 4 · groups codes.
    ///   - sums: Receives 64 numbers.
    @inline(__always)
    package func sum(
        block: Int, codes: UnsafePointer<UInt8>, groups: Int, weights: UnsafePointer<Int8>,
        centre: UnsafeMutablePointer<UInt8>, into sums: UnsafeMutablePointer<Int32>
    ) {
        let rows = unsafe codes + block * Kernels.blockRows * 4 * groups
        // Rows have the code 1 in the dimensions that pad them.
        for j in 0..<4 * groups { unsafe centre[j] = j < dimension ? 128 : 1 }
        unsafe Kernels.active.squaredDistances(rows, groups: groups, from: centre, into: sums)
        unsafe add(lows: rows, highs: rows, groups: groups, blocks: 1, weights: weights, to: sums)
    }
}
