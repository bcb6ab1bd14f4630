/// Boxes by their weighted gaps, for searches that may lose neighbours.
///
/// A neighbour within distance r is about normally distributed around the query, by s = r ∕ √(d + 2) in each dimension. The odds that it lies
/// beyond a gap g, log Φ(−g ∕ s) − log Φ(g ∕ s), fall with g as long as that is small and with g² only later: by about
/// 0.28 (g ∕ s) (g ∕ s + 5), within 6 % up to four s. So a box with one large gap is far likelier to hold a neighbour than one as near
/// with many small gaps, and boxes are skipped by Σ g (g + w), w = 5 s, in place of Σ g².
///
/// No box within r of the query has a larger sum than r (r + √d w), as Σ g ≤ √d (Σ g²)^½.
extension BoxQuery {
    /// The weight of gaps as a multiple of the spread of neighbours in one dimension.
    private static let weightOfSpread = 5.0

    /// The weight of gaps for neighbours within a distance, in steps of the grid.
    ///
    /// - Parameter boxes: The boxes that will be weighed: none of their sums exceeds 32 bits.
    @inline(__always)
    package func gapWeight(distance: Double, of boxes: BoxTableView) -> Int32 {
        let largest = min(Int(Int16.max), Int(Int32.max) / (127 * 4 * boxes.groups) - 127)
        let spread = steps(distance) / Double(boxes.dimension + 2).squareRoot()
        return Int32(floorOf: min(Self.weightOfSpread * spread, Double(max(0, largest))))
    }

    /// The largest sum that a box may have that is not skipped.
    ///
    /// - Parameters:
    ///   - factor: The factor on how much more than those of the nearest box the weighted gaps of a box within the distance can be, 0…1.
    ///   - distance: The squared distance of the farthest neighbour; `nearest` that of the nearest box.
    ///   - weight: The weight of the gaps.
    @inline(__always)
    package func gapLimit(
        factor: Double, distance: Double, nearest: Double, weight: Int32, dimension: Int
    ) -> Int32 {
        let (radius, first, weight) = (steps(distance), steps(nearest), Double(weight))
        let least = first * (first + weight)
        let most = radius * (radius + weight * Double(dimension).squareRoot())
        let limit = least + factor * (most - least)
        // Also takes the branch for NaN and infinity: everything passes.
        guard limit < 0x1p31 - 1 else { return .max }
        return Int32(floorOf: limit)
    }
}
