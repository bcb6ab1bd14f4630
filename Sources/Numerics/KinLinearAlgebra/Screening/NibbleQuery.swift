/// A query's table of terms for four-bit codes: a bound from below on the distance of any row from its codes alone.
///
/// Four bits a dimension are half of what a search reads of a row's 8-bit codes, and a scan of more rows than the caches hold is as fast as
/// memory is read. More rows pass: their distances cost less than what is saved while they are fewer than about one in a hundred
/// (the idea is that of the vector approximation file: Weber, Schek and Blott 1998).
///
/// # Squared distance
///
/// In steps of the grid (``CodeGrid``) the query is at y_j and a row at t_j, coded as u_j = t_j rounded and clamped to 1…255. A row in the
/// cell that holds the codes a … b has t_j in [a − ½, b + ½], open to below for the first cell and to above for the last, since
/// whatever was clamped is there. So its distance from y_j is at least the gap
///
///     g_j = max(0, a − ½ − y_j, y_j − b − ½),
///
/// and a row within distance T satisfies Σ g_j² ≤ P = T² ∕ scale². The terms are ⌊254 g_j² ∕ P⌋, at most 255; their sum is at
/// most 254. When the radius has shrunk to P′ < P, it is at most ⌊254 P′ ∕ P⌋.
///
/// Cosine distance is half the squared distance of normalised vectors, as in ``QueryBound``.
///
/// # Inner product
///
/// With x = o + scale · (u + ε), ‖ε‖ ≤ E (``CodeErrors``) and p_j = −scale · q_j,
///
///     −⟨x, q⟩ ≥ −⟨o, q⟩ − scale · E ‖q‖ + Σ m_j + Σ (min(p_j a, p_j b) − m_j),      m_j = min(p_j, 255 p_j),
///
/// so with P = τ + ⟨o, q⟩ + scale · E ‖q‖ − Σ m_j the differences, which are not negative, take the place of the g_j².
///
/// # Rounding
///
/// y_j is clamped to ±1,024 steps, which can only bring it nearer, and rounded to a float, wrong by less than 2⁻¹³; gaps are shortened by
/// 2⁻¹⁰ for that and for t_j's own rounding, products lowered by 2⁻²⁰ of their largest magnitude. Squares, products and the factor
/// 254 ∕ P carry a few relative errors of 2⁻²⁴: the factor is lowered by 2⁻¹⁶. What is computed in double precision
/// is widened by 2⁻³³ as in ``SquaredBound`` and ``ProductBound``.
@safe
package struct NibbleQuery {
    /// A cell's terms of one dimension.
    private typealias Lanes = SIMD16<Float>

    private let query: UnsafePointer<Float>
    private let dimension: Int
    private let metric: Metric
    /// The terms: 16 for each dimension of whole pairs.
    package let table: UnsafeMutablePointer<UInt8>
    /// The cells that the table was made for.
    private var cells: NibbleCells?
    /// The allowance P of a sum of 254.
    private var allowance = -1.0
    /// For inner products ⟨o, q⟩ − Σ m_j and a bound on the magnitudes that take part.
    private var constant = 0.0
    private var magnitude = 0.0
    /// The length ‖q‖ of the query; 0 for squared distances, which need none.
    private let norm: Double

    /// The number of terms of a query of some dimensions.
    package static func terms(dimension: Int) -> Int { NibbleCells.pairs(dimension: dimension) * 32 }

    /// Creates the query with a table that is made at the first limit.
    ///
    /// - Parameters:
    ///   - query: `dimension` floats, all finite; not zero for cosine.
    ///   - table: Memory for ``terms(dimension:)`` bytes, which must outlive the value, as must the query.
    package init(
        _ query: UnsafePointer<Float>, dimension: Int, metric: Metric, table: UnsafeMutablePointer<UInt8>
    ) {
        unsafe self.query = query
        self.dimension = dimension
        self.metric = metric
        unsafe self.table = table
        norm = metric == .squaredL2 ? 0 : unsafe SquaredBound.length(of: query, dimension)
    }

    /// The largest sum of terms of a row within some distance; nil when no row can be that near.
    ///
    /// The table is made anew for other cells, and when the distance has shrunk to so little of what it was made for that rounding would let
    /// too many rows pass. Making it takes O(dimension), some 15 ns for each.
    ///
    /// - Parameters:
    ///   - distance: In the metric's units, finite.
    ///   - errors: Those of the rows' codes.
    package mutating func limit(distance: Double, cells wanted: NibbleCells, errors: CodeErrors) -> UInt8? {
        if cells !== wanted {
            cells = wanted
            allowance = -1
            prepare(wanted)
        }
        let (least, most) = metric == .innerProduct ? (magnitude * 0x1p-20, 4 * magnitude) : (0x1p-10, 0x1p40)
        let allowed = unsafe allowance(of: distance, grid: wanted.grid.view, errors: errors)
        guard allowed >= 0 else { return nil }
        // A table for less than the least would say no more, and no sum exceeds the most.
        let clamped = min(max(allowed, least), most)
        if clamped > allowance || clamped < 0.4 * allowance {
            allowance = clamped
            makeTable(wanted)
        }
        return UInt8(min(254, 254 * min(allowed, most) / allowance * (1 + Self.slack)))
    }

    private static let slack = 0x1p-33

    /// The P of a distance.
    private func allowance(of distance: Double, grid: CodeGridView, errors: CodeErrors) -> Double {
        switch metric {
        case .squaredL2: return Self.squaredSteps(distance, scale: grid.scale)
        case .cosine: return Self.squaredSteps(2 * distance + 0x1p-34, scale: grid.scale)
        case .innerProduct:
            let error = grid.scale * errors.eightBits * norm
            return distance + constant + error + Self.slack * (magnitude + error + abs(distance))
        }
    }

    /// T² ∕ scale², by way of T: the square of a scale may be less than any double.
    private static func squaredSteps(_ squared: Double, scale: Double) -> Double {
        let steps = squared.squareRoot() / scale
        return steps * steps * (1 + slack)
    }

    /// Computes what the allowance of an inner product takes of the query and the grid.
    private mutating func prepare(_ cells: NibbleCells) {
        guard metric == .innerProduct else { return }
        let grid = unsafe cells.grid.view
        constant = 0
        magnitude = .leastNormalMagnitude
        for j in 0..<dimension {
            let q = unsafe Double(query[j])
            let offset = unsafe grid.offsets[j] * q
            let step = -grid.scale * q
            constant += offset - min(step, 255 * step)
            magnitude += abs(offset) + 256 * abs(step)
        }
    }

    private func makeTable(_ cells: NibbleCells) {
        // The terms of an inner product are computed in units of the magnitude, so that they are floats.
        let unit = metric == .innerProduct ? magnitude : 1
        let factor = Float(254 * unit / allowance * (1 - 0x1p-16))
        for j in 0..<dimension {
            let terms = (metric == .innerProduct ? products(j, cells, unit: unit) : squaredGaps(j, cells)) * factor
            let bytes = SIMD16<UInt8>(
                truncatingIfNeeded: SIMD16<Int32>(pointwiseMin(terms, Lanes(repeating: 255)), rounding: .towardZero))
            unsafe UnsafeMutableRawPointer(table + 16 * j).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
        }
        if dimension % 2 != 0 {
            unsafe UnsafeMutableRawPointer(table + 16 * dimension).storeBytes(of: .zero, as: SIMD16<UInt8>.self)
        }
    }

    /// The g_j² of each cell.
    private func squaredGaps(_ j: Int, _ cells: NibbleCells) -> Lanes {
        let grid = unsafe cells.grid.view
        let coordinate = unsafe metric == .cosine ? Double(query[j]) / norm : Double(query[j])
        let y = Float(min(max((coordinate - (unsafe grid.offsets[j])) / grid.scale, -1024), 1024))
        let gap = pointwiseMax(pointwiseMax(cells.lows[j] - y, y - cells.highs[j]) - 0x1p-10, Lanes.zero)
        return gap * gap
    }

    /// The differences min(p_j a, p_j b) − m_j of each cell.
    private func products(_ j: Int, _ cells: NibbleCells, unit: Double) -> Lanes {
        let step = unsafe Float(-cells.grid.view.scale * Double(query[j]) / unit)
        let least = min(step, 255 * step) + abs(step) * 0x1p-12
        return pointwiseMax(pointwiseMin(cells.firsts[j] * step, cells.lasts[j] * step) - least, Lanes.zero)
    }
}
