package import KinCore
import KinIndex
package import KinLinearAlgebra

/// Everybody's points in blocks by the time at which the sessions began.
///
/// A search that asks for a span of time looks into the blocks that the span touches. Asking the index of all points instead
/// would mean passing over most of what is near, as it lies in other times: with a hundredth of a million
/// sessions allowed that took 2 ms, with blocks .05 ms.
///
/// Invariants: blocks are ascending and have no key in common; a block's keys are ascending, and they are those of its points.
package struct SessionTimeline: Sendable {
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

    /// A session's place in time and in the pleasure space.
    package struct Row: Sendable {
        package let key: Key
        package let point: SIMD16<Float>

        package init(key: Key, point: SIMD16<Float>) {
            self.key = key
            self.point = point
        }
    }

    fileprivate struct Block: Sendable {
        var keys: [Key]
        var points: IVFIndex
    }

    private let metric: Metric
    private var blocks: [Block] = []

    /// How many sessions a block has at first.
    private let blockSize: Int
    /// Up to so many allowed rows of a block are visited one by one, at .15 µs each.
    private static let largestVisit = 512

    /// A timeline without sessions.
    ///
    /// - Parameter blockSize: Of 32,768 points, a search in cells takes some 15 µs, and those of the two blocks at the ends of a span,
    ///   of which a part is allowed, some 30 each.
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
            blocks = try blocks(of: rows[...], metric: metric)
            return
        }
        var rest = rows[...]
        // From the last block on, so that dividing one does not move those that are still to come.
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { $0.key < blocks[b].keys[0] }
            let mine = rest[first...]
            rest = rest[..<first]
            guard !mine.isEmpty else { continue }
            try blocks[b].insert(mine)
            if blocks[b].keys.count >= 2 * blockSize {
                blocks.replaceSubrange(b...b, with: try blocks(of: blocks[b].rows[...], metric: metric))
            }
        }
    }

    /// Takes the rows with some keys out; keys that are not there are passed over.
    package mutating func remove(_ keys: [Key]) throws(KinError) {
        var rest = keys.sorted()[...]
        for b in blocks.indices.reversed() where !rest.isEmpty {
            let first = b == 0 ? rest.startIndex : rest.partition { $0 < blocks[b].keys[0] }
            if first < rest.endIndex { blocks[b].remove(rest[first...]) }
            rest = rest[..<first]
        }
        try joinSmallBlocks()
    }

    /// Joins neighbors that fit into one block, so that searches meet few blocks after many sessions have gone.
    private mutating func joinSmallBlocks() throws(KinError) {
        guard blocks.contains(where: { $0.keys.count < blockSize / 2 }) else { return }
        var joined: [Block] = []
        for block in blocks where !block.keys.isEmpty {
            if let last = joined.last, last.keys.count + block.keys.count <= blockSize {
                try joined[joined.count - 1].insert(block.rows[...])
            } else {
                joined.append(block)
            }
        }
        blocks = joined
    }

    /// Rows in their order as blocks of about equal size.
    private func blocks(of rows: ArraySlice<Row>, metric: Metric) throws(KinError) -> [Block] {
        let parts = max(1, rows.count / blockSize)
        var made: [Block] = []
        for part in 0..<parts {
            let low = rows.startIndex + rows.count * part / parts
            let high = rows.startIndex + rows.count * (part + 1) / parts
            var block = Block(keys: [], points: IVFIndex(dimension: Pleasure.Dimension.count, metric: metric))
            try block.insert(rows[low..<high])
            made.append(block)
        }
        return made
    }

    // MARK: - Searching

    /// How many sessions began in a span. O(blocks + log n).
    package func count(startedIn range: TimeRange) -> Int { blocks.reduce(0) { $0 + $1.places(startedIn: range).count } }

    /// The k sessions nearest to a point among those that began in a span.
    ///
    /// - Parameters:
    ///   - start: When a session began.
    ///   - isAllowed: What else is asked of a session, if anything is.
    package func nearest(
        to point: Pleasure, k: Int, startedIn range: TimeRange, start: @escaping @Sendable (VectorID) -> Int64?,
        where isAllowed: (@Sendable (VectorID) -> Bool)?
    ) throws(KinError) -> [Neighbor] {
        let span = range.start.microseconds..<range.end.microseconds
        var found: [Neighbor] = []
        for block in blocks {
            let places = block.places(startedIn: range)
            guard !places.isEmpty else { continue }
            let filter: Filter
            if places.count <= Self.largestVisit {
                let ids = block.keys[places].lazy.map(\.id)
                filter = .ids(isAllowed.map { ids.filter($0) } ?? Array(ids))
            } else if places.count == block.keys.count {
                filter = isAllowed.map { .predicate($0) } ?? .all
            } else {
                filter = .predicate { id in
                    guard let start = start(id), span.contains(start) else { return false }
                    return isAllowed?(id) ?? true
                }
            }
            found += try block.points.search(point.vector, k: k, where: filter)
        }
        return Array(found.sorted().prefix(k))
    }
}

extension SessionTimeline.Block {
    /// The places of the sessions that began in a span.
    func places(startedIn range: TimeRange) -> Range<Int> {
        let low = keys.partition { $0.start < range.start.microseconds }
        let high = keys.partition { $0.start < range.end.microseconds }
        return low..<max(low, high)
    }

    var rows: [SessionTimeline.Row] {
        keys.map { key in
            guard let vector = points.vector(for: key.id) else { preconditionFailure("a key has its point") }
            return SessionTimeline.Row(key: key, point: SIMD16(vector))
        }
    }

    mutating func insert(_ rows: ArraySlice<SessionTimeline.Row>) throws(KinError) {
        var matrix = Matrix<Float>(rows: rows.count, columns: Pleasure.Dimension.count)
        for (i, row) in rows.enumerated() {
            for j in 0..<Pleasure.Dimension.count { matrix[i, j] = row.point[j] }
        }
        try points.upsert(matrix, ids: rows.map(\.key.id))
        if let row = rows.first, rows.count == 1 {
            keys.insert(row.key, at: keys.partition { $0 < row.key })
        } else {
            // Two ascending runs, which the library's sort merges.
            keys += rows.lazy.map(\.key)
            keys.sort()
        }
    }

    mutating func remove(_ gone: ArraySlice<SessionTimeline.Key>) {
        points.remove(gone.map(\.id))
        if gone.count == 1, let key = gone.first {
            let place = keys.partition { $0 < key }
            if place < keys.count, keys[place] == key { keys.remove(at: place) }
        } else {
            let gone = Set(gone.map(\.id))
            keys.removeAll { gone.contains($0.id) }
        }
    }
}
