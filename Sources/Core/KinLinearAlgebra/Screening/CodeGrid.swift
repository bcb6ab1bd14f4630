/// The grid on which a group of rows is coded: x̂_j = offset_j + scale · u_j with codes u_j in 1…255.
///
/// One scale serves all dimensions, so that a distance between codes is a distance between vectors divided by the
/// scale. The code 0 is never given to a row: a query that lies outside the grid is clamped to its edge, and the proof
/// in ``SquaredBound`` needs every row on the inner side of that edge, while the kernels need weights in −127…127.
///
/// A class, because the chunks of an index share it: a query that was coded for a grid stays coded for the next chunk
/// when that is on the same grid.
@safe
package final class CodeGrid: Sendable {
    /// One offset a dimension, zero past the last (4 · groups in all).
    package let offsets: [Double]

    /// The grid without its owner, for searches that hold on to the owner themselves.
    package nonisolated(unsafe) let view: CodeGridView

    /// The width of one code step, positive.
    package let scale: Double

    package init(offsets: [Double], scale: Double) {
        precondition(scale > 0 && scale.isFinite, "the scale of a grid is positive")
        self.offsets = offsets
        self.scale = scale
        let steady = UnsafeMutablePointer<Double>.allocate(capacity: offsets.count)
        unsafe steady.initialize(from: offsets, count: offsets.count)
        let norm = offsets.reduce(0) { $0 + $1 * $1 }.squareRoot()
        unsafe view = CodeGridView(offsets: UnsafePointer(steady), scale: scale, offsetNorm: norm)
    }

    deinit { unsafe view.offsets.deallocate() }
}

/// The numbers of a ``CodeGrid`` in memory that stays as long as that lives: copying it counts no references, of
/// which a search that meets a grid in every list would pay for hundreds.
@safe
package struct CodeGridView {
    /// 4 · groups offsets.
    let offsets: UnsafePointer<Double>
    let scale: Double
    /// ‖offsets‖, used in rounding bounds.
    let offsetNorm: Double

    /// The same for views of one grid, and for no two others that live.
    @inline(__always)
    package var identity: UnsafeRawPointer { unsafe UnsafeRawPointer(offsets) }
}

/// The largest distances of the coded rows of a chunk from the true ones, in stored code steps.
///
/// error₈ ≥ ‖(x − offset) ∕ scale − u‖ and error₆ ≥ ‖(x − offset) ∕ scale − (4⌊u ∕ 4⌋ + 1.5)‖ for every row of the
/// chunk except its listed outliers.
package struct CodeErrors: Sendable, Equatable {
    package var eightBits: Double
    package var sixBits: Double

    package init(eightBits: Double = 0, sixBits: Double = 0) {
        self.eightBits = eightBits
        self.sixBits = sixBits
    }

    /// The bound for one precision, in steps of that precision.
    func bound(_ precision: CodePrecision) -> Double {
        precision == .eightBits ? eightBits : sixBits / 4
    }

    /// Widens both bounds to hold for one more row.
    package mutating func formUnion(_ other: CodeErrors) {
        eightBits = max(eightBits, other.eightBits)
        sixBits = max(sixBits, other.sixBits)
    }
}
