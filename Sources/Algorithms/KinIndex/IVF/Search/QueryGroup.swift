/// A group of queries of one thread that visit lists together.
///
/// A query that needs only a few lists finishes alone. So does an approximate search by products, because its recall was
/// measured in ascending order of the lists' bounds, and a different order misses more: a far list can have large
/// products. Visits of the other queries are deferred.
/// The lists are then processed one after another, each for all queries with a possible neighbour there. So a list is
/// loaded from memory once, and its blocks are screened for many queries at a time.
@safe
final class QueryGroup<Target: Collector> {
    /// A deferred visit to a list.
    private struct Visit {
        /// The list and its bound, packed by ``ProbeOrder``.
        var candidate: UInt64
        var traversal: UInt32
    }

    /// The number of queries whose searches, half a kilobyte each, fit in the second-level cache.
    static var largest: Int { 512 }

    /// The number of remaining lists above which a query's visits are deferred to the group.
    private static var deferThreshold: Int { 16 }
    /// The number of visits between the prefetch of a search and its visit.
    private static var ahead: Int { 4 }

    private let scan: ListScan
    fileprivate let memory: ListScanMemory
    private let tile: ListTile<Target>
    fileprivate let traversals: UnsafeMutablePointer<ListTraversal<Target>>
    private let queries: UnsafeMutablePointer<UInt8>
    private let arena = Arena()
    private var count = 0
    private var visits: [Visit] = []
    /// The list where deferred visits begin.
    private var firstList = 0

    init(scan: ListScan, capacity: Int) {
        self.scan = scan
        memory = ListScanMemory(store: scan.store)
        tile = ListTile(layout: scan.layout)
        unsafe traversals = arena.allocate(capacity)
        unsafe queries = arena.allocate(capacity * QueryMemory.bytes(scan.layout))
    }

    deinit { removeAll() }

    func removeAll() {
        unsafe traversals.deinitialize(count: count)
        count = 0
    }

    /// Adds a query and searches its nearest lists.
    func begin(_ query: UnsafePointer<Float>, collector: Target) {
        let i = unsafe add(query, collector: collector, ignoring: nil)
        let left = unsafe traversals[i].begin()
        guard left > Self.deferThreshold, canDefer else {
            unsafe traversals[i].visitInOrder(left)
            unsafe traversals[i].flush()
            return
        }
        // The nearest list is visited at once, for a radius that saves later visits.
        let nearest = (1..<left).reduce(0) { unsafe memory.candidates[$1] < memory.candidates[$0] ? $1 : $0 }
        unsafe _ = traversals[i].visit(candidate: memory.candidates[nearest])
        unsafe traversals[i].flush()
        unsafe memory.candidates[nearest] = memory.candidates[0]
        wait(for: 1..<left, of: i)
    }

    /// Whether the lists of a query may be visited in any order.
    private var canDefer: Bool {
        scan.parameters.isExact || !(scan.parameters.isProbing || scan.layout.metric.comparesProducts)
    }

    /// Adds a query that visits all its lists together with the others.
    ///
    /// For queries near each other that begin with a radius only slightly larger than the final one.
    func beginTogether(_ query: UnsafePointer<Float>, collector: Target, ignoring ignored: IgnoredDimensions?) {
        let i = unsafe add(query, collector: collector, ignoring: ignored)
        guard !hasOneList || collector.radius == .infinity else {
            visits.append(Visit(candidate: 0, traversal: UInt32(i)))
            return
        }
        let left = unsafe traversals[i].begin(visitingNearest: collector.radius == .infinity)
        unsafe traversals[i].flush()
        wait(for: 0..<left, of: i)
        unsafe firstList = traversals[i].nearestList
    }

    /// Adds a query; returns its number.
    private func add(_ query: UnsafePointer<Float>, collector: Target, ignoring ignored: IgnoredDimensions?) -> Int {
        let i = count
        unsafe (traversals + i).initialize(
            to: ListTraversal(
                scan: scan, query: query, memory: memory, collector: collector,
                own: QueryMemory(queries + i * QueryMemory.bytes(scan.layout), layout: scan.layout), ignored: ignored))
        count += 1
        return i
    }

    /// Defers some visits of the i-th query to ``visitDeferred()``.
    private func wait(for candidates: Range<Int>, of i: Int) {
        for c in candidates { unsafe visits.append(Visit(candidate: memory.candidates[c], traversal: UInt32(i))) }
    }

    /// Whether there is only one list, so that visits need no box.
    private var hasOneList: Bool { scan.store.views.count == 1 }

    /// Makes the deferred visits, list by list.
    func visitDeferred() {
        guard !visits.isEmpty else { return }
        var ends = [Int](repeating: 0, count: scan.store.views.count + 1)
        for visit in visits { ends[ProbeOrder.number(visit.candidate) + 1] += 1 }
        for c in 1..<ends.count { ends[c] += ends[c - 1] }
        // Copies the visits themselves rather than their numbers, so that the visits of a list are contiguous.
        let ordered = unsafe [Visit](unsafeUninitializedCapacity: visits.count) { ordered, n in
            for visit in visits {
                let c = ProbeOrder.number(visit.candidate)
                unsafe ordered.initializeElement(at: ends[c], to: visit)
                ends[c] += 1
            }
            n = visits.count
        }
        let lists = 0..<scan.store.views.count
        for c in [firstList..<lists.upperBound, lists.lowerBound..<firstList].joined() {
            let first = c == 0 ? 0 : ends[c - 1]
            if first < ends[c] { make(ordered[first..<ends[c]], to: c) }
            guard scan.work?.advance(by: 0) ?? true else { break }
        }
        visits.removeAll(keepingCapacity: true)
    }

    /// Prefetches the part of a search that a visit reads first, which was last used in its previous visit.
    private func prefetch(_ traversal: Int) {
        unsafe Kernels.active.prefetch(traversals + traversal, bytes: MemoryLayout<ListTraversal<Target>>.size)
    }

    /// Makes the visits to one list.
    private func make(_ visits: ArraySlice<Visit>, to c: Int) {
        let together = visits.count >= ListTile<Target>.fewest && scan.store.views[c].boxes != nil
        for (v, visit) in zip(visits.indices, visits) {
            if v + Self.ahead < visits.endIndex { prefetch(Int(visits[v + Self.ahead].traversal)) }
            let traversal = unsafe traversals + Int(visit.traversal)
            guard together, unsafe traversal.pointee.collector.radius < .infinity else {
                if hasOneList {
                    unsafe traversal.pointee.visit(c)
                } else {
                    unsafe _ = traversal.pointee.visit(candidate: visit.candidate)
                }
                unsafe traversal.pointee.flush()
                continue
            }
            let blocks =
                unsafe hasOneList ? traversal.pointee.enter(c) : traversal.pointee.enter(candidate: visit.candidate)
            guard blocks != 0 else { continue }
            unsafe tile.add(traversal, blocks: blocks)
            if tile.isFull { tile.screen(c, of: scan.store) }
        }
        tile.screen(c, of: scan.store)
    }
}

extension QueryGroup where Target == NearestCollector {
    /// The number of neighbours of the i-th query.
    func finish(_ i: Int) -> Int {
        let count = unsafe traversals[i].finish()
        unsafe memory.counters.add(traversals[i].counters)
        return count
    }
}
