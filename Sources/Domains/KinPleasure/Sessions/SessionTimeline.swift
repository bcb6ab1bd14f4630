/// A partition of all session points into blocks by start time.
///
/// A search within a span visits only the blocks that overlap it; most sessions in the index of all points are outside
/// the span.
///
/// Invariants: blocks are in ascending order of time, and none is empty. A block's run, attributes and points have the
/// same sessions.
package struct SessionTimeline: Sendable {
    /// A session to be added, with its point.
    package typealias Row = (entry: SessionEntry, point: SIMD16<Float>)

    private let metric: Metric
    private let blockSize: Int
    private var blocks: [TimelineBlock] = []

    /// Creates a timeline without sessions.
    ///
    /// - Parameter blockSize: The initial number of sessions in a block. Larger blocks favour wide spans; smaller ones
    ///   are cheaper to copy when they change.
    package init(metric: Metric, blockSize: Int = 32_768) {
        self.metric = metric
        self.blockSize = blockSize
    }

    // MARK: - Changing

    /// Adds sessions that are not in the timeline.
    ///
    /// - Complexity: O(n log n), and O(block) for each block that changes.
    package mutating func insert(_ rows: [Row]) throws(KinError) {
        guard !rows.isEmpty else { return }
        let rows = rows.sorted { $0.entry < $1.entry }
        guard !blocks.isEmpty else {
            blocks = try blocks(of: rows[...])
            return
        }
        var rest = rows[...]
        // From the last block, so that splitting a block does not move those still to be visited.
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { blocks[b].comes(after: $0.entry) }
            let mine = rest[first...]
            rest = rest[..<first]
            guard !mine.isEmpty else { continue }
            try blocks[b].insert(mine)
            if blocks[b].count >= 2 * blockSize {
                blocks.replaceSubrange(b...b, with: try blocks(of: blocks[b].rows[...]))
            }
        }
    }

    /// Removes sessions; unknown ones are ignored.
    package mutating func remove(_ entries: [SessionEntry]) throws(KinError) {
        var rest = entries.sorted()[...]
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { blocks[b].comes(after: $0) }
            if first < rest.endIndex { blocks[b].remove(rest[first...]) }
            rest = rest[..<first]
        }
        try joinSmallBlocks()
    }

    /// Joins neighbouring blocks that fit into one, so that searches visit few blocks after many removals.
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

    /// Splits sorted rows into blocks of about equal size.
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

    /// The sessions that began in a span, or all of them, as runs of blocks with positions.
    func runs(startedIn range: TimeRange?) -> [(run: SessionRun, positions: Range<Int>)] {
        blocks.compactMap { block in
            let positions = range.map { block.positions(startedIn: $0) } ?? 0..<block.count
            return positions.isEmpty ? nil : (block.run, positions)
        }
    }

    /// The number of sessions that began in a span. O(blocks + log n).
    package func count(startedIn range: TimeRange) -> Int {
        blocks.reduce(0) { $0 + $1.positions(startedIn: range).count }
    }

    /// Whether a scan of these positions, 5 ns each, is faster than a search of a block's index, about 40 µs.
    private func isShort(_ positions: Range<Int>) -> Bool { positions.count <= blockSize / 4 }

    /// Finds the k sessions nearest to a point among those that began in a span and are in given states.
    ///
    /// Short ranges of blocks are scanned. Whole blocks and large ranges are searched by index, within the distance of
    /// the k-th session so far.
    package func nearest(
        to point: Pleasure, k: Int, startedIn range: TimeRange, states: StateSet
    ) throws(KinError) -> [Neighbor] {
        let distance = try PointDistance(metric, to: point)
        guard k > 0 else { return [] }
        let parts = blocks.map { $0.positions(startedIn: range) }
        let touched = blocks.indices.filter { !parts[$0].isEmpty }
        let short = touched.filter { isShort(parts[$0]) }.map { (run: blocks[$0].run, positions: parts[$0]) }
        var found = SessionRun.nearest(k, among: short, in: states, at: distance)
        for b in touched where !isShort(parts[b]) {
            let filter = blocks[b].filter(for: parts[b], startedIn: range, states: states)
            if found.count == k, let last = found.last {
                found += try blocks[b].points.rangeSearch(point.vector, radius: last.distance, where: filter)
            } else {
                found += try blocks[b].points.search(point.vector, k: k, options: .init(where: filter))
            }
            found.sort()
            if found.count > k { found.removeSubrange(k...) }
        }
        return found
    }
}
