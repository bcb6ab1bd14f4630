/// The grid for coding a group of rows: x̂_j = offset_j + scale · u_j with codes u_j in 1…255.
///
/// All dimensions use the same scale, so that a distance between codes is a distance between vectors divided by the
/// scale. No row has the code 0. The proof in ``SquaredBound`` needs this: a query outside the grid is clamped to its
/// edge, and every row must be on the inner side of that edge. The kernels need it for weights in −127…127.
///
/// A class, because the chunks of an index share it: a query coded for a grid remains coded for the next chunk on the
/// same grid.
@safe
package final class CodeGrid: Sendable {
    /// One offset per dimension, and zeros past the last (4 · groups in total).
    package let offsets: [Double]

    /// The grid without its owner, for searches that retain the owner themselves.
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

/// The numbers of a ``CodeGrid`` at an address that is valid while the grid exists. Copying this view changes no
/// reference count; a search that meets a grid in every list would change hundreds.
@safe
package struct CodeGridView {
    /// 4 · groups offsets.
    let offsets: UnsafePointer<Double>
    let scale: Double
    /// ‖offsets‖, used in rounding bounds.
    let offsetNorm: Double

    /// Equal for views of the same grid, and different for all other live grids.
    @inline(__always)
    package var identity: UnsafeRawPointer { unsafe UnsafeRawPointer(offsets) }
}

/// The largest distances of a chunk's coded rows from the original rows, in stored code steps.
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

    /// Widens both bounds to cover the bounds of other rows.
    package mutating func formUnion(_ other: CodeErrors) {
        eightBits = max(eightBits, other.eightBits)
        sixBits = max(sixBits, other.sixBits)
    }
}
