import KinCore

/// Axis-aligned boxes coded in 8 bits on one grid, laid out for the kernels.
///
/// Invariants: every box is inside the grid; its codes are rounded outwards (``BoxGrid``); memory exists for boxes past
/// `count`, up to the next multiple of 64. A table with a capacity of at least ``fewestWithOuter`` boxes has a second
/// table, `outer`. Its box b is the smallest box around the boxes 64 b … 64 b + 63, so the bound on a distance from it
/// is never larger than theirs.
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
    /// The boxes around each block of 64, on the same grid; nil in a small table.
    package let outer: BoxTable?
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
        outer = Self.outer(for: capacity, dimension: dimension, grid: grid)
    }

    /// The smallest number of boxes worth an outer table: bounding the boxes around 64 of them first is then faster.
    package static let fewestWithOuter = 2048

    private static func outer(for capacity: Int, dimension: Int, grid: BoxGrid) -> BoxTable? {
        guard capacity >= fewestWithOuter else { return nil }
        return BoxTable(dimension: dimension, grid: grid, minimumCapacity: capacity / Kernels.blockRows)
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
        outer = Self.outer(for: capacity, dimension: dimension, grid: grid)
        for b in 0..<blocks { encloseBlock(b) }
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
    package var bytes: Int { 2 * capacity * 4 * groups + (outer?.bytes ?? 0) }

    /// The same boxes in separate memory, with a capacity of at least `minimumCapacity`.
    package func copy(minimumCapacity: Int) -> BoxTable {
        let other = BoxTable(dimension: dimension, grid: grid, minimumCapacity: max(minimumCapacity, count))
        other.copyBoxes(from: self)
        return other
    }

    /// Copies the boxes of a table of at most this capacity into this empty table.
    private func copyBoxes(from boxes: BoxTable) {
        unsafe lows.update(from: boxes.lows, count: boxes.blocks * Kernels.blockRows * 4 * groups)
        unsafe highs.update(from: boxes.highs, count: boxes.blocks * Kernels.blockRows * 4 * groups)
        count = boxes.count
        if let outer, let known = boxes.outer {
            outer.copyBoxes(from: known)
        } else {
            for b in 0..<blocks { encloseBlock(b) }
        }
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

    /// The boxes of one block of 64.
    package func block(_ b: Int) -> BoxTableView {
        let first = b * Kernels.blockRows * 4 * groups
        return unsafe BoxTableView(
            lows: lows + first, highs: highs + first, offsets: offsets, step: step, dimension: dimension,
            groups: groups, blocks: 1)
    }

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
        encloseBlock(i / Kernels.blockRows)
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
        encloseBlock(i / Kernels.blockRows)
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
        outer?.removeLast(from: blocks)
        if blocks > 0 { encloseBlock(blocks - 1) }
    }

    /// Sets all codes of a box to 0.
    private func clear(_ i: Int) {
        for group in 0..<groups {
            let offset = codeOffset(row: i, group: group, groups: groups)
            unsafe (lows + offset).update(repeating: 0, count: 4)
            unsafe (highs + offset).update(repeating: 0, count: 4)
        }
    }

    /// Sets the box around a block's boxes in the outer table, if any. O(64 · dimension).
    private func encloseBlock(_ b: Int) {
        guard let outer else { return }
        let rows = min(Kernels.blockRows, count - b * Kernels.blockRows)
        for j in 0..<4 * groups {
            let first = codeOffset(row: b * Kernels.blockRows, group: j / 4, groups: groups) + j % 4
            var (low, high) = (UInt8.max, UInt8.min)
            for row in 0..<rows {
                unsafe low = min(low, lows[first + 4 * row])
                unsafe high = max(high, highs[first + 4 * row])
            }
            let offset = codeOffset(row: b, group: j / 4, groups: groups) + j % 4
            unsafe outer.lows[offset] = low
            unsafe outer.highs[offset] = high
        }
        outer.count = max(outer.count, b + 1)
    }
}
