/// The bound of a coded query on squared L2 distance: turns a distance into a limit on code distances.
///
/// # The bound
///
/// All lengths are in code steps of one precision. The row is x = u + ε with integer codes u and ‖ε‖ ≤ E. The query is
/// y = v + r, where v rounds y to an integer inside the range of the codes. Let p = ‖u − v‖², an integer that the
/// kernels compute. The bound is the largest p that a row within distance T of the query can have.
///
/// Split the dimensions into *inner* ones, where y is in the range of the codes and so |r_j| ≤ ½, and *outer* ones,
/// where y was clamped to the edge. In an outer dimension u_j − v_j and r_j never have the same sign (u_j is on the
/// inner side of the edge, y_j on the outer), so (u_j − v_j − r_j)² ≥ (u_j − v_j)² + r_j². Let r_in and r_out be the
/// two parts of r. Then
///
///     ‖u − y‖² ≥ ‖u − v − r_in‖² + ‖r_out‖² ≥ (√p − ‖r_in‖)² + ‖r_out‖²   when √p ≥ ‖r_in‖,
///
/// and ‖x − y‖ ≥ ‖u − y‖ − E. So a row with ‖x − y‖ ≤ T satisfies
///
///     √p ≤ ‖r_in‖ + √((T + E)² − ‖r_out‖²),
///
/// (rows with √p < ‖r_in‖ satisfy it anyway), and no row does if (T + E)² < ‖r_out‖². Since neither E nor r depends on
/// the distribution of the data, this is valid for any data; wide rows and far queries only make it less sharp.
///
/// Cosine distance is half the squared L2 distance of the normalised vectors, so this bound also screens for cosine:
/// rows and queries are normalised before coding. Neighbours by angle are near each other, and there this bound is
/// sharp; ``ProductBound`` would retain about twenty times the rows.
///
/// # Rounding
///
/// y_j is computed by one subtraction and one division in double precision, so its error is at most 2⁻⁵²|y_j|. The
/// distances compared at the end are sums in double precision with a relative error below d · 2⁻⁵³ ≤ 2⁻³⁷. Widening T²
/// by 2⁻³³ of itself and shrinking ‖r_out‖² by the same share more than covers both. One part in 2³³ and one additional
/// unit on p cover the square roots.
struct SquaredBound: Sendable {
    /// ‖v‖²: the kernels compute (p − ‖v‖²) ∕ 2.
    var centreSquared = 0.0
    /// The norm ‖r_in‖ of the inner remainder.
    var inner = 0.0
    /// The squared norm ‖r_out‖² of the outer remainder.
    var outerSquared = 0.0

    private static let slack = 0x1p-33

    /// The kernels' limit for rows within the squared distance `distance` of the query.
    ///
    /// - Parameters:
    ///   - distance: T², in squared units of the data.
    ///   - scale: Units of the data in one step of the precision.
    ///   - error: E, in steps of the precision.
    ///   - largest: The largest possible p, dimension · (highest code)².
    /// - Returns: ⌊(p − ‖v‖²) ∕ 2⌋ for the largest p allowed, or `Int32.min` if no row can be that near.
    @inline(__always)
    func limit(distance: Double, scale: Double, error: Double, largest: Double) -> Int32 {
        let radius = (distance * (1 + Self.slack)).squareRoot() / scale + error
        let room = radius * radius * (1 + Self.slack) - outerSquared * (1 - Self.slack)
        guard room >= 0 else { return Int32.min }
        let root = inner + room.squareRoot()
        let allowed = root * root * (1 + Self.slack) + 1
        // NaN and infinity also take this branch: everything passes.
        guard allowed < largest else { return Int32(floorOf: (largest - centreSquared) / 2) }
        return Int32(floorOf: (allowed - centreSquared) / 2)
    }
}
