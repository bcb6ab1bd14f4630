import KinLibC

/// An arc of a circle that represents valences as vectors of one length, whose distances bound the similarity of
/// valences.
///
/// Valence v is the point (ρ cos αv, ρ sin αv). The squared chord of two valences is 4 ρ² sin²(α d ∕ 2) with
/// d = |a − b|. Since sin² y ≤ κ y for all y ≥ 0 (κ = 0.72462 is the slope of the line through 0 that touches sin²), it
/// is at most 2 ρ² κ α d. With ρ² = w ∕ (2 κ α) this is w d = 2 w (1 − s). A longer arc makes the bound tighter for
/// similar valences, which matter for matches, and looser for opposite ones.
struct ValenceArc: Sendable {
    /// The number of coordinates of a point.
    static let coordinates = 2

    /// The angle α of a unit of valence.
    private static let angle = 2.4
    /// The slope κ of the bound, rounded up.
    private static let slope = 0.7247

    /// The squared radius ρ² of the circle.
    let squaredRadius: Double

    init(weight: Double) { squaredRadius = weight / (2 * Self.slope * Self.angle) }

    /// Writes the point of a valence.
    func project(_ valence: Double, into point: UnsafeMutablePointer<Float>) {
        let radius = squaredRadius.squareRoot()
        unsafe point[0] = Float(radius * cos(Self.angle * valence))
        unsafe point[1] = Float(radius * sin(Self.angle * valence))
    }
}
