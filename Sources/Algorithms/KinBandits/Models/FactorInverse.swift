import KinLinearAlgebra

/// The inverse of a factor, L⁻ᵀ, and its codes in 16 bits, for many products with it.
struct FactorInverse: Sendable {
    /// The upper triangle L⁻ᵀ.
    let matrix: Matrix<Double>
    /// Bounds on lengths of rows times the triangle; nil where there are none.
    let screen: TriangleScreen?

    /// Makes the inverse of a packed factor, and the codes for its screen.
    ///
    /// - Complexity: O(n³).
    init(_ factor: PackedFactor) {
        matrix = factor.inverseTransposed()
        screen = TriangleScreen(upper: matrix)
    }
}

/// A value that follows from others beside it, and so takes no part in comparisons.
struct Remembered<Value: Sendable>: Sendable, Hashable {
    /// The value; nil when it is not known.
    var value: Value?

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into _: inout Hasher) {}
}
