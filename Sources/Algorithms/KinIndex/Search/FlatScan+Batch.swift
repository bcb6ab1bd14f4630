import KinCore
import KinLinearAlgebra

// A batch is divided into groups of queries. A thread takes one group at a time and scans each chunk with all tiles of
// the group. So the chunk's codes stay in the second-level cache for the whole group, and a query is coded again only
// if the next chunk uses a different grid. Groups are assigned one by one, so a slowed-down thread gets fewer. The
// result of a query depends neither on its group nor on the thread.

extension FlatScan {
    /// The number of queries in a group: 16 tiles.
    private static var groupQueries: Int { 16 * Kernels.tileQueries }

    /// Finds the k nearest rows for each of many queries. Threads divide the queries or, if there are fewer queries
    /// than threads, the rows.
    ///
    /// - Parameter radii: The largest distance of a result for each query; nil for no limit.
    func nearest(toEach queries: Matrix<Float>, k: Int, radii: [Double]?, plan: Plan, threads: Int) -> NeighborTable {
        let stride = layout.stride
        let padded = stride == layout.dimension ? queries : queries.padded(toColumns: stride)
        var counts = [Int](repeating: 0, count: queries.rows)
        // Slots beyond a query's count are never read, but the array's elements must be initialized.
        var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: queries.rows * k)
        unsafe padded.withUnsafeBufferPointer { all in
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    let batch = unsafe Batch(
                        queries: all.baseAddress!, count: queries.rows, k: k, radii: radii?[...],
                        results: results.baseAddress!, counts: counts.baseAddress!)
                    guard queries.rows < threads else { return findNearest(batch, plan: plan, threads: threads) }
                    for q in 0..<queries.rows {
                        var counters = SearchCounters()
                        unsafe counts[q] = nearest(
                            to: batch.queries + q * stride, within: batch.radius(q), plan: plan, threads: threads,
                            into: batch.slots(q), counters: &counters)
                        guard work?.advance() ?? true else { break }
                    }
                }
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: k)
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

    private func waits(_ batch: Batch) -> Bool { waits(k: batch.k, atMost: CandidateQueue.largestK) }

    private func findNearest(_ batch: Batch, plan: Plan, threads: Int) {
        let n = batch.count
        let share = (n + threads - 1) / threads
        let size = min(Self.groupQueries, share)
        let groups = (n + size - 1) / size
        let waitingFor = waits(batch) ? batch.k : nil
        concurrently(
            threads, taking: groups, memory: { BatchMemory(queries: size, layout: layout, waitingFor: waitingFor) }
        ) { group, memory in
            guard goesOn else { return }
            let part = batch.group(from: group * size, atMost: size, stride: layout.stride)
            findNearest(part, plan: plan, memory: memory)
            work?.advance(by: part.count)
        }
    }

    private func findNearest(_ batch: Batch, plan: Plan, memory: BatchMemory) {
        let n = batch.count
        for q in 0..<n {
            unsafe (memory.collectors + q).initialize(
                to: NearestCollector(into: batch.slots(q), within: batch.radius(q)))
        }
        var tiles = stride(from: 0, to: n, by: Kernels.tileQueries).map { first in
            var tile = unsafe ScanTile(
                queries: batch.queries + first * layout.stride, count: min(Kernels.tileQueries, n - first),
                weights: memory.weights + first * 4 * layout.groups, limits: memory.limits + first,
                bounds: memory.bounds + first, collectors: memory.collectors + first)
            unsafe tile.candidates = memory.queues(first)
            return tile
        }
        let scratch = memory.scratch
        switch plan {
        case .visit(let slots):
            for t in tiles.indices { tiles[t].visit(slots, of: store, scratch: scratch) }
        case .scan:
            if let length = sampleRun(k: batch.k, waiting: waits(batch)) {
                for t in tiles.indices { tiles[t].seed(store, rowsPerRun: length, where: filter, scratch: scratch) }
            }
            for chunk in store.chunks where goesOn {
                for t in tiles.indices { tiles[t].scan(chunk, where: filter, scratch: scratch) }
            }
            for t in tiles.indices { tiles[t].compareCandidates(layout: layout, scratch: scratch) }
        }
        for q in 0..<n { unsafe batch.counts[q] = memory.collectors[q].finish() }
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
    /// One queue per query; nil if rows do not wait.
    private let candidates: UnsafeMutableBufferPointer<CandidateQueue>?
    private let waiting: UnsafeMutableBufferPointer<CandidateQueue.Candidate>
    private let nearest: UnsafeMutableBufferPointer<Neighbor>
    private let arena = Arena()

    private static let hits = 1024
    /// Fewer hits if they come with sums, so that the sums stay in the second-level cache.
    private static let hitsWithSums = 256

    /// Allocates memory for n queries.
    ///
    /// - Parameter k: The number of neighbours if rows wait to be compared; nil if they do not.
    init(queries n: Int, layout: RowLayout, waitingFor k: Int?) {
        unsafe weights = arena.allocate(n * 4 * layout.groups)
        unsafe limits = arena.allocate(n)
        unsafe bounds = arena.allocate(n)
        unsafe collectors = arena.allocate(n)
        let hits = k == nil ? Self.hits : Self.hitsWithSums
        unsafe scratch = .init(
            hits: arena.buffer(hits), distances: arena.allocate(Kernels.blockRows),
            sums: k == nil ? nil : arena.allocate(hits * Kernels.blockRows))
        unsafe candidates = k == nil ? nil : arena.buffer(n)
        unsafe waiting = arena.buffer(k.map { n * CandidateQueue.capacity(k: $0) } ?? 0)
        unsafe nearest = arena.buffer(n * (k ?? 0))
    }

    /// Empty queues for a tile's queries, starting at one of them; nil if rows do not wait.
    func queues(_ first: Int) -> UnsafeMutablePointer<CandidateQueue>? {
        guard let candidates = unsafe candidates else { return nil }
        let n = candidates.count
        let (room, k) = unsafe (waiting.count / n, nearest.count / n)
        for q in first..<min(first + Kernels.tileQueries, n) {
            unsafe (candidates.baseAddress! + q).initialize(
                to: CandidateQueue(
                    UnsafeMutableBufferPointer(rebasing: waiting[q * room..<(q + 1) * room]),
                    nearest: UnsafeMutableBufferPointer(rebasing: nearest[q * k..<(q + 1) * k])))
        }
        return unsafe candidates.baseAddress! + first
    }
}
