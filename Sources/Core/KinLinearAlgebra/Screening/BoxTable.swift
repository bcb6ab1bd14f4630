/// Axis-aligned boxes coded in 8 bits on one grid, laid out for the kernels.
///
/// Invariants: every box is inside the grid; its codes are rounded outwards (``BoxGrid``); memory exists for boxes past
/// `count`, up to the next multiple of 64.
///
/// A table is shared between an index and its snapshots and is changed only through a unique reference.
@safe
package final class BoxTable: @unchecked Sendable {
    package let dimension: Int
    package let groups: Int
    package let grid: BoxGrid
    /// The number of boxes that fit, a multiple of 64.
    package let capacity: Int
    package private(set) var count: Int
    /// `capacity ∕ 64` code blocks each, 64-byte aligned.
    package let lows: UnsafeMutablePointer<UInt8>
    package let highs: UnsafeMutablePointer<UInt8>
    /// Keeps the mapped file with the codes alive; nil if the table owns them.
    private let mapping: (any AnyObject & Sendable)?

    package init(dimension: Int, grid: BoxGrid, minimumCapacity: Int) {
        self.dimension = dimension
        self.grid = grid
        groups = (dimension + 3) / 4
        capacity = max(1, minimumCapacity).roundedUp(toMultipleOf: Kernels.blockRows)
        count = 0
        mapping = nil
        unsafe lows = Self.allocate(capacity * 4 * groups)
        unsafe highs = Self.allocate(capacity * 4 * groups)
    }

    /// Creates a table in a mapped file; the caller has checked that both sections contain whole blocks for `count`
    /// boxes.
    package init(
        dimension: Int, grid: BoxGrid, count: Int, lows: UnsafeMutablePointer<UInt8>,
        highs: UnsafeMutablePointer<UInt8>, mapping: any AnyObject & Sendable
    ) {
        self.dimension = dimension
        self.grid = grid
        groups = (dimension + 3) / 4
        self.count = count
        capacity = count.roundedUp(toMultipleOf: Kernels.blockRows)
        unsafe self.lows = lows
        unsafe self.highs = highs
        self.mapping = mapping
    }

    deinit {
        guard mapping == nil else { return }
        unsafe UnsafeMutableRawPointer(lows).deallocate()
        unsafe UnsafeMutableRawPointer(highs).deallocate()
    }

    private static func allocate(_ n: Int) -> UnsafeMutablePointer<UInt8> {
        let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: n, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: n)
        unsafe memory.initialize(repeating: 0, count: n)
        return unsafe memory
    }

    /// Whether the memory is a read-only mapping.
    package var isMapped: Bool { mapping != nil }

    /// The number of code blocks with at least one box.
    package var blocks: Int { count.dividedRoundingUp(by: Kernels.blockRows) }

    /// The boxes without their owner, for searches that retain the owner themselves.
    package var view: BoxTableView {
        unsafe BoxTableView(
            lows: lows, highs: highs, offsets: grid.steadyOffsets, step: grid.step, dimension: dimension,
            groups: groups, blocks: blocks)
    }

    /// The number of bytes of the codes.
    package var bytes: Int { 2 * capacity * 4 * groups }

    /// The same boxes in separate memory, with a capacity of at least `minimumCapacity`.
    package func copy(minimumCapacity: Int) -> BoxTable {
        let other = BoxTable(dimension: dimension, grid: grid, minimumCapacity: max(minimumCapacity, count))
        unsafe other.lows.update(from: lows, count: blocks * Kernels.blockRows * 4 * groups)
        unsafe other.highs.update(from: highs, count: blocks * Kernels.blockRows * 4 * groups)
        other.count = count
        return other
    }
}

/// The codes of a ``BoxTable`` and its grid, valid while the table exists and does not change.
@safe
package struct BoxTableView {
    let lows: UnsafePointer<UInt8>
    let highs: UnsafePointer<UInt8>
    let offsets: UnsafePointer<Float>
    let step: Float
    let dimension: Int
    let groups: Int
    package let blocks: Int

    /// Equal for views of tables that share a grid, and different for all other live tables.
    @inline(__always)
    package var gridIdentity: UnsafeRawPointer { unsafe UnsafeRawPointer(offsets) }

    /// Prefetches the codes of the first blocks, at most 64 boxes of 16 dimensions.
    @inline(__always)
    package func prefetch() {
        let bytes = min(groups, 4) * 4 * Kernels.blockRows
        unsafe Kernels.active.prefetch(lows, bytes: bytes)
        unsafe Kernels.active.prefetch(highs, bytes: bytes)
        unsafe Kernels.active.prefetch(offsets, bytes: 64)
    }
}

extension BoxTable {
    /// Sets a box; the index may be one past the last box.
    ///
    /// - Parameters:
    ///   - i: The index of the box.
    ///   - low: `dimension` coordinates of the lowest corner; `high` has those of the highest. The whole box is between
    ///     them.
    /// - Returns: Whether the box is inside the grid; if not, nothing changes.
    package func put(_ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        precondition(i <= count && i < capacity, "there is no such entry")
        return unsafe write(i, low: low, high: high, widening: false)
    }

    /// Sets a placeholder for a box outside the grid; the index may be one past the last box.
    package func putPlaceholder(_ i: Int) {
        precondition(i <= count && i < capacity, "there is no such entry")
        clear(i)
        count = max(count, i + 1)
    }

    /// Widens a box to include a point.
    ///
    /// - Parameters:
    ///   - low: `dimension` coordinates; the point is between them and those of `high`.
    /// - Returns: Whether the point is inside the grid; if not, nothing changes.
    package func widen(_ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        precondition(i < count, "there is no such box")
        return unsafe write(i, low: low, high: high, widening: true)
    }

    /// Writes the codes of a box or, for widening, of the smallest box around it and the present box.
    private func write(
        _ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>, widening: Bool
    ) -> Bool {
        for j in 0..<dimension {
            guard unsafe grid.codes(low: low[j], high: high[j], j) != nil else { return false }
        }
        for j in 0..<dimension {
            guard let codes = unsafe grid.codes(low: low[j], high: high[j], j) else { return false }
            let offset = codeOffset(row: i, group: j / 4, groups: groups) + j % 4
            unsafe lows[offset] = widening ? min(lows[offset], codes.low) : codes.low
            unsafe highs[offset] = widening ? max(highs[offset], codes.high) : codes.high
        }
        count = max(count, i + 1)
        return true
    }

    /// Whether a box certainly contains all points between two corners.
    package func holds(_ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        precondition(i < count, "there is no such box")
        return (0..<dimension).allSatisfy { j in
            guard let codes = unsafe grid.codes(low: low[j], high: high[j], j) else { return false }
            let offset = codeOffset(row: i, group: j / 4, groups: groups) + j % 4
            return unsafe lows[offset] <= codes.low && codes.high <= highs[offset]
        }
    }

    /// Removes the boxes from an index on.
    package func removeLast(from i: Int) {
        for box in i..<count { clear(box) }
        count = min(count, i)
    }

    /// Sets all codes of a box to 0.
    private func clear(_ i: Int) {
        for group in 0..<groups {
            let offset = codeOffset(row: i, group: group, groups: groups)
            unsafe (lows + offset).update(repeating: 0, count: 4)
            unsafe (highs + offset).update(repeating: 0, count: 4)
        }
    }
}
