import KinCore
import KinLinearAlgebra

/// A group of queries of one thread that visit lists together.
///
/// A query that is done after a few lists goes its way alone. The visits of the others wait; the lists are then taken one after another,
/// each for all queries that may have a neighbour in it, so that it comes from memory once and its blocks are screened for many
/// queries at a time.
@safe
final class QueryGroup {
    /// A visit that waits until its list's turn comes.
    private struct Visit {
        /// The list and its bound, as ``ProbeOrder`` packs them.
        var candidate: UInt64
        var traversal: UInt32
    }

    /// The number of queries whose searches, half a kilobyte each, stay in the second-level cache.
    static let largest = 512

    /// The number of lists left above which a query's visits are deferred to the group.
    private static let deferThreshold = 16
    /// The number of lists visited at once, for a radius that saves visits later.
    private static let advance = 3

    private let scan: ListScan
    private let memory: ListScanMemory
    private let tile: ListTile
    private let traversals: UnsafeMutablePointer<ListTraversal<NearestCollector>>
    private let coordinates: UnsafeMutablePointer<Float>
    private var count = 0
    private var visits: [Visit] = []

    init(scan: ListScan, capacity: Int) {
        self.scan = scan
        memory = ListScanMemory(store: scan.store)
        tile = ListTile(layout: scan.layout)
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
        var first = 0
        while first < order.count {
            let c = ProbeOrder.number(visits[Int(order[first])].candidate)
            visit(c, for: order[first..<ends[c]])
            first = ends[c]
        }
        visits.removeAll(keepingCapacity: true)
    }

    /// Makes some visits to one list.
    private func visit(_ c: Int, for order: ArraySlice<UInt32>) {
        let together = order.count >= ListTile.fewest && scan.store.views[c].boxes != nil
        for v in order {
            let visit = visits[Int(v)]
            let traversal = unsafe traversals + Int(visit.traversal)
            guard together, unsafe traversal.pointee.collector.radius < .infinity else {
                unsafe _ = traversal.pointee.visit(candidate: visit.candidate)
                unsafe traversal.pointee.flush()
                continue
            }
            let blocks = unsafe traversal.pointee.enter(candidate: visit.candidate)
            guard blocks != 0 else { continue }
            unsafe tile.add(traversal, blocks: blocks)
            if tile.isFull { tile.screen(c, of: scan.store) }
        }
        tile.screen(c, of: scan.store)
    }

    /// The number of neighbours of the i-th query.
    func finish(_ i: Int) -> Int {
        unsafe memory.counters.add(traversals[i].counters)
        return unsafe traversals[i].collector.finish()
    }
}
