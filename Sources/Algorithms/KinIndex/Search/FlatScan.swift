import KinCore
import KinLinearAlgebra

/// Rows in chunks, in any order; a scan reads all of them.
protocol ChunkRows: Sendable {
    var layout: RowLayout { get }
    var chunks: [Chunk] { get }
    /// The number of rows in all chunks.
    var count: Int { get }

    /// The chunk of a row, and its position in the chunk, for a row number counted through all chunks from 0.
    func location(of row: Int) -> (chunk: Int, row: Int)
}

extension RowStore: ChunkRows {}

/// A search of all rows of a store: the plan, the distribution to threads, and the merging of results.
struct FlatScan<Rows: ChunkRows> {
    let store: Rows
    let filter: SearchFilter
    /// Computes codes along principal axes for searches by one query; nil to search without them.
    var principalMaker: PrincipalCodeMaker?
    /// The progress of the work that includes the scan, which may be cancelled between chunks; nil for a short scan.
    var work: LongWork?

    var layout: RowLayout { store.layout }

    /// Whether to continue: false after a cancellation. Also reports the progress.
    var goesOn: Bool { work?.advance(by: 0) ?? true }

    /// The rows that a scan visits.
    enum Plan {
        /// A few allowed rows, one by one, in ascending order of slot.
        case visit([Int])
        /// Every chunk; the filter is tested when a row is about to enter the result.
        case scan
    }

    /// The number of rows in each run of the sample that sets a scan's first limit for k neighbours; nil if no sample
    /// pays off.
    ///
    /// The sample must be large compared with k and small compared with the number of rows. Comparing a row exactly
    /// costs as much as screening about twenty, so about one row in a thousand is sampled, 2 % of the work.
    ///
    /// - Parameter waiting: Whether rows wait to be compared. If so, the first rows limit the scan without being
    ///   compared, and a sample only pays off with at least a thousand rows for each sampled row.
    func sampleRun(k: Int, waiting: Bool) -> Int? {
        let runs = ScanTile<NearestCollector>.sampleRuns
        let length = max(2 * k / runs + 1, min(store.count >> 16, ScanTile<NearestCollector>.longestRun))
        guard length <= ScanTile<NearestCollector>.longestRun, store.count >= (waiting ? 1024 : 16) * runs * length
        else {
            return nil
        }
        return length
    }
}

extension FlatScan {
    /// Whether rows that pass a screen wait to be compared. This requires sums from the kernels, which are available
    /// above 16 dimensions, with all eight bits. Six bits bound a distance so loosely that the limit would come too
    /// late.
    func waits(k: Int, atMost largest: Int) -> Bool {
        layout.groups > 4 && k <= largest && Kernels.active.precision == .eightBits
    }
}

// MARK: - One query

extension FlatScan {
    /// Finds the nearest rows for one query on the calling thread, without allocating if the query needs no padding.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - radius: The largest distance of a result.
    ///   - results: Receives the neighbours, nearest first.
    /// - Returns: The number of neighbours.
    func nearest(
        to query: UnsafePointer<Float>, within radius: Double, chunks: Range<Int>, plan: Plan,
        into results: UnsafeMutableBufferPointer<Neighbor>, counters: inout SearchCounters
    ) -> Int {
        var collector = unsafe NearestCollector(into: results, within: radius)
        unsafe withTile(of: query, for: &collector, counters: &counters) { tile, scratch in
            switch plan {
            case .visit(let slots):
                tile.visit(slots, of: store, scratch: scratch)
            case .scan:
                withPrincipalScreen(of: &tile, k: results.count) { tile in
                    unsafe withQueue(k: results.count, of: scratch, tile.principalScreen?.memory) { queue, scratch in
                        unsafe tile.candidates = queue
                        if let length = unsafe sampleRun(k: results.count, waiting: queue != nil) {
                            tile.seed(store, rowsPerRun: length, where: filter, scratch: scratch)
                        }
                        if tile.principalScreen != nil {
                            tile.seedAlongAxes(store.chunks, k: results.count, where: filter, scratch: scratch)
                        }
                        for c in chunks where goesOn {
                            tile.scan(store.chunks[c], number: c, where: filter, scratch: scratch)
                        }
                        tile.compareCandidates(layout: layout, scratch: scratch)
                        unsafe tile.candidates = nil
                    }
                }
            }
        }
        return collector.finish()
    }

    /// Finds every row within a radius of one query, in no particular order.
    func within(
        _ radius: Double, of query: UnsafePointer<Float>, chunks: Range<Int>, plan: Plan, counters: inout SearchCounters
    ) -> [Neighbor] {
        var collector = RangeCollector(radius: radius)
        unsafe withTile(of: query, for: &collector, counters: &counters) { tile, scratch in
            switch plan {
            case .visit(let slots):
                tile.visit(slots, of: store, scratch: scratch)
            case .scan:
                withPrincipalScreen(of: &tile, k: 0) { tile in
                    for c in chunks where goesOn {
                        tile.scan(store.chunks[c], number: c, where: filter, scratch: scratch)
                    }
                }
            }
        }
        return collector.found
    }

    /// Calls a function with a queue for the rows of one query (nil if they do not wait) and with scratch memory that
    /// has room for their sums.
    private func withQueue(
        k: Int, of scratch: ScanTile<NearestCollector>.Scratch, _ memory: PrincipalScreenMemory?,
        _ body: (UnsafeMutablePointer<CandidateQueue>?, ScanTile<NearestCollector>.Scratch) -> Void
    ) {
        guard waits(k: k, atMost: memory == nil ? CandidateQueue.largestKOnStack : CandidateQueue.largestK) else {
            return body(nil, scratch)
        }
        let hits = 4
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: hits * Kernels.blockRows) { sums in
            let scratch = unsafe ScanTile<NearestCollector>.Scratch(
                hits: UnsafeMutableBufferPointer(rebasing: scratch.hits[..<hits]), distances: scratch.distances,
                sums: sums.baseAddress)
            if let memory {
                var queue = unsafe CandidateQueue(
                    memory.waiting, nearest: UnsafeMutableBufferPointer(rebasing: memory.nearest[..<k]))
                return unsafe withUnsafeMutablePointer(to: &queue) { unsafe body($0, scratch) }
            }
            unsafe withUnsafeTemporaryAllocation(
                of: CandidateQueue.Candidate.self, capacity: CandidateQueue.capacityOnStack
            ) { waiting in
                unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: k) { nearest in
                    var queue = unsafe CandidateQueue(waiting, nearest: nearest)
                    unsafe withUnsafeMutablePointer(to: &queue) { unsafe body($0, scratch) }
                }
            }
        }
    }

    /// Creates a tile for one query from temporary allocations below 2 KB each, so that all of it is on the stack.
    private func withTile<Target: Collector>(
        of query: UnsafePointer<Float>, for collector: inout Target, counters: inout SearchCounters,
        _ body: (inout ScanTile<Target>, ScanTile<Target>.Scratch) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(of: ScreenHit.self, capacity: 64) { hits in
            unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: Kernels.blockRows) { distances in
                unsafe withUnsafeTemporaryAllocation(of: Int8.self, capacity: layout.groups * 4) { weights in
                    unsafe withUnsafeTemporaryAllocation(of: QueryBound.self, capacity: 1) { bounds in
                        var limit: Int32 = 0
                        unsafe withUnsafeMutablePointer(to: &limit) { limits in
                            unsafe withUnsafeMutablePointer(to: &collector) { collectors in
                                var tile = unsafe ScanTile(
                                    queries: query, count: 1, weights: weights.baseAddress!, limits: limits,
                                    bounds: bounds.baseAddress!, collectors: collectors)
                                unsafe body(&tile, .init(hits: hits, distances: distances.baseAddress!))
                                counters.add(tile.counters)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sets up a tile of one query for k neighbours with a screen along principal axes, if axes are available.
    private func withPrincipalScreen<Target: Collector>(
        of tile: inout ScanTile<Target>, k: Int, _ body: (inout ScanTile<Target>) -> Void
    ) {
        guard let maker = principalMaker, let axes = maker.axes(of: store.chunks) else { return body(&tile) }
        PrincipalScreenMemory.with(axes: axes.count, k: min(k, CandidateQueue.largestK)) { memory in
            tile.principalScreen = unsafe PrincipalScreen(
                PaddedRows(tile.queries, count: 1, stride: layout.stride, dimension: layout.dimension),
                metric: layout.metric, axes: axes, maker: maker, in: memory)
            body(&tile)
        }
    }
}
