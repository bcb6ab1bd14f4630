/// The grid on which boxes are coded: a coordinate z lies at (z − offset_j) ∕ step, in 0…255.
///
/// Corners are rounded outwards, so that a coded box holds the true one. Positions are computed in single precision: one
/// subtraction, one division by multiplying with a rounded inverse. For coordinates inside the grid that is wrong by
/// less than 256 · 4 · 2⁻²⁴ < 10⁻⁴ steps (the offset is a float, and what a subtraction rounds is relative to its
/// result), so everything is rounded outwards by ``slack`` more.
///
/// A class, because tables share it: a query that was coded for a grid stays coded for the next table on the same one.
@safe
package final class BoxGrid: Sendable {
    /// One offset a dimension.
    package let offsets: [Float]
    /// The offsets in memory that stays where it is, for views of tables.
    nonisolated(unsafe) let steadyOffsets: UnsafePointer<Float>
    /// The width of a code step, positive.
    package let step: Float
    let inverse: Float

    static let slack: Float = 1e-4

    /// Its inverse, and its square in double precision, are far from overflow.
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

    /// The finest grid that holds the box from `low` to `high` with a sixteenth of its width to spare at each end.
    package convenience init(low: [Float], high: [Float]) {
        var width = 0.0
        var magnitude = 0.0
        for (l, h) in zip(low, high) {
            width = max(width, Double(h) - Double(l))
            magnitude = max(magnitude, Double(max(abs(l), abs(h))))
        }
        // A step that is lost beside the coordinates themselves would be lost in rounding.
        let step = max(width * (1 + 2 / 16) / 250, magnitude * 0x1p-18, Double(Self.smallestStep))
        self.init(
            offsets: zip(low, high).map { Float((Double($0) + Double($1)) / 2 - 127.5 * step) }, step: Float(step))
    }

    @inline(__always)
    func position(_ z: Float, _ j: Int) -> Float { (z - offsets[j]) * inverse }

    /// Whether a point that is off by at most `uncertainty` surely lies in the grid.
    ///
    /// - Parameter z: As many coordinates as there are offsets.
    package func holds(_ z: UnsafePointer<Float>, uncertainty: Float) -> Bool {
        offsets.indices.allSatisfy { unsafe codes(low: z[$0] - uncertainty, high: z[$0] + uncertainty, $0) != nil }
    }

    /// The codes of an interval rounded outwards, or nil when it does not lie in the grid or is none, as around rows of a
    /// damaged file that hold no numbers.
    func codes(low: Float, high: Float, _ j: Int) -> (low: UInt8, high: UInt8)? {
        let l = (position(low, j) - Self.slack).rounded(.down)
        let h = (position(high, j) + Self.slack).rounded(.up)
        guard l >= 0, l <= h, h <= 255 else { return nil }
        return (UInt8(l), UInt8(h))
    }
}
