import Synchronization

// A batch is divided into groups of queries. A thread takes one group at a time and scans each chunk with all tiles of
// the group. So the chunk's codes stay in the second-level cache for the whole group, and a query is coded again only
// if the next chunk uses a different grid. Groups are assigned one by one, so a slowed-down thread gets fewer. If there
// are only a few tiles for each thread, all threads scan for the same group, and take chunks one by one. The result of
// a query depends neither on its group nor on the thread.

extension FlatScan {
    /// The number of queries in a group: 16 tiles.
    private static var groupQueries: Int { 16 * Kernels.tileQueries }

    /// Finds the k nearest rows for each of many queries. Threads divide the queries or, if there are only a few tiles
    /// for each thread, the rows.
    ///
    /// - Parameter radii: The largest distance of a result for each query; nil for no limit.
    func nearest(toEach queries: Matrix<Float>, k: Int, radii: [Double]?, plan: Plan, threads: Int) -> NeighborTable {
        let stride = layout.stride
        let padded = stride == layout.dimension ? queries : queries.padded(toColumns: stride)
        return unsafe padded.withUnsafeBufferPointer { all in
            unsafe Batch.table(all.baseAddress!, count: queries.rows, k: k, radii: radii?[...]) { batch in
                findNearest(batch, plan: plan, threads: threads)
            }
        }
    }

    /// Queries and the memory for their neighbours.
    @safe
    private struct Batch {
        /// count × stride floats.
        let queries: UnsafePointer<Float>
        let count: Int
        let k: Int
        /// One radius per query; nil for no limit.
        let radii: ArraySlice<Double>?
        /// count × k slots.
        let results: UnsafeMutablePointer<Neighbor>
        /// The number of slots in use for each query.
        let counts: UnsafeMutablePointer<Int>

        /// The results of a search that fills a batch.
        static func table(
            _ queries: UnsafePointer<Float>, count: Int, k: Int, radii: ArraySlice<Double>?, _ search: (Batch) -> Void
        ) -> NeighborTable {
            var counts = [Int](repeating: 0, count: count)
            // Slots beyond a query's count are never read, but the array's elements must be initialized.
            var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: count * k)
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    unsafe search(
                        Batch(
                            queries: queries, count: count, k: k, radii: radii, results: results.baseAddress!,
                            counts: counts.baseAddress!))
                }
            }
            return NeighborTable(elements: elements, counts: counts, width: k)
        }

        func slots(_ q: Int) -> UnsafeMutableBufferPointer<Neighbor> {
            unsafe UnsafeMutableBufferPointer(start: results + q * k, count: k)
        }

        func radius(_ q: Int) -> Double { radii.map { $0[$0.startIndex + q] } ?? .infinity }

        /// At most `size` queries, starting at one of them.
        func group(from first: Int, atMost size: Int, stride: Int) -> Batch {
            unsafe Batch(
                queries: queries + first * stride, count: min(size, count - first), k: k,
                radii: radii?.dropFirst(first), results: results + first * k, counts: counts + first)
        }
    }

    private func findNearest(_ batch: Batch, plan: Plan, threads: Int) {
        let n = batch.count
        if case .scan = plan, threads > 1, n / Kernels.tileQueries / 4 < threads {
            for first in stride(from: 0, to: n, by: Self.groupQueries) where goesOn {
                let group = batch.group(from: first, atMost: Self.groupQueries, stride: layout.stride)
                findNearest(group, dividingRowsAmong: threads)
                work?.advance(by: group.count)
            }
            return
        }
        let size = min(Self.groupQueries, (n / threads / 2 + 1).roundedUp(toMultipleOf: Kernels.tileQueries))
        let groups = (n + size - 1) / size
        concurrently(threads, taking: groups, memory: { BatchMemory(queries: size, layout: layout) }) { group, memory in
            guard goesOn else { return }
            let part = batch.group(from: group * size, atMost: size, stride: layout.stride)
            findNearest(part, plan: plan, memory: memory)
            work?.advance(by: part.count)
        }
    }

    /// Finds the nearest rows for a group of queries. Threads take chunks one by one. Each has its own collectors; they
    /// share their radii after each chunk.
    private func findNearest(_ batch: Batch, dividingRowsAmong threads: Int) {
        let (n, k, chunks) = (batch.count, batch.k, store.chunks)
        let radii = UnsafeMutablePointer<Atomic<Double>>.allocate(capacity: n)
        defer { unsafe radii.deallocate() }
        for q in 0..<n { unsafe (radii + q).initialize(to: Atomic(.infinity)) }
        if let length = sampleRun(k: k) {
            concurrentMap(threads, rangesOf: n, atLeast: 2) { range in
                let part = batch.group(from: range.lowerBound, atMost: range.count, stride: layout.stride)
                let memory = BatchMemory(queries: part.count, layout: layout)
                for var tile in tiles(of: part, memory: memory) {
                    tile.seed(store, rowsPerRun: length, where: filter, scratch: memory.scratch)
                }
                for q in 0..<part.count {
                    unsafe radii[range.lowerBound + q].store(memory.collectors[q].radius, ordering: .relaxed)
                }
            }
        }
        let next = Atomic(0)
        let scanners = min(threads, chunks.count)
        let parts = concurrentMap(scanners, scanners, memory: {}) { _, _ in
            unsafe Batch.table(batch.queries, count: n, k: k, radii: batch.radii) { part in
                let memory = BatchMemory(queries: n, layout: layout)
                var tiles = tiles(of: part, memory: memory)
                while goesOn {
                    let c = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard c < chunks.count else { break }
                    for q in 0..<n {
                        let radius = unsafe radii[q].load(ordering: .relaxed)
                        unsafe memory.collectors[q].tighten(to: radius)
                        let own = unsafe memory.collectors[q].radius
                        // A larger radius of a different thread may replace it: every radius is a valid limit.
                        if own < radius { unsafe radii[q].store(own, ordering: .relaxed) }
                    }
                    for t in tiles.indices { tiles[t].scan(chunks[c], where: filter, scratch: memory.scratch) }
                }
                finish(part, memory: memory)
            }
        }
        concurrentMap(threads, rangesOf: n, atLeast: 32) { range in
            for q in range {
                var collector = unsafe NearestCollector(into: batch.slots(q))
                for part in parts { for neighbor in part[q] { collector.offer(neighbor.id, at: neighbor.distance) } }
                unsafe batch.counts[q] = collector.finish()
            }
        }
    }

    /// Prepares collectors and tiles for the queries of a batch.
    private func tiles(of batch: Batch, memory: BatchMemory) -> [ScanTile<NearestCollector>] {
        let n = batch.count
        for q in 0..<n {
            unsafe (memory.collectors + q).initialize(
                to: NearestCollector(into: batch.slots(q), within: batch.radius(q)))
        }
        return stride(from: 0, to: n, by: Kernels.tileQueries).map { first in
            unsafe ScanTile(
                queries: batch.queries + first * layout.stride, count: min(Kernels.tileQueries, n - first),
                weights: memory.weights + first * 4 * layout.groups, limits: memory.limits + first,
                bounds: memory.bounds + first, collectors: memory.collectors + first)
        }
    }

    /// Sorts the neighbours of each query.
    private func finish(_ batch: Batch, memory: BatchMemory) {
        for q in 0..<batch.count { unsafe batch.counts[q] = memory.collectors[q].finish() }
    }

    private func findNearest(_ batch: Batch, plan: Plan, memory: BatchMemory) {
        var tiles = tiles(of: batch, memory: memory)
        let scratch = memory.scratch
        switch plan {
        case .visit(let slots):
            for t in tiles.indices { tiles[t].visit(slots, of: store, scratch: scratch) }
        case .scan:
            if let length = sampleRun(k: batch.k) {
                for t in tiles.indices { tiles[t].seed(store, rowsPerRun: length, where: filter, scratch: scratch) }
            }
            for chunk in store.chunks where goesOn {
                for t in tiles.indices { tiles[t].scan(chunk, where: filter, scratch: scratch) }
            }
        }
        finish(batch, memory: memory)
    }
}

/// The memory for one thread's groups of queries.
@safe
private final class BatchMemory {
    let weights: UnsafeMutablePointer<Int8>
    let limits: UnsafeMutablePointer<Int32>
    let bounds: UnsafeMutablePointer<QueryBound>
    let collectors: UnsafeMutablePointer<NearestCollector>
    let scratch: ScanTile<NearestCollector>.Scratch
    private let arena = Arena()

    /// Allocates memory for n queries.
    init(queries n: Int, layout: RowLayout) {
        unsafe weights = arena.allocate(n * 4 * layout.groups)
        unsafe limits = arena.allocate(n)
        unsafe bounds = arena.allocate(n)
        unsafe collectors = arena.allocate(n)
        unsafe scratch = .init(hits: arena.buffer(1024), distances: arena.allocate(Kernels.blockRows))
    }
}
