package import KinCore

/// Keeps the k nearest of a stream of neighbours, in memory that the caller lends.
///
/// A binary max-heap over the buffer (Williams 1964, "Algorithm 232: Heapsort", CACM 7(6), doi:10.1145/512274.512284):
/// its root is the worst neighbour kept, and a new one that is nearer takes the root's place. Neighbours are ordered by
/// (distance, id), so what is kept does not depend on the order of insertion. Nothing is allocated.
///
/// An insertion that changes nothing costs one comparison, any other O(log k); a stream of n neighbours in random order
/// makes about k · (1 + ln(n ∕ k)) changes.
///
/// The struct is a view: a copy of it sees the same memory, so only one copy may be used, and the memory has to outlive
/// it. That is what the caller vouches for by the `unsafe` at the initialiser; after it, no call leaves the buffer.
@safe
package struct TopK {
    /// The caller's memory: the first `count` elements are the heap, the rest is free.
    @usableFromInline
    let heap: UnsafeMutableBufferPointer<Neighbor>

    /// How many neighbours are kept so far, at most ``capacity``.
    package private(set) var count: Int

    /// The greatest distance that can still get in: the largest one kept when all k places are taken, +infinity before
    /// that, and -infinity when k is 0.
    package private(set) var worst: Double

    /// An empty selection of the `buffer.count` nearest. The buffer may be uninitialised.
    @inlinable
    package init(_ buffer: UnsafeMutableBufferPointer<Neighbor>) {
        unsafe heap = buffer
        count = 0
        worst = buffer.isEmpty ? -.infinity : .infinity
    }

    /// k: the most neighbours that are kept.
    @inlinable
    package var capacity: Int { unsafe heap.count }

    /// Keeps a neighbour when it is one of the k nearest so far, else does nothing. NaN is never kept.
    @inlinable
    package mutating func insert(_ id: VectorID, _ distance: Double) {
        guard distance <= worst else { return }
        insertNear(Neighbor(id: id, distance: distance))
    }

    /// Keeps a neighbour when it is one of the k nearest so far, else does nothing. NaN is never kept.
    @inlinable
    package mutating func insert(_ neighbor: Neighbor) {
        guard neighbor.distance <= worst else { return }
        insertNear(neighbor)
    }

    /// Forgets everything kept, so that the same memory serves the next query.
    @inlinable
    package mutating func removeAll() {
        count = 0
        worst = capacity == 0 ? -.infinity : .infinity
    }

    /// Takes a neighbour whose distance is at most `worst`; on a tie with the worst one the smaller id wins.
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
    /// Sorts what was kept, nearest first, in place, and returns it: the first `count` elements of the buffer.
    ///
    /// Heapsort, O(k log k). The selection itself is empty afterwards; the next insertion overwrites the result.
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

    /// Moves the element at `start` towards the root until its parent is not nearer than it.
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

    /// Puts `neighbor` in the place of the element at `start` and moves it down until both its children, among the
    /// first `end` elements, are not farther than it.
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
