package import KinCore

extension Cholesky {
    /// A ← A + x xᵀ, in O(n²).
    ///
    /// Rotations that turn [L x] into [L′ 0] (Gill, Golub, Murray and Saunders 1974, "Methods for modifying matrix
    /// factorizations", Mathematics of Computation 28, doi:10.2307/2005923): rotation k takes the k-th element of x into
    /// the diagonal element k. Every row meets the rotations of the rows above it and ends with its own, so that L is
    /// read once, row by row. Rotations are orthogonal, so each update adds an error of the order of n · ε · ‖A‖ only.
    ///
    /// - Throws: ``KinError/Code/dimensionMismatch`` unless x has n elements, ``KinError/Code/notFinite`` when one is
    ///   NaN or infinite, ``KinError/Code/numericalFailure`` on overflow. A ← A when it throws.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    package mutating func update(_ x: [Scalar]) throws(KinError) {
        try check(x)
        let n = order
        var updated = factor
        var rotations: [(c: Scalar, s: Scalar)] = []
        rotations.reserveCapacity(n)
        var l = updated.mutableSpan
        for i in 0..<n {
            var rest = x[i]
            for k in 0..<i {
                let (c, s) = rotations[k]
                let element = l[i * n + k]
                l[i * n + k] = c * element + s * rest
                rest = c * rest - s * element
            }
            let diagonal = l[i * n + i]
            let radius = hypotenuse(diagonal, rest)
            rotations.append((diagonal / radius, rest / radius))
            l[i * n + i] = radius
        }
        try commit(updated)
    }

    /// A ← A − x xᵀ, in O(n²), when that is still positive definite.
    ///
    /// With L p = x, A − x xᵀ = L (I − p pᵀ) Lᵀ is positive definite exactly when ρ² = 1 − pᵀp > 0. Rotations that turn
    /// the row (p ρ) into (0 1) then turn [L 0] into [L′ x] (LINPACK's chdd; Stewart 1979, "The effects of rounding
    /// error on an algorithm for downdating a Cholesky factorization", doi:10.1093/imamat/23.2.203). A downdate that
    /// leaves little of A (a small ρ) loses as many digits as it removes: that is the problem, not the method.
    ///
    /// - Throws: As ``update(_:)``, and ``KinError/Code/numericalFailure`` when ρ² ≤ n ε, that is when A − x xᵀ is not
    ///   positive definite to working precision. A ← A when it throws.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    package mutating func downdate(_ x: [Scalar]) throws(KinError) {
        try check(x)
        let n = order
        var rotations = try downdatingRotations(x)
        rotations.reverse()
        var updated = factor
        var l = updated.mutableSpan
        for i in 0..<n {
            var removed: Scalar = 0
            for k in stride(from: i, through: 0, by: -1) {
                let (c, s) = rotations[k]
                let element = l[i * n + k]
                l[i * n + k] = c * element - s * removed
                removed = c * removed + s * element
            }
        }
        try commit(updated)
    }

    /// The rotations of a downdate, the last one first.
    private func downdatingRotations(_ x: [Scalar]) throws(KinError) -> [(c: Scalar, s: Scalar)] {
        let n = order
        let l = factor.span
        var p = x
        var squares: Scalar = 0
        for i in 0..<n {
            var rest = p[i]
            for k in 0..<i { rest -= l[i * n + k] * p[k] }
            p[i] = rest / l[i * n + i]
            squares += p[i] * p[i]
        }
        // Written so that a NaN is refused too.
        guard 1 - squares > Scalar(n) * Scalar.ulpOfOne else {
            throw KinError(
                .numericalFailure,
                "the downdated matrix would not be positive definite; remove only what was added before"
            )
        }
        var rho = (1 - squares).squareRoot()
        return p.reversed().map { element in
            let radius = hypotenuse(rho, element)
            defer { rho = radius }
            return (rho / radius, element / radius)
        }
    }

    private func check(_ x: [Scalar]) throws(KinError) {
        guard x.count == order else {
            throw KinError(.dimensionMismatch, "a matrix of order \(order) cannot change by a vector of \(x.count)")
        }
        guard let i = x.firstIndex(where: { !$0.isFinite }) else { return }
        throw KinError(.notFinite, "a rank-one change needs finite numbers, and element \(i) is \(x[i])")
    }

    /// Takes the new factor unless a number in it overflowed.
    private mutating func commit(_ updated: Matrix<Scalar>) throws(KinError) {
        guard updated.elements.allSatisfy(\.isFinite) else {
            throw KinError(.numericalFailure, "the rank-one change leaves the range of the numbers; scale the data")
        }
        factor = updated
    }
}

/// √(a² + b²) without overflow or underflow of the squares, for a > 0.
private func hypotenuse<Scalar: BLASScalar>(_ a: Scalar, _ b: Scalar) -> Scalar {
    let (large, small) = (max(a, b.magnitude), min(a, b.magnitude))
    let ratio = small / large
    return large * (1 + ratio * ratio).squareRoot()
}
