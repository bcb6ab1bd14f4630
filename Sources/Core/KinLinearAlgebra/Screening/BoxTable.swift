import KinCore

/// Axis-aligned boxes coded in 8 bits on one grid, laid out for the kernels.
///
/// Invariants: every box lies in the grid; its codes are rounded outwards (``BoxGrid``); places past `count` up to the next
/// multiple of 64 exist. A table with room for ``fewestWithOuter`` boxes has one more, `outer`, whose box b is the smallest
/// around the boxes 64 b … 64 b + 63: no bound on a distance from it is larger than theirs.
///
/// A table is shared between an index and its snapshots and is only changed through the only reference to it.
@safe
package final class BoxTable: @unchecked Sendable {
    package let dimension: Int
    package let groups: Int
    package let grid: BoxGrid
    /// Boxes there is room for, a multiple of 64.
    package let capacity: Int
    package private(set) var count: Int
    /// capacity ∕ 64 code blocks each, 64-byte aligned.
    package let lows: UnsafeMutablePointer<UInt8>
    package let highs: UnsafeMutablePointer<UInt8>
    /// The boxes around each block of 64, on the same grid; nil in a table for few.
    package let outer: BoxTable?
    /// Keeps a mapped file alive that the codes lie in; nil when the table owns them.
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

    /// The number of boxes from which on it is quicker to bound first those around 64 of them.
    package static let fewestWithOuter = 2048

    private static func outer(for capacity: Int, dimension: Int, grid: BoxGrid) -> BoxTable? {
        guard capacity >= fewestWithOuter else { return nil }
        return BoxTable(dimension: dimension, grid: grid, minimumCapacity: capacity / Kernels.blockRows)
    }

    /// A table in a mapped file; the caller has checked that both sections hold whole blocks for `count` boxes.
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

    /// Code blocks that hold at least one box.
    package var blocks: Int { count.dividedRoundingUp(by: Kernels.blockRows) }

    /// The boxes without their owner, for searches that hold on to the owner themselves.
    package var view: BoxTableView {
        unsafe BoxTableView(
            lows: lows, highs: highs, offsets: grid.steadyOffsets, step: grid.step, dimension: dimension,
            groups: groups, blocks: blocks)
    }

    /// Bytes the codes take.
    package var bytes: Int { 2 * capacity * 4 * groups + (outer?.bytes ?? 0) }

    /// The same boxes in memory of their own, with room for at least `minimumCapacity`.
    package func copy(minimumCapacity: Int) -> BoxTable {
        let other = BoxTable(dimension: dimension, grid: grid, minimumCapacity: max(minimumCapacity, count))
        other.copyBoxes(from: self)
        return other
    }

    /// Copies the boxes of another table, which is no larger, into this empty one.
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

/// The codes of a ``BoxTable`` and its grid, valid as long as the table is and does not change.
@safe
package struct BoxTableView {
    let lows: UnsafePointer<UInt8>
    let highs: UnsafePointer<UInt8>
    let offsets: UnsafePointer<Float>
    let step: Float
    let dimension: Int
    let groups: Int
    package let blocks: Int

    /// The same for views of tables that share a grid, and for no two others that live.
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
    /// Sets a box, at an index that may be the one behind the last.
    ///
    /// - Parameters:
    ///   - i: The index of the box.
    ///   - low: `dimension` coordinates of the lowest corner, `high` of the highest; all of the box lies between them.
    /// - Returns: Whether the box lies in the grid; if not, nothing has changed.
    package func put(_ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        precondition(i <= count && i < capacity, "there is no such entry")
        return unsafe write(i, low: low, high: high, widening: false)
    }

    /// Sets a placeholder for a box outside the grid, at an index that may be the one behind the last.
    package func putPlaceholder(_ i: Int) {
        precondition(i <= count && i < capacity, "there is no such entry")
        clear(i)
        count = max(count, i + 1)
        encloseBlock(i / Kernels.blockRows)
    }

    /// Widens a box to hold a point as well.
    ///
    /// - Parameters:
    ///   - low: `dimension` coordinates; the point lies between them and those of `high`.
    /// - Returns: Whether the point lies in the grid; if not, nothing has changed.
    package func widen(_ i: Int, low: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        precondition(i < count, "there is no such box")
        return unsafe write(i, low: low, high: high, widening: true)
    }

    /// Writes the codes of a box, or those of the smallest around it and the present one.
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

    /// Whether a box surely holds all points between two corners.
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

    /// Sets the box around a block's boxes, in the table that has one. O(64 · dimension).
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
