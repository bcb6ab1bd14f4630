/// A proved estimate of the lengths of many rows times one upper triangle, ‖x U‖, from 16 bits of each number.
///
/// Whoever wants the largest of such lengths, or of sums with them, computes in double precision only what the estimates leave open. The
/// integer products take a third of the time of BLAS's in double precision.
///
/// # Codes
///
/// With r_k the length of row k of U, W_kj = U_kj ∕ r_k and z_k = x_k r_k give the same product y = z W, and rows of W have length 1: what the units of
/// features are does not matter. A row is coded as X = z ∕ h rounded, with h = ‖z‖ ∕ 32,766, the triangle as V = s W rounded. The kernel computes
/// X V exactly: with s at most 32,766, and such that no column of V is longer than 65,032, a sum of products of any of its parts is at most
/// ‖X‖ ‖V_j‖ ≤ (32,766 + √n ∕ 2) · 65,032 < 2³¹ for n ≤ 4,096, by Cauchy and Schwarz.
///
/// # The bound
///
///     y − (h ∕ s) X V = z (W − V ∕ s) + (z − h X) V ∕ s,
///
/// whose length is at most ‖z‖ F + (h √n ∕ 2) σ, where F is the Frobenius norm of W − V ∕ s, which is computed with the codes, and
/// σ ≤ √(‖W‖₁ ‖W‖_∞) + F bounds the spectral norm of V ∕ s. So with e = F + √n ∕ 65,532 · σ
///
///     | ‖x U‖ − (h ∕ s) ‖X V‖ | ≤ e ‖z‖.
///
/// # Rounding
///
/// ‖X V‖² is a sum in single precision of b + 4 terms one after the other, b blocks of 16 columns, whose squares are of rounded numbers: its root is
/// wrong by less than (b + 8) 2⁻²⁵ of itself, and twice that is allowed. In double precision, any order of summation of x U is wrong by at most
/// n 2⁻⁵² Σ |x_k| ‖U_k‖ ≤ n √n 2⁻⁵² ‖z‖ ≤ 6 · 10⁻¹¹ ‖z‖, and its length, which is at most √n ‖z‖, by as much again; z, h, W and F carry a few relative
/// errors of 2⁻⁵³. So 10⁻⁹ ‖z‖ allows for all of them: the bounds hold for the *computed* length too. Where ‖z‖ is not within 10⁻⁹⁹…10⁹⁹ numbers may
/// vanish or overflow on the way, and the bounds are 0 and ∞.
package struct TriangleScreen: Sendable {
    /// The lengths r_k of the rows of U, of all but the last.
    private let factors: [Double]
    private let lastFactor: Double
    /// The codes V, in the layout of `kin_triangle_job`.
    private let weights: [Int16]
    /// The factor of ‖z‖ ‖X V‖ in an estimate, and that of ‖z‖ in its error.
    private let unit, error: Double
    /// The relative error of an estimate.
    private let relativeError: Double

    /// The largest n whose codes the proof is for; what is left of a number in a sum of so many is little.
    package static let largestOrder = 4096

    /// Creates the screen of a triangle.
    ///
    /// - Parameter u: n × n with zeros below the diagonal.
    /// - Returns: nil for n above ``largestOrder``, and when a row's length is not within 10⁻¹⁵⁰…10¹⁵⁰.
    /// - Complexity: O(n²).
    package init?(upper u: Matrix<Double>) {
        let n = u.rows
        guard n > 0, n <= Self.largestOrder, let coding = TriangleCoding(u) else { return nil }
        factors = coding.lengths.dropLast()
        lastFactor = coding.lengths[n - 1]
        weights = coding.weights
        let spectral = coding.spectralBound + coding.frobeniusError
        unit = 1 / (32_766 * coding.scale)
        error = (coding.frobeniusError + Double(n).squareRoot() / 65_532 * spectral) * (1 + 1e-9) + 1e-9
        relativeError = Double((n + 15) / 16 + 8) * 0x1p-24
    }

    /// Computes bounds on the lengths of some rows times the triangle, in exact arithmetic or as computed in double precision.
    ///
    /// - Parameters:
    ///   - rows: Rows of n − 1 finite numbers.
    ///   - range: The rows to look at.
    ///   - last: The last number of each row.
    ///   - low: Receives a bound from below, at least 0, for each row of the range, at its place.
    ///   - high: Receives a bound from above.
    package func bound(
        _ rows: Matrix<Double>, _ range: Range<Int>, last: Double, low: inout [Double], high: inout [Double]
    ) {
        let count = range.count
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { lengths in
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { squares in
                unsafe rows.withUnsafeBufferPointer { rows in
                    unsafe factors.withUnsafeBufferPointer { factors in
                        unsafe weights.withUnsafeBufferPointer { weights in
                            unsafe Kernels.active.triangleNorms(
                                rows.baseAddress! + range.lowerBound * factors.count, factors: factors,
                                last: last * lastFactor, weights: weights.baseAddress!, lengths: lengths,
                                squares: squares.baseAddress!)
                        }
                    }
                }
                unsafe low.withUnsafeMutableBufferPointer { low in
                    unsafe high.withUnsafeMutableBufferPointer { high in
                        for i in 0..<count {
                            let (length, square) = unsafe (lengths[i], squares[i])
                            let estimate = length * unit * Double(square).squareRoot()
                            let error = length * error + estimate * relativeError
                            let isKnown = length >= 1e-99 && length <= 1e99
                            unsafe low[range.lowerBound + i] = isKnown ? max(0, estimate - error) : 0
                            unsafe high[range.lowerBound + i] = isKnown ? estimate + error : .infinity
                        }
                    }
                }
            }
        }
    }
}
