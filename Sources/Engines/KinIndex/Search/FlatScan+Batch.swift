import KinCore
import KinLinearAlgebra
import Synchronization

// A batch is cut into groups of queries. A thread takes a group, and for each chunk in turn holds all tiles of the group
// against it: the chunk's codes stay in the second-level cache for the whole group, and a query is coded anew only
// when the next chunk lies on another grid. Groups are handed out one by one, so a thread that the machine slows
// down takes fewer. The result of a query does not depend on its group, nor on the thread.

extension FlatScan {
    /// Queries in a group: 16 tiles.
    private static var groupQueries: Int { 16 * Kernels.tileQueries }

    /// Finds the nearest rows for many queries.
    ///
    /// - Parameters:
    ///   - queries: n × stride floats.
    ///   - results: n × k slots.
    ///   - counts: Receives the number of slots in use for each query.
    func nearest(
        toEach queries: UnsafePointer<Float>, count n: Int, k: Int, plan: Plan, threads: Int,
        into results: UnsafeMutablePointer<Neighbor>, counts: UnsafeMutablePointer<Int>
    ) {
        let share = (n + threads - 1) / threads
        let size = min(Self.groupQueries, share)
        let groups = (n + size - 1) / size
        let next = Atomic<Int>(0)
        concurrently(min(threads, groups)) { _ in
            let memory = BatchMemory(queries: size, layout: layout)
            while true {
                let group = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard group < groups else { break }
                let first = group * size
                unsafe nearest(
                    toGroup: queries + first * layout.stride, count: min(size, n - first), k: k, plan: plan,
                    into: results + first * k, counts: counts + first, memory: memory)
            }
        }
    }

    private func nearest(
        toGroup queries: UnsafePointer<Float>, count n: Int, k: Int, plan: Plan,
        into results: UnsafeMutablePointer<Neighbor>, counts: UnsafeMutablePointer<Int>, memory: BatchMemory
    ) {
        for q in 0..<n {
            let places = unsafe UnsafeMutableBufferPointer(start: results + q * k, count: k)
            unsafe (memory.collectors + q).initialize(to: NearestCollector(into: places))
        }
        var tiles = stride(from: 0, to: n, by: Kernels.tileQueries).map { first in
            unsafe ScanTile(
                queries: queries + first * layout.stride, count: min(Kernels.tileQueries, n - first),
                weights: memory.weights + first * 4 * layout.groups, limits: memory.limits + first,
                bounds: memory.bounds + first, collectors: memory.collectors + first)
        }
        let scratch = memory.scratch
        switch plan {
        case .visit(let slots):
            for t in tiles.indices { tiles[t].visit(slots, of: store, scratch: scratch) }
        case .scan:
            if let length = sampleRun(k: k) {
                for t in tiles.indices { tiles[t].seed(store, rowsPerRun: length, where: filter, scratch: scratch) }
            }
            for chunk in store.chunks {
                for t in tiles.indices { tiles[t].scan(chunk, where: filter, scratch: scratch) }
            }
        }
        for q in 0..<n { unsafe counts[q] = memory.collectors[q].finish() }
    }
}

/// The memory in which one thread prepares its groups of queries.
@safe
private final class BatchMemory {
    let weights: UnsafeMutablePointer<Int8>
    let limits: UnsafeMutablePointer<Int32>
    let bounds: UnsafeMutablePointer<QueryBound>
    let collectors: UnsafeMutablePointer<NearestCollector>
    let scratch: ScanTile<NearestCollector>.Scratch

    private static let hits = 1024

    init(queries n: Int, layout: RowLayout) {
        unsafe weights = .allocate(capacity: n * 4 * layout.groups)
        unsafe limits = .allocate(capacity: n)
        unsafe bounds = .allocate(capacity: n)
        unsafe collectors = .allocate(capacity: n)
        unsafe scratch = .init(
            hits: .allocate(capacity: Self.hits), distances: .allocate(capacity: Kernels.blockRows))
    }

    deinit {
        unsafe weights.deallocate()
        unsafe limits.deallocate()
        unsafe bounds.deallocate()
        unsafe collectors.deallocate()
        unsafe scratch.hits.deallocate()
        unsafe scratch.distances.deallocate()
    }
}
