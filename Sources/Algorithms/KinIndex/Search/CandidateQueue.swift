import KinCore
import KinLinearAlgebra

/// The rows of a single query that passed the screen along principal axes and wait to be compared.
///
/// Waiting rows are compared in order of the lower bounds on their distances, and most are beyond the radius when their
/// turn comes.
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

    /// The room for waiting rows, and for two more per neighbour.
    static let capacity = 1_024

    /// The largest k with waiting rows, whose queue takes memory in proportion to k.
    static let largestK = 256

    /// Creates a queue without rows, with room for candidates.
    init(_ waiting: UnsafeMutableBufferPointer<Candidate>) { unsafe self.waiting = waiting }

    /// Whether the queue is full.
    var isFull: Bool { unsafe count == waiting.count }

    /// Adds a row with the lower bound on its distance.
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
    /// Adds a row to the queue of the tile's only query, with the lower bound on its distance.
    mutating func queue(
        _ id: VectorID, row: UnsafePointer<Float>, from least: Double, radius: Double, layout: RowLayout,
        scratch: Scratch
    ) {
        if principalScreen?.queue?.isFull == true, principalScreen?.queue?.prune(radius: radius) == false {
            compareCandidates(layout: layout, scratch: scratch)
        }
        unsafe principalScreen?.queue?.append(id, row: row, from: least)
    }

    /// Compares the waiting rows that can still be among the nearest.
    mutating func compareCandidates(layout: RowLayout, scratch: Scratch) {
        guard var queue = principalScreen?.queue else { return }
        _ = unsafe queue.prune(radius: collectors[0].radius)
        queue.arrange()
        while let candidate = queue.popFirst(), unsafe candidate.least <= collectors[0].radius {
            if let next = queue.first {
                unsafe Kernels.active.prefetch(next.row, bytes: min(layout.stride * 4, 4096))
            }
            let distance = unsafe distance(of: candidate.row, from: 0, layout: layout, scratch: scratch)
            guard unsafe distance <= collectors[0].radius else { continue }
            unsafe collectors[0].offer(candidate.id, at: distance)
        }
        principalScreen?.queue?.removeAll()
    }
}
