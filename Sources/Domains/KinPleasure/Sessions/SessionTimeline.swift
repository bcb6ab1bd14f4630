package import KinCore
import KinIndex
package import KinLinearAlgebra

/// Everybody's points in blocks by the time at which the sessions began.
///
/// A search that asks for a span of time looks into the blocks that the span touches. Asking the index of all points instead
/// would mean passing over most of what is near, as it lies in other times.
///
/// Invariants: blocks are ascending in time and none is empty; a block's run, facts and points are of the same sessions.
package struct SessionTimeline: Sendable {
    /// A session on its way in.
    package struct Row: Sendable {
        package let start: Int64
        package let id: VectorID
        package let state: SessionState
        package let point: SIMD16<Float>

        package init(start: Int64, id: VectorID, state: SessionState, point: SIMD16<Float>) {
            self.start = start
            self.id = id
            self.state = state
            self.point = point
        }

        var key: Key { Key(start: start, id: id) }
    }

    /// The order of sessions in time.
    package struct Key: Sendable, Comparable {
        package let start: Int64
        package let id: VectorID

        package init(start: Int64, id: VectorID) {
            self.start = start
            self.id = id
        }

        package static func < (a: Key, b: Key) -> Bool { (a.start, a.id) < (b.start, b.id) }
    }

    private let metric: Metric
    private let blockSize: Int
    private var blocks: [TimelineBlock] = []

    /// A timeline without sessions.
    ///
    /// - Parameter blockSize: How many sessions a block has at first. Larger blocks serve wide spans better, of smaller ones those that
    ///   a change touches are copied sooner.
    package init(metric: Metric, blockSize: Int = 32_768) {
        self.metric = metric
        self.blockSize = blockSize
    }

    // MARK: - Changing

    /// Puts rows in whose keys are not there.
    ///
    /// - Complexity: O(n log n), and O(block) for each block that they fall in.
    package mutating func insert(_ rows: [Row]) throws(KinError) {
        guard !rows.isEmpty else { return }
        let rows = rows.sorted { $0.key < $1.key }
        guard !blocks.isEmpty else {
            blocks = try blocks(of: rows[...])
            return
        }
        var rest = rows[...]
        // From the last block on, so that dividing one does not move those that are still to come.
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { blocks[b].comes(after: $0.key) }
            let mine = rest[first...]
            rest = rest[..<first]
            guard !mine.isEmpty else { continue }
            try blocks[b].insert(mine)
            if blocks[b].count >= 2 * blockSize {
                blocks.replaceSubrange(b...b, with: try blocks(of: blocks[b].rows[...]))
            }
        }
    }

    /// Takes the rows with some keys out; keys that are not there are passed over.
    package mutating func remove(_ keys: [Key]) throws(KinError) {
        var rest = keys.sorted()[...]
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { blocks[b].comes(after: $0) }
            if first < rest.endIndex { blocks[b].remove(rest[first...]) }
            rest = rest[..<first]
        }
        try joinSmallBlocks()
    }

    /// Joins neighbors that fit into one block, so that searches meet few blocks after many sessions have gone.
    private mutating func joinSmallBlocks() throws(KinError) {
        guard blocks.contains(where: { $0.count < blockSize / 2 }) else { return }
        var joined: [TimelineBlock] = []
        for block in blocks where block.count > 0 {
            if let last = joined.last, last.count + block.count <= blockSize {
                try joined[joined.count - 1].insert(block.rows[...])
            } else {
                joined.append(block)
            }
        }
        blocks = joined
    }

    /// Rows in their order as blocks of about equal size.
    private func blocks(of rows: ArraySlice<Row>) throws(KinError) -> [TimelineBlock] {
        let parts = max(1, rows.count / blockSize)
        var made: [TimelineBlock] = []
        for part in 0..<parts {
            let low = rows.startIndex + rows.count * part / parts
            let high = rows.startIndex + rows.count * (part + 1) / parts
            var block = TimelineBlock(metric: metric)
            try block.insert(rows[low..<high])
            made.append(block)
        }
        return made
    }

    // MARK: - Searching

    /// How many sessions began in a span. O(blocks + log n).
    package func count(startedIn range: TimeRange) -> Int {
        blocks.reduce(0) { $0 + $1.positions(startedIn: range).count }
    }

    /// Whether so few places are sooner read, at 5 ns each, than searched for through the index of a block, which takes some 40 µs.
    private func isShort(_ positions: Range<Int>) -> Bool { positions.count <= blockSize / 4 }

    /// The k sessions nearest to a point among those that began in a span and are in some states.
    ///
    /// Parts of blocks that are soon read are read. Whole blocks, and large parts, are searched through their indexes, for what is nearer
    /// than the k-th of those before.
    package func nearest(
        to point: Pleasure, k: Int, startedIn range: TimeRange, states: StateSet
    ) throws(KinError) -> [Neighbor] {
        let distance = try PointDistance(metric, to: point)
        guard k > 0 else { return [] }
        let parts = blocks.map { $0.positions(startedIn: range) }
        let touched = blocks.indices.filter { !parts[$0].isEmpty }
        var found = unsafe [Neighbor](unsafeUninitializedCapacity: k) { buffer, count in
            var best = unsafe TopK(buffer)
            for b in touched where isShort(parts[b]) {
                blocks[b].run.offer(parts[b], in: states, at: distance, to: &best)
            }
            count = unsafe best.finish().count
        }
        for b in touched where !isShort(parts[b]) {
            let filter = blocks[b].filter(for: parts[b], startedIn: range, states: states)
            if found.count == k, let last = found.last {
                found += try blocks[b].points.neighbors(of: point.vector, within: last.distance, where: filter)
            } else {
                found += try blocks[b].points.search(point.vector, k: k, where: filter)
            }
            found.sort()
            if found.count > k { found.removeSubrange(k...) }
        }
        return found
    }
}
