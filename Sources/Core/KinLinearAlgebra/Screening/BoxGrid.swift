/// The grid for coding boxes: coordinate z is at position (z − offset_j) ∕ step, in 0…255.
///
/// Corners are rounded outwards, so that a coded box contains the original box. Positions are computed in single
/// precision: one subtraction, and one multiplication with a rounded inverse. For coordinates inside the grid the error
/// is less than 256 · 4 · 2⁻²⁴ < 10⁻⁴ steps, because the offset is a float and the rounding error of a subtraction is
/// relative to its result. So everything is rounded outwards by an additional ``slack``.
///
/// A class, because tables share it: a query coded for a grid remains coded for the next table on the same grid.
@safe
package final class BoxGrid: Sendable {
    /// One offset per dimension.
    package let offsets: [Float]
    /// The offsets at a fixed address, for views of tables.
    nonisolated(unsafe) let steadyOffsets: UnsafePointer<Float>
    /// The width of a code step, positive.
    package let step: Float
    let inverse: Float

    static let slack: Float = 1e-4

    /// The smallest step: its inverse, and its square in double precision, are far from overflow.
    package static let smallestStep: Float = 0x1p-90

    package init(offsets: [Float], step: Float) {
        precondition(step > 0 && step.isFinite, "the step of a grid is positive")
        self.offsets = offsets
        self.step = step
        inverse = 1 / step
        let steady = UnsafeMutablePointer<Float>.allocate(capacity: offsets.count)
        unsafe steady.initialize(from: offsets, count: offsets.count)
        unsafe steadyOffsets = UnsafePointer(steady)
    }

    deinit { unsafe steadyOffsets.deallocate() }

    /// The finest grid that contains the box from `low` to `high` with a sixteenth of its width in reserve at each end.
    package convenience init(low: [Float], high: [Float]) {
        var width = 0.0
        var magnitude = 0.0
        for (l, h) in zip(low, high) {
            width = max(width, Double(h) - Double(l))
            magnitude = max(magnitude, Double(max(abs(l), abs(h))))
        }
        // A step far smaller than the coordinates would be lost in rounding.
        let step = max(width * (1 + 2 / 16) / 250, magnitude * 0x1p-18, Double(Self.smallestStep))
        self.init(
            offsets: zip(low, high).map { Float((Double($0) + Double($1)) / 2 - 127.5 * step) }, step: Float(step))
    }

    @inline(__always)
    func position(_ z: Float, _ j: Int) -> Float { (z - offsets[j]) * inverse }

    /// Whether a point with an error of at most `uncertainty` is certainly inside the grid.
    ///
    /// - Parameter z: One coordinate per offset.
    package func holds(_ z: UnsafePointer<Float>, uncertainty: Float) -> Bool {
        offsets.indices.allSatisfy { unsafe codes(low: z[$0] - uncertainty, high: z[$0] + uncertainty, $0) != nil }
    }

    /// The codes of an interval rounded outwards; nil if it is not inside the grid or not an interval, such as around
    /// rows of a damaged file that contain no numbers.
    func codes(low: Float, high: Float, _ j: Int) -> (low: UInt8, high: UInt8)? {
        let l = (position(low, j) - Self.slack).rounded(.down)
        let h = (position(high, j) + Self.slack).rounded(.up)
        guard l >= 0, l <= h, h <= 255 else { return nil }
        return (UInt8(l), UInt8(h))
    }
}
