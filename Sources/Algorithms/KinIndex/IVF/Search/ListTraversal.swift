/// The search of the lists for one query, with its pending rows.
@safe
struct ListTraversal<Target: Collector> {
    var parameters: SearchParameters
    let filter: SearchFilter
    let slots: [Int]?
    let store: ListStoreView
    let memory: ListScanMemory
    let query: UnsafePointer<Float>
    /// The query in the coordinates of the boxes.
    let framed: FramedQuery
    let layout: RowLayout
    let kernels = Kernels.active
    /// Converts a distance of the metric to a distance between boxes.
    let boxLaw: DistanceLaw
    /// The nearest list and its box bound, the reference point of the pruning.
    var nearestList = 0
    var nearest = 0.0
    /// Under the inner product, the squared norms of the longest row offered and of the query, and the least distance
    /// of any vector as long. The nearest box can be far nearer than any vector, if changes have widened it.
    var longest = 0.0
    var querySquare = 0.0
    var least = -Double.infinity
    var probesLeft: Int
    /// The number of rows in `memory.pending`.
    var pending = 0
    /// The number of rows within the radius that the filter rejected.
    var rejected = 0
    /// The query on the grid of the lists' boxes; set once they are bounded.
    var listQuery: BoxQuery?
    /// The query on the grid of a list's blocks and on the grid of its rows: `rowQuery` for a single query, `tileQuery`
    /// for many queries together.
    var blockQuery: BlockQuery
    var rowQuery: RowQuery
    var tileQuery: RowQuery
    var collector: Target
    var counters = SearchCounters()

    /// Creates the search of one query.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - own: Memory that no concurrent search uses. Default: nil, which uses the query memory of `memory`.
    init(
        scan: ListScan, query: UnsafePointer<Float>, memory: ListScanMemory, collector: Target,
        own: QueryMemory? = nil, ignored: IgnoredDimensions? = nil
    ) {
        parameters = scan.parameters
        filter = scan.filter
        slots = scan.slots
        store = scan.store
        layout = scan.layout
        unsafe self.query = query
        self.memory = memory
        self.collector = collector
        probesLeft = scan.parameters.probes
        boxLaw = layout.metric.boundLaw.scaled(by: store.frame.stretch)
        let own = own ?? memory.query
        // Rows visited one by one need no boxes.
        let uncertainty = unsafe slots == nil ? store.frame.project(query, into: own.coordinates) : 0
        framed = unsafe FramedQuery(
            coordinates: own.coordinates, uncertainty: uncertainty, metric: layout.metric, ignored: ignored)
        blockQuery = unsafe BlockQuery(codes: own.blocks)
        rowQuery = unsafe RowQuery(weights: own.rows, precision: kernels.precision(ofBlocks: layout.metric))
        tileQuery = unsafe RowQuery(weights: own.tile, precision: kernels.precision)
    }

    /// The distance beyond which boxes are skipped.
    @inline(__always)
    var radius: Double {
        let radius = boxLaw.quantity(collector.radius - (framed.ignored?.squaredDistance ?? 0))
        // The factor was measured for the distance of the k-th row found. It does not apply to a radius set by the
        // caller.
        guard parameters.pruningFactor < 1, collector.radius < collector.limit else { return radius }
        let nearest = max(nearest, least)
        return nearest + parameters.pruningFactor * (radius - nearest)
    }
}

// MARK: - Lists

extension ListTraversal {
    /// Searches all lists within the radius, nearest first.
    mutating func run() {
        visitInOrder(begin())
        flush()
    }

    /// Visits the given slots, if any; otherwise the nearest list and the lists of outliers.
    ///
    /// - Parameter visitingNearest: Whether the nearest list is visited at once rather than with the others.
    /// - Returns: The number of remaining lists that may be within the radius, which are in `memory.candidates`.
    mutating func begin(visitingNearest: Bool = true) -> Int {
        if let slots {
            for slot in slots { offer(slot) }
            return 0
        }
        guard let boxes = store.boxes else {
            for c in 0..<store.views.count where probesLeft > 0 || collector.radius == .infinity { visit(c) }
            return 0
        }
        let boxQuery = unsafe framed.code(for: boxes, into: memory.listCodes)
        listQuery = boxQuery
        let (first, bound) = nearestList(boxQuery, boxes)
        nearestList = first
        guard bound < .max else {
            visitOutliers(boxQuery)
            return 0
        }
        nearest = boxQuery.distance(bound)
        let visitingNearest = visitingNearest && !isProbingProducts
        if visitingNearest, let limit = limitOfLists(), bound <= limit {
            visit(first, isFirst: true)
        }
        if !store.outlierLists.isEmpty { visitOutliers(boxQuery) }
        guard let limit = limitOfLists() else { return 0 }
        return findCandidates(within: limit, but: visitingNearest ? first : nil)
    }

    /// Visits the lists of outliers that may be within the radius. They do not count as probes.
    private mutating func visitOutliers(_ boxQuery: BoxQuery) {
        let stride = layout.stride
        guard let corners = unsafe store.outlierCorners else { return }
        for (i, c) in store.outlierLists.enumerated() where store.views[c].count > 0 {
            let low = unsafe corners + 2 * i * stride
            let distance = unsafe boxQuery.distance(
                low: low, high: low + stride, of: framed.coordinates, dimension: layout.dimension,
                uncertainty: framed.uncertainty, ignoring: framed.ignored?.dimensions ?? [])
            guard distance <= radius else { continue }
            probesLeft += probesLeft < .max ? 1 : 0
            visit(c)
        }
    }

    /// Visits the candidates within the radius in ascending order of their bounds, or of their scores.
    mutating func visitInOrder(_ count: Int) {
        guard count > 0 else { return }
        let candidates = unsafe memory.candidates
        if isProbingProducts { orderByScore(count) } else { unsafe ProbeOrder.sort(candidates, count: count) }
        var ordered = isProbingProducts ? count : 0
        for i in 0..<count {
            if parameters.isProbing, i == ordered { ordered = orderByMiddle(from: i, of: count) }
            if i + 1 < count { prefetch(unsafe ProbeOrder.number(candidates[i + 1])) }
            guard unsafe visit(candidate: candidates[i]) || isProbingProducts && probesLeft > 0 else { return }
        }
    }

    /// Sorts the candidates by their scores.
    private func orderByScore(_ count: Int) {
        guard let boxes = store.boxes, let boxQuery = listQuery else { return }
        let (ordered, bounds, scores) = unsafe (memory.candidates, memory.listBounds, memory.listScores)
        unsafe boxQuery.scores(boxes, codes: memory.listCodes, bounds: bounds, into: scores)
        for i in 0..<count {
            let c = unsafe ProbeOrder.number(ordered[i])
            unsafe ordered[i] = ProbeOrder.key(scores[c], c)
        }
        unsafe ProbeOrder.sort(ordered, count: count)
        for i in 0..<count {
            let c = unsafe ProbeOrder.number(ordered[i])
            unsafe ordered[i] = ProbeOrder.key(bounds[c], c)
        }
    }

    /// Sorts candidates with the same bound by the distance of their centres.
    ///
    /// - Returns: The position of the next bound.
    private func orderByMiddle(from first: Int, of count: Int) -> Int {
        let ordered = unsafe memory.candidates
        let bound = unsafe ProbeOrder.bound(ordered[first])
        var end = first + 1
        while unsafe end < count && ProbeOrder.bound(ordered[end]) == bound { end += 1 }
        guard end - first > 1, let boxes = store.boxes, let boxQuery = listQuery else { return end }
        for i in first..<end {
            let c = unsafe ProbeOrder.number(ordered[i])
            let order = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.listCodes)
            unsafe ordered[i] = ProbeOrder.key(Int32(clamping: order), c)
        }
        unsafe ProbeOrder.sort(ordered + first, count: end - first)
        for i in first..<end {
            unsafe ordered[i] = ProbeOrder.key(bound, ProbeOrder.number(ordered[i]))
        }
        return end
    }

    /// The limit on the bounds of lists at the present radius; nil if no list can be within it.
    @inline(__always)
    func limitOfLists() -> Int32? {
        listQuery?.limit(distance: radius)
    }

    /// Whether a list is still within the radius; false if the search will be repeated.
    ///
    /// - Parameter candidate: The list with its bound, packed by ``ProbeOrder``.
    @inline(__always)
    func isWithin(_ candidate: UInt64) -> Bool {
        guard rejected <= parameters.mostRejected, let limit = limitOfLists() else { return false }
        return ProbeOrder.bound(candidate) <= limit
    }

    /// Visits a list if it is still within the radius and either probes are left or there are too few results.
    ///
    /// - Parameter candidate: The list with its bound, packed by ``ProbeOrder``.
    /// - Returns: Whether the list was visited.
    @inline(__always)
    mutating func visit(candidate: UInt64) -> Bool {
        // The pending rows of the last probe decide whether one more is necessary.
        if probesLeft == 0 { flush() }
        guard probesLeft > 0 || collector.radius == .infinity, isWithin(candidate) else { return false }
        visit(ProbeOrder.number(candidate), isFirst: isProbingProducts && collector.radius == .infinity)
        return true
    }

    /// Whether lists are visited in the order of their scores. Wide boxes have the best bounds under the inner product,
    /// and rarely the best rows.
    private var isProbingProducts: Bool { parameters.isProbing && layout.metric.comparesProducts }

    /// Prefetches the codes of a list's boxes.
    @inline(__always)
    private func prefetch(_ c: Int) { store.views[c].boxes?.prefetch() }
}

extension ListTraversal where Target == NearestCollector {
    /// Ends a search, after repeating it with a larger radius while the filter rejects too many rows.
    ///
    /// - Returns: The number of neighbours.
    mutating func finish() -> Int {
        while rejected > parameters.mostRejected {
            repeat { parameters.widen() } while rejected > parameters.mostRejected
            rejected = 0
            collector.rewind()
            run()
        }
        return collector.finish()
    }
}
