/// The bound of a coded query on inner products: turns a distance −⟨x, q⟩ into a limit on code sums.
///
/// # The bound
///
/// The row is x = o + s (u + ε) with integer codes u, ‖ε‖ ≤ E. The query is q = −α (w + ρ) with integer weights w and
/// |ρ_j| ≤ ½; α is chosen so that the largest weight just fits. With S = Σ u_j w_j, the integer the kernels compute,
///
///     −⟨x, q⟩ = −⟨o, q⟩ + s α (S + Σ u_j ρ_j) − s ⟨ε, q⟩.
///
/// Let m be the middle of the code range, so that |u_j − m| ≤ m. Then
///
///     Σ u_j ρ_j = m Σ ρ_j + Σ (u_j − m) ρ_j ≥ m Σ ρ_j − m Σ |ρ_j|,      ⟨ε, q⟩ ≤ E ‖q‖,
///
/// and a row with −⟨x, q⟩ ≤ τ satisfies
///
///     S ≤ (τ + ⟨o, q⟩ + s E ‖q‖) ∕ (s α) − m Σ ρ_j + m Σ |ρ_j|.
///
/// For a known S, its −⟨x, q⟩ is at least the bound of the first inequality, and at most
///
///     −⟨o, q⟩ + s α (S + m Σ ρ_j + m Σ |ρ_j|) + s E ‖q‖.
///
/// # Rounding
///
/// The distances compared at the end are sums of d products in double precision. Their error is at most d · 2⁻⁵³ ‖x‖
/// ‖q‖ with ‖x‖ ≤ ‖o‖ + s (2m √d + E), and ⟨o, q⟩ has an error of the same kind. Adding 2⁻³³ of all magnitudes, and one
/// unit on S, covers both and the errors of the few operations here.
struct ProductBound: Sendable {
    /// The inner product ⟨o, q⟩ with the offsets.
    var offsetProduct = 0.0
    /// The norm ‖q‖ of the query.
    var norm = 0.0
    /// The step α of the weights.
    var step = 1.0
    /// −m Σ ρ_j + m Σ |ρ_j|, the largest widening of the limit by rounding the query.
    var rounding = 0.0
    /// The norms ‖o‖ and 2m √d, for the bound on ‖x‖.
    var offsetNorm = 0.0
    var codeNorm = 0.0

    private static let slack = 0x1p-33

    /// The kernels' limit for rows with −⟨x, q⟩ ≤ `distance`; shapes as in ``SquaredBound``.
    @inline(__always)
    func limit(distance: Double, scale: Double, error: Double, largest: Double) -> Int32 {
        let rowNorm = offsetNorm + scale * (codeNorm + error)
        let margin = scale * error * norm + Self.slack * (rowNorm * norm + abs(distance) + abs(offsetProduct))
        let sum = (distance + offsetProduct + margin) / (scale * step) + rounding
        let allowed = sum + Self.slack * abs(sum) + 1
        guard allowed > -largest else { return Int32.min }
        // NaN and infinity also take this branch: everything passes.
        guard allowed < largest else { return Int32(largest) }
        return Int32(floorOf: allowed)
    }
}
