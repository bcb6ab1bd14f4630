/// The coordinate system of the boxes: the vectors' own, or coordinates along the principal axes of the data.
///
/// A rotation preserves all distances and inner products. If the data are correlated, fewer boxes along principal axes
/// meet the neighbourhood of a query. For cosine, the coordinates are those of the vector divided by its length.
///
/// # Rounding
///
/// Coordinates are floats. Without a rotation, squared L2 and inner product use the vectors unchanged. Otherwise z_i =
/// Σ_j R_ij (x_j − c_j), and the error of each operation is at most 2⁻²⁴ of its result. The total error is less than (d
/// + 4) 2⁻²⁴ ‖x − c‖ ‖R_i‖, and the rows of R have length 1 up to 10⁻⁶. ``project(_:into:)`` returns twice that, plus
/// the possible loss of numbers below the smallest normal one. Boxes and queries are widened by this amount.
/// Coordinates are always finite.
struct PruningFrame: Sendable, Equatable {
    let dimension: Int
    let metric: Metric
    /// The centre c; empty without a rotation.
    let centre: [Float]
    /// The matrix R, column-major: stride floats for each dimension j of the vector, R_0j … R_(d−1)j; empty without a
    /// rotation.
    let rotation: [Float]

    var stride: Int { (dimension + 7) & ~7 }
    var isRotated: Bool { !rotation.isEmpty }

    /// A bound on the ratio of squared distances in the frame to those between the vectors. The elements of the
    /// rotation are floats, each with an error of at most 2⁻²⁵, so the norm of the matrix error is below d 2⁻²⁵. The
    /// stretch is twice the effect of this error on the square.
    var stretch: Double { isRotated ? 1 + Double(dimension) * 0x1p-22 : 1 }
}

extension PruningFrame {
    /// The vectors' own coordinates.
    init(dimension: Int, metric: Metric) { self.init(dimension: dimension, metric: metric, centre: [], rotation: []) }

    /// Projects a vector into the frame, in the same way as ``PruningFrameView/project(_:into:)``.
    func project(_ row: UnsafePointer<Float>, into z: UnsafeMutablePointer<Float>) -> Float {
        withView { unsafe $0.project(row, into: z) }
    }

    /// Calls a closure with a view of the frame, which must not outlive the call.
    @inline(__always)
    func withView<Result>(_ body: (PruningFrameView) -> Result) -> Result {
        unsafe centre.withUnsafeBufferPointer { centre in
            unsafe rotation.withUnsafeBufferPointer { rotation in
                unsafe body(
                    PruningFrameView(
                        dimension: dimension, metric: metric, stretch: stretch, centre: centre.baseAddress,
                        rotation: isRotated ? rotation.baseAddress : nil))
            }
        }
    }

    /// Calls a closure with the coordinates of a vector, stride floats, and a bound on the error of each.
    ///
    /// The vector's own coordinates are not copied. Projected coordinates are on the stack up to 256 dimensions.
    func withCoordinates<Result>(
        of row: UnsafePointer<Float>, _ body: (UnsafePointer<Float>, Float) -> Result
    ) -> Result {
        let isOwn = !isRotated && !metric.comparesDirections
        let numbers = unsafe UnsafeBufferPointer(start: row, count: stride)
        if isOwn, unsafe Kernels.active.firstNotFinite(numbers) == nil { return unsafe body(row, 0) }
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: stride) { z in
            let uncertainty = unsafe project(row, count: 1, into: z.baseAddress!)
            return unsafe body(z.baseAddress!, uncertainty)
        }
    }

    /// Projects a batch of vectors into the frame; see ``project(_:into:)``.
    ///
    /// - Returns: A bound on the error of all coordinates.
    func project(
        _ rows: UnsafePointer<Float>, count: Int, into z: UnsafeMutablePointer<Float>
    ) -> Float {
        var uncertainty: Float = 0
        for r in 0..<count {
            uncertainty = unsafe max(uncertainty, project(rows + r * stride, into: z + r * stride))
        }
        let projected = unsafe UnsafeMutableBufferPointer(start: z, count: count * stride)
        guard unsafe Kernels.active.firstNotFinite(UnsafeBufferPointer(projected)) != nil else { return uncertainty }
        // Only a damaged file has such rows. They are not neighbours, and must not trap later code.
        for i in projected.indices where unsafe !projected[i].isFinite { unsafe projected[i] = 0 }
        return .infinity
    }
}

/// The numbers of a ``PruningFrame`` without references to its arrays, for searches.
@safe
struct PruningFrameView {
    let dimension: Int
    let metric: Metric
    let stretch: Double
    fileprivate let centre: UnsafePointer<Float>?
    /// nil without a rotation.
    fileprivate let rotation: UnsafePointer<Float>?

    /// The smallest length whose coordinates could overflow. Longer vectors get zero coordinates with an infinite
    /// uncertainty. The box of such a vector is infinite, an infinite box is not coded, and its list is always visited.
    private static let longest = 0x1p120

    /// Projects a vector into the frame.
    ///
    /// - Parameters:
    ///   - row: stride floats.
    ///   - z: Receives stride floats, with zeros after the dimension.
    /// - Returns: A bound on the error of each coordinate.
    func project(_ row: UnsafePointer<Float>, into z: UnsafeMutablePointer<Float>) -> Float {
        let stride = (dimension + 7) & ~7
        // In double precision, since the inverse length of a very long or very short vector may not be a float.
        let factor = metric.comparesDirections ? unsafe 1 / length(row) : 1
        guard let rotation = unsafe rotation, let centre = unsafe centre else {
            guard metric.comparesDirections else {
                unsafe z.update(from: row, count: stride)
                return 0
            }
            for j in 0..<stride { unsafe z[j] = Float(Double(row[j]) * factor) }
            return 0x1p-22
        }
        unsafe z.update(repeating: 0, count: stride)
        var squares = 0.0
        for j in 0..<dimension {
            let x = unsafe Float(Double(row[j]) * factor) - centre[j]
            squares += Double(x) * Double(x)
            let column = unsafe rotation + j * stride
            for i in 0..<stride { unsafe z[i] += x * column[i] }
        }
        let length = squares.squareRoot() + (metric.comparesDirections ? 1 : 0)
        guard length < Self.longest else {
            unsafe z.update(repeating: 0, count: stride)
            return .infinity
        }
        return 2 * Float(dimension + 4) * 0x1p-24 * Float(length) + .leastNormalMagnitude
    }

    private func length(_ row: UnsafePointer<Float>) -> Double {
        var squares = 0.0
        for j in 0..<dimension { unsafe squares += Double(row[j]) * Double(row[j]) }
        return squares.squareRoot()
    }
}
