import KinCore
import KinLinearAlgebra

/// The rows of one query that passed a screen and wait to be compared.
///
/// A kernel's sum determines a row's distance up to the errors of the codes (``QueryBound/distances(sum:errors:)``). So
/// the k-th smallest upper bound on the rows' distances limits the search before any row is compared. Waiting rows are
/// compared in order of their lower bounds, and most are beyond the limit when their turn comes. For embeddings with
/// 1,024 dimensions (4 KB per comparison), about twenty rows per query are compared, instead of about a hundred if each
/// were compared as soon as it passes.
///
/// The queue owns no memory.
@safe
struct CandidateQueue {
    /// A row that passed the screen.
    @safe
    struct Candidate {
        /// The row's floats, which do not move during the search.
        let row: UnsafePointer<Float>
        let id: VectorID
        /// The lower bound on the row's distance.
        let least: Double
    }

    private let waiting: UnsafeMutableBufferPointer<Candidate>
    private var count = 0
    /// The k rows with the smallest upper bounds on their distances.
    private var nearest: TopK

    /// The recommended room for candidates with k neighbours: k rows may have to wait, and more are collected between
    /// two prunings.
    static func capacity(k: Int) -> Int { 2 * k + 128 }

    /// The largest k with waiting rows in a batch, whose queues take memory in proportion to k.
    static let largestK = 256

    /// The room for candidates and the largest k of a single query, whose queue is on the stack.
    static let (capacityOnStack, largestKOnStack) = (40, 16)

    /// The room for a single query along principal axes, where more rows pass and upper bounds do not limit them.
    static let capacityAlongAxes = 1_024

    /// Creates a queue without rows.
    ///
    /// - Parameters:
    ///   - waiting: Room for candidates, about ``capacity(k:)``; with less room, candidates are compared more often.
    ///   - nearest: Room for k neighbours.
    init(_ waiting: UnsafeMutableBufferPointer<Candidate>, nearest: UnsafeMutableBufferPointer<Neighbor>) {
        unsafe self.waiting = waiting
        unsafe self.nearest = TopK(nearest)
    }

    /// A distance within which there are at least k rows.
    var radius: Double { nearest.worst }

    /// Whether the queue is full.
    var isFull: Bool { unsafe count == waiting.count }

    /// Adds a row with bounds on its distance.
    ///
    /// - Precondition: The queue is not full.
    @inline(__always)
    mutating func append(_ id: VectorID, row: UnsafePointer<Float>, between least: Double, and most: Double) {
        nearest.insert(id, most)
        unsafe append(id, row: row, from: least)
    }

    /// Adds a row with a lower bound, but no upper bound, on its distance.
    ///
    /// - Precondition: The queue is not full.
    @inline(__always)
    mutating func append(_ id: VectorID, row: UnsafePointer<Float>, from least: Double) {
        unsafe (waiting.baseAddress! + count).initialize(to: Candidate(row: row, id: id, least: least))
        count += 1
    }

    /// Drops the rows that are farther than a radius.
    ///
    /// - Returns: Whether half of the room is free now.
    mutating func prune(radius: Double) -> Bool {
        var kept = 0
        for i in 0..<count where unsafe waiting[i].least <= radius {
            unsafe waiting[kept] = waiting[i]
            kept += 1
        }
        count = kept
        return unsafe 2 * count <= waiting.count
    }

    /// Arranges the rows as a heap with the least lower bound first. O(rows), without the allocation that sorting would
    /// need.
    mutating func arrange() {
        var i = count / 2
        while i > 0 {
            i -= 1
            siftDown(from: i)
        }
    }

    /// Removes and returns the row with the least lower bound, after ``arrange()``. O(log rows).
    mutating func popFirst() -> Candidate? {
        guard count > 0 else { return nil }
        let first = unsafe waiting[0]
        count -= 1
        unsafe waiting[0] = waiting[count]
        siftDown(from: 0)
        return first
    }

    /// The row that ``popFirst()`` would remove next.
    var first: Candidate? { count > 0 ? unsafe waiting[0] : nil }

    mutating func removeAll() { count = 0 }

    /// Moves the row at `start` down until neither of its children has a smaller lower bound.
    private func siftDown(from start: Int) {
        var hole = start
        while 2 * hole + 1 < count {
            var child = 2 * hole + 1
            if unsafe child + 1 < count && waiting[child + 1].least < waiting[child].least { child += 1 }
            guard unsafe waiting[child].least < waiting[hole].least else { return }
            unsafe waiting.swapAt(child, hole)
            hole = child
        }
    }
}

extension ScanTile {
    /// The distance beyond which a query needs no more rows.
    @inline(__always)
    func radius(of q: Int) -> Double {
        let radius = unsafe collectors[q].radius
        guard let candidates = unsafe candidates else { return radius }
        return unsafe min(radius, candidates[q].radius)
    }

    /// Adds the rows of one hit to the query's queue.
    ///
    /// - Parameter sums: The kernels' sums of the block's rows.
    mutating func queue(
        _ hit: ScreenHit, _ sums: UnsafePointer<Int32>, from chunk: Chunk, coding: RowCoding,
        where filter: SearchFilter,
        scratch: Scratch
    ) {
        guard let candidates = unsafe candidates else { return }
        let q = Int(hit.query)
        let queue = unsafe candidates + q
        let bound = unsafe bounds[q]
        var rows = screened(hit, of: chunk, coding: coding)
        counters.survivors += rows.nonzeroBitCount
        var radius = radius(of: q)
        while rows != 0 {
            let i = rows.trailingZeroBitCount
            rows &= rows - 1
            let (least, most) = unsafe bound.distances(sum: sums[i], errors: coding.errors)
            guard least <= radius else { continue }
            let r = Int(hit.block) * Kernels.blockRows + i
            let id = unsafe chunk.ids[r]
            guard filter.allows(id) else { continue }
            makeRoom(for: q, radius: radius, layout: chunk.layout, scratch: scratch)
            unsafe queue.pointee.append(id, row: chunk.row(r), between: least, and: most)
            radius = self.radius(of: q)
        }
    }

    /// Whether rows that pass a screen wait to be compared.
    var rowsWait: Bool { unsafe candidates != nil }

    /// Adds a row to the queue of the tile's only query, with the lower bound on its distance.
    mutating func queue(
        _ id: VectorID, row: UnsafePointer<Float>, from least: Double, radius: Double, layout: RowLayout,
        scratch: Scratch
    ) {
        guard let candidates = unsafe candidates else { return }
        makeRoom(for: 0, radius: radius, layout: layout, scratch: scratch)
        unsafe candidates[0].append(id, row: row, from: least)
    }

    /// Ensures that a query's queue has room for one more row.
    @inline(__always)
    private mutating func makeRoom(for q: Int, radius: Double, layout: RowLayout, scratch: Scratch) {
        guard let candidates = unsafe candidates, unsafe candidates[q].isFull,
            unsafe !candidates[q].prune(radius: radius)
        else { return }
        compareCandidates(of: q, layout: layout, scratch: scratch)
    }

    /// Compares the waiting rows of every query.
    mutating func compareCandidates(layout: RowLayout, scratch: Scratch) {
        guard unsafe candidates != nil else { return }
        for q in 0..<count { compareCandidates(of: q, layout: layout, scratch: scratch) }
    }

    /// Compares the waiting rows of a query that can still be among the nearest.
    private mutating func compareCandidates(of q: Int, layout: RowLayout, scratch: Scratch) {
        guard let queue = unsafe candidates.map({ unsafe $0 + q }) else { return }
        _ = unsafe queue.pointee.prune(radius: radius(of: q))
        unsafe queue.pointee.arrange()
        defer { unsafe queue.pointee.removeAll() }
        while let candidate = unsafe queue.pointee.popFirst(), candidate.least <= radius(of: q) {
            if let next = unsafe queue.pointee.first {
                unsafe Kernels.active.prefetch(next.row, bytes: min(layout.stride * 4, 4096))
            }
            let distance = unsafe distance(of: candidate.row, from: q, layout: layout, scratch: scratch)
            guard unsafe distance <= collectors[q].radius else { continue }
            unsafe collectors[q].offer(candidate.id, at: distance)
        }
    }
}
