import KinLinearAlgebra

/// The coordinates in which boxes are computed: the vectors' own, or those along the principal axes of the data.
///
/// A rotation keeps all distances and inner products, and along principal axes fewer boxes meet the neighbourhood of a query
/// when the data are correlated. For cosine, coordinates are those of the vector divided by its length.
///
/// # Rounding
///
/// Coordinates are floats. Without a rotation squared L2 and inner product take the vectors as they are. Otherwise
/// z_i = Σ_j R_ij (x_j − c_j), of which each operation is wrong by 2⁻²⁴ of its result at most: in all by less than
/// (d + 4) 2⁻²⁴ ‖x − c‖ ‖R_i‖, and the rows of R are of length 1 up to 10⁻⁶. ``project(_:into:)`` returns twice that, and what
/// numbers below the smallest normal one may lose; boxes and queries are widened by it. Coordinates are always finite.
struct PruningFrame: Sendable, Equatable {
    let dimension: Int
    let metric: Metric
    /// c, or empty without a rotation.
    let centre: [Float]
    /// Column-major: stride floats for each dimension j of the vector, R_0j … R_(d−1)j; empty without a rotation.
    let rotation: [Float]

    var stride: Int { (dimension + 7) & ~7 }
    var isRotated: Bool { !rotation.isEmpty }

    /// By how much squared distances in the frame may exceed those of the vectors: the rotation is of floats, each wrong by
    /// 2⁻²⁵ of at most 1, so as a matrix it is wrong by less than d 2⁻²⁵ in norm; this is twice what its square makes of that.
    var stretch: Double { isRotated ? 1 + Double(dimension) * 0x1p-22 : 1 }
}

extension PruningFrame {
    /// The vectors' own coordinates.
    init(dimension: Int, metric: Metric) { self.init(dimension: dimension, metric: metric, centre: [], rotation: []) }

    /// Projects a vector into the frame, as ``PruningFrameView/project(_:into:)`` does.
    func project(_ row: UnsafePointer<Float>, into z: UnsafeMutablePointer<Float>) -> Float {
        withView { unsafe $0.project(row, into: z) }
    }

    /// Calls back with a view of the frame, which must not outlive the call.
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

    /// Calls back with the coordinates of a vector, stride floats, and how far one may be from the exact one.
    ///
    /// Where they are the vector's own, they are not copied. Else they lie on the stack up to 256 dimensions.
    func withCoordinates<Result>(
        of row: UnsafePointer<Float>, _ body: (UnsafePointer<Float>, Float) -> Result
    ) -> Result {
        let isOwn = !isRotated && metric != .cosine
        let numbers = unsafe UnsafeBufferPointer(start: row, count: stride)
        if isOwn, unsafe Kernels.active.firstNotFinite(numbers) == nil { return unsafe body(row, 0) }
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: stride) { z in
            let uncertainty = unsafe project(row, count: 1, into: z.baseAddress!)
            return unsafe body(z.baseAddress!, uncertainty)
        }
    }

    /// Projects a batch of vectors into the frame; see ``project(_:into:)``.
    ///
    /// - Returns: How far any coordinate may be from the exact one.
    func project(
        _ rows: UnsafePointer<Float>, count: Int, into z: UnsafeMutablePointer<Float>
    ) -> Float {
        var uncertainty: Float = 0
        for r in 0..<count {
            uncertainty = unsafe max(uncertainty, project(rows + r * stride, into: z + r * stride))
        }
        let projected = unsafe UnsafeMutableBufferPointer(start: z, count: count * stride)
        guard unsafe Kernels.active.firstNotFinite(UnsafeBufferPointer(projected)) != nil else { return uncertainty }
        // Only a damaged file holds such rows: they are no neighbours, and must not trap what follows.
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

    /// The length from which coordinates could overflow. Those of longer vectors are set to zero with an infinite uncertainty: the box
    /// of such a vector is infinite, an infinite box is not coded, and its list is always visited.
    private static let longest = 0x1p120

    /// Projects a vector into the frame.
    ///
    /// - Parameters:
    ///   - row: stride floats.
    ///   - z: Receives stride floats, zeros past the dimension.
    /// - Returns: How far a coordinate may be from the exact one.
    func project(_ row: UnsafePointer<Float>, into z: UnsafeMutablePointer<Float>) -> Float {
        let stride = (dimension + 7) & ~7
        // In double precision: the inverse of a very long or very short vector's length is no float.
        let factor = metric == .cosine ? unsafe 1 / length(row) : 1
        guard let rotation = unsafe rotation, let centre = unsafe centre else {
            guard metric == .cosine else {
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
        let length = squares.squareRoot() + (metric == .cosine ? 1 : 0)
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
