import KinCore

// The coordinates of a vector x along axes P are z = P (x − c), with c the mean; for cosine they are P (x ∕ ‖x‖ − c).
// So
//
//     ‖z_x − z_q‖² = ‖P (x − q)‖² ≤ ‖P‖² ‖x − q‖²
//
// for every P: directions outside the axes can only increase a distance. A row too far from a query along the axes is
// too far from it.
//
// # Rounding
//
// A product is P x, divided by ‖x‖ in double precision for cosine, minus P c, which was computed in double precision.
// For any order of summation, each coordinate has an error of at most γ_d ‖P_i‖ ‖x‖ with γ_d < 1.01 d 2⁻²⁴ (Higham
// 2002, "Accuracy and Stability of Numerical Algorithms", section 3.1), and rounding z itself adds 2⁻²⁴ |z_i|.
// Subnormal numbers may lose 2⁻¹²⁶ in every operation. So the error of a row of m coordinates is less than
//
//     2 √m (d + 8) ‖P‖ (2⁻²⁴ (‖x‖ + ‖c‖) + 2⁻¹²⁶)
//
// in the norm. For cosine, ‖x‖ is 1 and the last term is divided by the vector's length.

extension PrincipalAxes {
    /// Projects vectors onto the axes.
    ///
    /// - Parameters:
    ///   - rows: The vectors; not zero for cosine.
    ///   - metric: The metric for comparing them.
    ///   - coordinates: Receives ``count`` floats per row, all finite.
    ///   - body: Receives each row's number, the largest error of its coordinates in the norm, and the vector's squared
    ///     norm. A row that is not finite, or too long, has an infinite uncertainty and coordinates of zero.
    /// - Complexity: O(rows · d · m).
    package func project(
        _ rows: PaddedRows, metric: Metric, into coordinates: UnsafeMutablePointer<Float>,
        _ body: (_ row: Int, _ uncertainty: Double, _ squaredNorm: Double) -> Void
    ) {
        let (m, d) = (count, dimension)
        unsafe axes.withUnsafeBufferPointer { axes in
            let axes = unsafe MatrixOperand(.none, axes.baseAddress!, rows: m, columns: d, stride: d)
            BLAS.withOneThread {
                if rows.count == 1 {
                    unsafe Float.gemv(axes, rows.base, beta: 0, into: coordinates)
                } else {
                    unsafe Float.gemm(
                        MatrixOperand(.none, rows.base, rows: rows.count, columns: d, stride: rows.stride),
                        axes.transposed, beta: 0,
                        into: MatrixTarget(coordinates, rows: rows.count, columns: m, stride: m))
                }
            }
        }
        let growth = 2 * (Double(m) * stretch).squareRoot() * Double(d + 8)
        for r in 0..<rows.count {
            let row = unsafe rows.base + r * rows.stride
            let z = unsafe coordinates + r * m
            var squares = 0.0
            for j in 0..<d { unsafe squares += Double(row[j]) * Double(row[j]) }
            let norm = squares.squareRoot()
            let factor = metric.comparesDirections ? 1 / norm : 1
            var isFinite = norm < Self.longest && factor.isFinite
            for i in 0..<m {
                let value = unsafe Float(Double(z[i]) * factor - meanCoordinates[i])
                unsafe z[i] = value
                isFinite = isFinite && value.isFinite
            }
            guard isFinite else {
                unsafe z.update(repeating: 0, count: m)
                body(r, .infinity, squares)
                continue
            }
            let length = metric.comparesDirections ? 1 : norm
            body(r, growth * (0x1p-24 * (length + meanNorm) + 0x1p-126 * max(factor, 1)), squares)
        }
    }

    /// The length above which products could overflow.
    private static let longest = 0x1p120
}
