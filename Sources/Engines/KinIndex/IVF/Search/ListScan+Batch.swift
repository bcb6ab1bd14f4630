import KinCore
import KinLinearAlgebra
import Synchronization

// A batch is cut into groups of queries that are near each other, which threads take one by one. A query that is done after
// a few lists goes its way alone. Those that have many lists left wait for each other: the lists are then taken one
// after another, each for all queries that may have a neighbour in it, so that it comes from memory once. What a
// query finds depends on the order of its own lists only, not on its group.

extension ListScan {
    /// Searches for each query of a batch.
    ///
    /// - Parameters:
    ///   - k: At most the number of rows.
    ///   - radii: The largest distance of a result for each query; nil for none.
    ///   - order: In which order to take the queries.
    func batch(_ queries: Matrix<Float>, k: Int, radii: [Double]?, order: [Int], threads: Int) -> NeighborTable {
        let n = queries.rows
        let stride = layout.stride
        let padded = stride == queries.columns ? queries : queries.padded(toColumns: stride)
        var counts = [Int](repeating: 0, count: n)
        var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: n * k)
        let size = min(QueryGroup.largest, max(32, n / (4 * threads)))
        let groups = (n + size - 1) / size
        let next = Atomic<Int>(0)
        unsafe padded.withUnsafeBufferPointer { all in
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    let (all, results, counts) = unsafe (all, results, counts)
                    concurrently(min(threads, groups)) { _ in
                        let group = QueryGroup(scan: self, capacity: size)
                        while true {
                            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                            guard number < groups else { break }
                            let chosen = order[number * size..<min((number + 1) * size, n)]
                            for q in chosen {
                                let slots = unsafe UnsafeMutableBufferPointer(
                                    rebasing: results[q * k..<(q + 1) * k])
                                unsafe group.begin(
                                    all.baseAddress! + q * stride, within: radii?[q] ?? .infinity, into: slots)
                            }
                            group.visitDeferred()
                            for (i, q) in chosen.enumerated() { unsafe counts[q] = group.finish(i) }
                            group.removeAll()
                        }
                    }
                }
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: k)
    }
}

/// A group of queries of one thread that visit lists together.
@safe
private final class QueryGroup {
    /// A visit that waits until its list's turn comes.
    private struct Visit {
        /// The list and its bound, as ``ProbeOrder`` packs them.
        var candidate: UInt64
        var traversal: UInt32
    }

    static let largest = 1024

    /// The number of lists left above which a query's visits are deferred to the group.
    private static let deferThreshold = 16
    /// The number of lists visited at once, for a radius that saves visits later.
    private static let advance = 3

    private let scan: ListScan
    private let memory: ListScanMemory
    private let traversals: UnsafeMutablePointer<ListTraversal<NearestCollector>>
    private let coordinates: UnsafeMutablePointer<Float>
    private var count = 0
    private var visits: [Visit] = []

    init(scan: ListScan, capacity: Int) {
        self.scan = scan
        memory = ListScanMemory(store: scan.store)
        unsafe traversals = .allocate(capacity: capacity)
        unsafe coordinates = .allocate(capacity: capacity * scan.layout.stride)
    }

    deinit {
        removeAll()
        unsafe traversals.deallocate()
        unsafe coordinates.deallocate()
    }

    func removeAll() {
        unsafe traversals.deinitialize(count: count)
        count = 0
    }

    /// Adds a query and searches its nearest lists.
    func begin(
        _ query: UnsafePointer<Float>, within radius: Double, into slots: UnsafeMutableBufferPointer<Neighbor>
    ) {
        let i = count
        unsafe (traversals + i).initialize(
            to: ListTraversal(
                scan: scan, query: query, memory: memory, collector: NearestCollector(into: slots, within: radius),
                coordinates: coordinates + i * scan.layout.stride))
        count += 1
        let left = unsafe traversals[i].begin()
        guard left > Self.deferThreshold, unsafe !traversals[i].isProbing else {
            unsafe traversals[i].visitInOrder(left)
            unsafe traversals[i].flush()
            return
        }
        moveNearestToFront(of: left)
        for c in 0..<Self.advance { unsafe _ = traversals[i].visit(candidate: memory.candidates[c]) }
        unsafe traversals[i].flush()
        for c in Self.advance..<left {
            unsafe visits.append(Visit(candidate: memory.candidates[c], traversal: UInt32(i)))
        }
    }

    private func moveNearestToFront(of n: Int) {
        let candidates = unsafe memory.candidates
        for position in 0..<Self.advance {
            var least = position
            for c in position + 1..<n where unsafe candidates[c] < candidates[least] { least = c }
            let key = unsafe candidates[position]
            unsafe candidates[position] = candidates[least]
            unsafe candidates[least] = key
        }
    }

    /// Makes the visits that wait, list by list.
    func visitDeferred() {
        guard !visits.isEmpty else { return }
        var ends = [Int](repeating: 0, count: scan.store.views.count + 1)
        for visit in visits { ends[ProbeOrder.number(visit.candidate) + 1] += 1 }
        for c in 1..<ends.count { ends[c] += ends[c - 1] }
        var order = [UInt32](repeating: 0, count: visits.count)
        for (v, visit) in visits.enumerated() {
            let c = ProbeOrder.number(visit.candidate)
            order[ends[c]] = UInt32(v)
            ends[c] += 1
        }
        for v in order {
            let visit = visits[Int(v)]
            unsafe _ = traversals[Int(visit.traversal)].visit(candidate: visit.candidate)
            unsafe traversals[Int(visit.traversal)].flush()
        }
        visits.removeAll(keepingCapacity: true)
    }

    /// The number of neighbours of the i-th query.
    func finish(_ i: Int) -> Int {
        unsafe memory.counters.add(traversals[i].counters)
        return unsafe traversals[i].collector.finish()
    }
}
