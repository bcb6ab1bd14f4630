/// A query coded for one table of boxes, with a lower bound on its distance from each box.
///
/// # Squared distance
///
/// In steps of the grid the query is at t_j, the box spans l_j … h_j, and the nearest point of the box is max(0, l_j −
/// t_j, t_j − h_j) away in dimension j. With t_j rounded up in the first difference and down in the second, that is at
/// least the integer gap that the kernels compute. If t_j is outside the codes, it is clamped to their edge e and the
/// true gap is at least (gap to e) + |t_j − e|. So
///
///     ‖z − q‖² ≥ step² (B + Σ_outer (t_j − e)²)
///
/// for every point z of a box with the bound B, the sum of the squared gaps and the ``OuterTerms``.
///
/// # Inner product
///
/// z_j = offset_j + step u_j with l_j ≤ u_j ≤ h_j. Write p_j = −q_j step = σ (w_j + ρ_j) with an integer w_j = ⌊p_j ∕ σ⌋ in
/// −64…64 and ρ_j ≥ 0. As u_j ≥ 0,
///
///     −⟨z, q⟩ = −⟨offset, q⟩ + Σ p_j u_j ≥ −⟨offset, q⟩ + σ Σ w_j u_j ≥ −⟨offset, q⟩ + σ B,
///
/// where B uses l_j for positive weights and h_j for negative ones.
///
/// # Rounding
///
/// Positions in the grid are rounded outwards by ``BoxGrid/slack``. The following computations in double precision have
/// a few relative errors of 2⁻⁵²; widening by 2⁻³³ of all magnitudes covers them.
package struct BoxQuery: Sendable {
    private enum Kind {
        case squared
        case product
    }

    private let kind: Kind
    /// The squared metric units in one unit of a bound; for products, metric units.
    private let unit: Double
    /// Squared: Σ_outer (t_j − e)². Product: −⟨offset, q⟩.
    private let constant: Double
    /// Product: a bound on the magnitudes in the sum, for rounding.
    private let magnitude: Double
    /// Squared: the terms of a query outside the codes; nil if it is inside or near.
    private let outer: OuterTerms?

    private static let slack = 0x1p-33

    /// Codes a query for squared distances.
    ///
    /// - Parameters:
    ///   - query: `dimension` coordinates, and zeros up to a multiple of 8.
    ///   - uncertainty: The largest error of a coordinate.
    ///   - codes: Receives 2 × 4 · groups codes, rounded up and then rounded down, and 16 · groups weights.
    package init(
        squared query: UnsafePointer<Float>, uncertainty: Float, on boxes: BoxTableView,
        codes: UnsafeMutablePointer<UInt8>
    ) {
        kind = .squared
        let step = Double(boxes.step)
        let inverse = 1 / step
        let slack = Double(BoxGrid.slack) + Double(uncertainty) * inverse
        let squared = unsafe Kernels.active.codeBoxQuery(query, on: boxes, slack: slack, into: codes)
        unit = step * step
        constant = squared * (1 - 0x1p-20)
        magnitude = 0
        guard squared > OuterTerms.leastSquared else {
            outer = nil
            return
        }
        outer = unsafe OuterTerms(
            dimension: boxes.dimension, lowest: 0, weights: Self.outerWeights(codes, boxes)
        ) { j in
            let t = unsafe (Double(query[j]) - Double(boxes.offsets[j])) * inverse
            return max(t - slack - 255, 0) + min(t + slack, 0)
        }
    }

    private static func outerWeights(
        _ codes: UnsafePointer<UInt8>, _ boxes: BoxTableView
    ) -> UnsafeMutablePointer<Int8> {
        unsafe UnsafeMutableRawPointer(mutating: codes + 8 * boxes.groups).assumingMemoryBound(to: Int8.self)
    }

    /// Codes a query for squared distances without some of the dimensions.
    ///
    /// - Parameters:
    ///   - query: `dimension` coordinates, and zeros up to a multiple of 8; the ignored coordinates are overwritten.
    ///   - uncertainty: The largest error of a coordinate.
    ///   - ignored: The ignored dimensions.
    ///   - boxes: The table of boxes.
    ///   - codes: Receives 2 × 4 · groups codes, rounded up and then rounded down, and 16 · groups weights.
    package init(
        squared query: UnsafeMutablePointer<Float>, uncertainty: Float, ignoring ignored: [Int],
        on boxes: BoxTableView, codes: UnsafeMutablePointer<UInt8>
    ) {
        // A position inside the grid adds nothing to the sum over coordinates outside it…
        for j in ignored { unsafe query[j] = boxes.offsets[j] + 128 * boxes.step }
        unsafe self.init(squared: query, uncertainty: uncertainty, on: boxes, codes: codes)
        // …and a query that reaches from end to end has no gap to any box.
        for j in ignored {
            unsafe codes[j] = .max
            unsafe codes[4 * boxes.groups + j] = 0
        }
    }

    /// Codes a query for inner products.
    ///
    /// - Parameter weights: Receives 2 × 4 · groups weights: for the lowest corners, then for the highest corners.
    package init(
        product query: UnsafePointer<Float>, on boxes: BoxTableView, weights: UnsafeMutablePointer<Int8>
    ) {
        kind = .product
        let (dimension, padded) = (boxes.dimension, 4 * boxes.groups)
        let step = Double(boxes.step)
        var largest = 0.0
        var offset = 0.0
        var sum = 0.0
        for j in 0..<dimension {
            let q = unsafe Double(query[j])
            largest = max(largest, abs(q))
            unsafe offset -= q * Double(boxes.offsets[j])
            unsafe sum += abs(q) * (abs(Double(boxes.offsets[j])) + 256 * step)
        }
        let sigma = max(largest * step / 64, .leastNormalMagnitude)
        for j in 0..<padded {
            let p = unsafe j < dimension ? -Double(query[j]) * step / sigma : 0
            let w = Int8(min(max(p.rounded(.down), -64), 64))
            unsafe weights[j] = max(w, 0)
            unsafe weights[padded + j] = min(w, 0)
        }
        unit = sigma
        constant = offset
        magnitude = sum
        outer = nil
    }

    /// The largest bound that a box can have if one of its points is at most `distance` away; nil if no box can have
    /// such a point.
    ///
    /// - Parameter distance: For squared distances the squared distance, for products −⟨z, q⟩.
    @inline(__always)
    package func limit(distance: Double) -> Int32? {
        let allowed: Double
        switch kind {
        case .squared:
            allowed = distance * (1 + Self.slack) / unit - constant
            guard allowed >= 0 else { return nil }
        case .product:
            allowed = (distance - constant + Self.slack * (magnitude + abs(distance))) / unit
            guard allowed > -0x1p31 else { return nil }
        }
        // NaN and infinity also take this branch: everything passes.
        guard allowed < 0x1p31 - 1 else { return .max }
        return Int32(floorOf: allowed)
    }

    /// The distance for a bound: every point of the box is at least that far away, up to rounding.
    @inline(__always)
    package func distance(_ bound: Int32) -> Double {
        kind == .squared ? (Double(bound) + constant) * unit : constant + Double(bound) * unit
    }

    /// A lower bound on the distance of a query from the points of a box outside the grid: the squared distance, or
    /// −⟨z, q⟩ for inner products.
    ///
    /// Sums of doubles, each operation with a relative error of 2⁻⁵³; 2⁻³³ of all magnitudes covers them.
    ///
    /// - Parameters:
    ///   - low: The lowest corner of the box; `high` is the highest. They need not be finite.
    ///   - query: One coordinate per dimension.
    ///   - uncertainty: The largest error of a coordinate of the query.
    ///   - ignored: Dimensions that are ignored; for squared distances only.
    package func distance(
        low: UnsafePointer<Float>, high: UnsafePointer<Float>, of query: UnsafePointer<Float>, dimension: Int,
        uncertainty: Float, ignoring ignored: [Int] = []
    ) -> Double {
        var sum = 0.0
        var magnitudes = 0.0
        for j in 0..<dimension {
            let (l, h, q) = unsafe (Double(low[j]), Double(high[j]), Double(query[j]))
            switch kind {
            case .squared:
                let gap = max(l - q, q - h) - Double(uncertainty)
                if gap > 0, !ignored.contains(j) { sum += gap * gap }
            case .product where q != 0:
                sum -= max(q * l, q * h)
                magnitudes += max(abs(q * l), abs(q * h))
            case .product: break
            }
        }
        if kind == .squared { return sum * (1 - Self.slack) }
        return magnitudes.isFinite ? sum - Self.slack * magnitudes : -.infinity
    }

    /// A number that orders boxes with equal bounds by the distance of their middle from the query; smaller is nearer.
    package func centreOrder(of box: Int, in boxes: BoxTableView, codes: UnsafePointer<UInt8>) -> Int {
        let padded = 4 * boxes.groups
        return (0..<boxes.dimension).reduce(0) { sum, j in
            let offset = codeOffset(row: box, group: j / 4, groups: boxes.groups) + j % 4
            let middle = unsafe Int(boxes.lows[offset]) + Int(boxes.highs[offset])
            guard kind == .squared else {
                // One of a dimension's two weights is zero.
                let weight = unsafe Int(Int8(bitPattern: codes[j])) + Int(Int8(bitPattern: codes[padded + j]))
                return sum + middle * weight
            }
            let difference = unsafe middle - Int(codes[j]) - Int(codes[padded + j])
            return sum + difference * difference
        }
    }

    /// Computes numbers that order boxes by the largest product that a query typically has with their points: between
    /// the product with the middle and the bound, which only a corner reaches. Smaller is nearer. For inner products.
    ///
    /// The deviation of a point from the middle has about 1 ∕ √dimension of the product that the corner's has. One and a
    /// half times that share finds the most neighbours in few lists.
    ///
    /// - Parameters:
    ///   - codes: The codes written by the initialiser.
    ///   - bounds: The bounds of the boxes.
    ///   - scores: Receives one number per box, up to the next multiple of 64.
    package func scores(
        _ boxes: BoxTableView, codes: UnsafePointer<UInt8>, bounds: UnsafePointer<Int32>,
        into scores: UnsafeMutablePointer<Int32>
    ) {
        let weights = unsafe UnsafeRawPointer(codes).assumingMemoryBound(to: Int8.self)
        // The corner with the smallest product.
        unsafe Kernels.active.boxProducts(
            lows: boxes.highs, highs: boxes.lows, groups: boxes.groups, blocks: boxes.blocks, weights: weights,
            into: scores)
        let share = min(1, 1.5 / Double(boxes.dimension).squareRoot())
        for box in 0..<boxes.blocks * Kernels.blockRows {
            unsafe scores[box] = Int32((Double(bounds[box]) * (1 + share) + Double(scores[box]) * (1 - share)) / 2)
        }
    }

    /// Computes the bounds of a table's boxes; the query must be coded for the table's grid.
    ///
    /// - Parameters:
    ///   - codes: The codes written by the initialiser.
    ///   - bounds: Receives one number per box, up to the next multiple of 64.
    @inline(__always)
    package func bound(
        _ boxes: BoxTableView, codes: UnsafePointer<UInt8>, into bounds: UnsafeMutablePointer<Int32>
    ) {
        switch kind {
        case .squared:
            unsafe Kernels.active.boxBounds(
                lows: boxes.lows, highs: boxes.highs, groups: boxes.groups, blocks: boxes.blocks, query: codes,
                into: bounds)
            unsafe outer?.add(
                lows: boxes.lows, highs: boxes.highs, groups: boxes.groups, blocks: boxes.blocks,
                weights: Self.outerWeights(codes, boxes), to: bounds)
        case .product:
            let weights = unsafe UnsafeRawPointer(codes).assumingMemoryBound(to: Int8.self)
            unsafe Kernels.active.boxProducts(
                lows: boxes.lows, highs: boxes.highs, groups: boxes.groups, blocks: boxes.blocks, weights: weights,
                into: bounds)
        }
    }
}
