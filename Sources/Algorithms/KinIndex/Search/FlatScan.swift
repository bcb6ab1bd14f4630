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
    func sampleRun(k: Int) -> Int? {
        let runs = ScanTile<NearestCollector>.sampleRuns
        let length = max(2 * k / runs + 1, min(store.count >> 16, ScanTile<NearestCollector>.longestRun))
        return length <= ScanTile<NearestCollector>.longestRun && store.count >= 16 * runs * length ? length : nil
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
                if let length = sampleRun(k: results.count) {
                    tile.seed(store, rowsPerRun: length, where: filter, scratch: scratch)
                }
                for c in chunks where goesOn { tile.scan(store.chunks[c], where: filter, scratch: scratch) }
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
                for c in chunks where goesOn { tile.scan(store.chunks[c], where: filter, scratch: scratch) }
            }
        }
        return collector.found
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
}
