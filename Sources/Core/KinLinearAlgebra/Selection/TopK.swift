/// A selection of the k nearest neighbours in a stream, in memory that the caller provides.
///
/// A binary max-heap over the buffer (Williams 1964, "Algorithm 232: Heapsort", CACM 7(6), doi:10.1145/512274.512284):
/// its root is the farthest selected neighbour, and a nearer neighbour replaces the root. Neighbours are ordered by
/// (distance, id), so the result does not depend on the order of insertion. Nothing is allocated.
///
/// An insertion without effect costs one comparison, any other O(log k); a stream of n neighbours in random order makes
/// about k · (1 + ln(n ∕ k)) changes.
///
/// The struct is a view: a copy shares the memory, so only one copy may be used, and the memory must outlive it. The
/// caller guarantees this with `unsafe` at the initialiser; no later call accesses memory outside the buffer.
@safe
package struct TopK {
    /// The caller's memory: the first `count` elements are the heap, the rest is free.
    @usableFromInline
    let heap: UnsafeMutableBufferPointer<Neighbor>

    /// The number of selected neighbours, at most ``capacity``.
    package private(set) var count: Int

    /// The largest distance that can still be inserted: the largest selected distance once there are k neighbours,
    /// +infinity before that, and -infinity if k is 0.
    package private(set) var worst: Double

    /// Creates an empty selection of the `buffer.count` nearest; the buffer may be uninitialised.
    @inlinable
    package init(_ buffer: UnsafeMutableBufferPointer<Neighbor>) {
        unsafe heap = buffer
        count = 0
        worst = buffer.isEmpty ? -.infinity : .infinity
    }

    /// The largest number k of selected neighbours.
    @inlinable
    package var capacity: Int { unsafe heap.count }

    /// Inserts a neighbour if it is one of the k nearest so far. NaN is never inserted.
    @inlinable
    package mutating func insert(_ id: VectorID, _ distance: Double) {
        guard distance <= worst else { return }
        insertNear(Neighbor(id: id, distance: distance))
    }

    /// Removes all neighbours, so that the same memory can be used for the next query.
    @inlinable
    package mutating func removeAll() {
        count = 0
        worst = capacity == 0 ? -.infinity : .infinity
    }

    /// Inserts a neighbour whose distance is at most `worst`; for equal distances the smaller id wins.
    @usableFromInline
    mutating func insertNear(_ neighbor: Neighbor) {
        if count < capacity {
            unsafe (heap.baseAddress! + count).initialize(to: neighbor)
            count += 1
            siftUp(from: count - 1)
            if count == capacity { worst = unsafe heap[0].distance }
        } else if unsafe count > 0 && neighbor < heap[0] {
            siftDown(neighbor, from: 0, within: count)
            worst = unsafe heap[0].distance
        }
    }
}

extension TopK {
    /// Sorts the selected neighbours in place, nearest first, and returns them: the first `count` elements of the
    /// buffer.
    ///
    /// Heapsort, O(k log k). The selection is empty afterwards; the next insertion overwrites the result.
    package mutating func finish() -> UnsafeMutableBufferPointer<Neighbor> {
        let kept = count
        var end = kept
        while end > 1 {
            end -= 1
            let last = unsafe heap[end]
            unsafe heap[end] = heap[0]
            siftDown(last, from: 0, within: end)
        }
        removeAll()
        return unsafe UnsafeMutableBufferPointer(rebasing: heap[..<kept])
    }

    /// Moves the element at `start` towards the root until its parent is not nearer.
    private func siftUp(from start: Int) {
        var hole = start
        let neighbor = unsafe heap[hole]
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard unsafe heap[parent] < neighbor else { break }
            unsafe heap[hole] = heap[parent]
            hole = parent
        }
        unsafe heap[hole] = neighbor
    }

    /// Replaces the element at `start` by `neighbor` and moves it down until none of its children, among the first
    /// `end` elements, is farther.
    private func siftDown(_ neighbor: Neighbor, from start: Int, within end: Int) {
        var hole = start
        while true {
            var child = 2 * hole + 1
            guard child < end else { break }
            if unsafe child + 1 < end && heap[child] < heap[child + 1] { child += 1 }
            guard unsafe neighbor < heap[child] else { break }
            unsafe heap[hole] = heap[child]
            hole = child
        }
        unsafe heap[hole] = neighbor
    }
}
