/// The memory for one thread's searches in lists.
@safe
final class ListScanMemory: @unchecked Sendable {
    /// The memory for the query in a single search.
    let query: QueryMemory
    /// The query, coded on the grid of the lists' boxes.
    let listCodes: UnsafeMutablePointer<UInt8>
    let listBounds: UnsafeMutablePointer<Int32>
    /// The scores that order the lists of a search with probes under the inner product.
    let listScores: UnsafeMutablePointer<Int32>
    let blockBounds: UnsafeMutablePointer<Int32>
    /// Lists or blocks to visit, with their bounds in the upper half.
    let candidates: UnsafeMutablePointer<UInt64>
    /// Blocks to screen, in order, and the rows in each that passed.
    let blocks: UnsafeMutablePointer<UInt32>
    let passed: UnsafeMutablePointer<UInt64>
    /// The bits of the lists within the radius.
    let within: UnsafeMutablePointer<UInt64>
    /// The rows that wait to be compared.
    let pending: UnsafeMutablePointer<PendingRow>
    /// The distances of the rows to compare.
    let distances: UnsafeMutablePointer<Double>
    /// The rows of a block with the nearest codes, ascending.
    let seedKeys: UnsafeMutablePointer<UInt64>
    /// The code distances of one block's rows from the query, and the query's codes.
    let seedBounds: UnsafeMutablePointer<Int32>
    let centre: UnsafeMutablePointer<UInt8>
    var counters = SearchCounters()

    /// The number of rows collected before they are compared. It is the number that memory delivers at once, and no
    /// more, because collected rows do not shorten the radius yet.
    static let mostPending = 16

    /// The largest number of rows selected by their codes alone while the radius is infinite.
    static let mostSeeds = 16

    /// The largest number of lists of a store.
    let lists: Int
    /// The layout with the most dimensions that fits; all sizes depend only on the number of dimensions.
    private let layout: RowLayout
    private let arena = Arena()

    /// Allocates memory for searches in a store.
    ///
    /// - Parameter other: Memory used for other stores; the new memory is large enough for their searches too.
    init(store: ListStoreView, replacing other: ListScanMemory? = nil) {
        var layout = store.layout
        if let other, other.layout.dimension > layout.dimension { layout = other.layout }
        let blocks = Kernels.blockRows
        let listBlocks = (max(store.views.count, other?.lists ?? 0) + blocks - 1) / blocks
        lists = listBlocks * blocks
        self.layout = layout
        let queryMemory: UnsafeMutablePointer<UInt8> = unsafe arena.allocate(QueryMemory.bytes(layout))
        query = unsafe QueryMemory(queryMemory, layout: layout)
        unsafe listCodes = arena.allocate(24 * layout.groups)
        unsafe listBounds = arena.allocate(lists)
        unsafe listScores = arena.allocate(lists)
        unsafe blockBounds = arena.allocate(blocks)
        unsafe candidates = arena.allocate(lists)
        unsafe self.blocks = arena.allocate(blocks)
        unsafe passed = arena.allocate(blocks)
        unsafe within = arena.allocate(listBlocks)
        unsafe pending = arena.allocate(Self.mostPending)
        unsafe distances = arena.allocate(Self.mostPending)
        unsafe seedKeys = arena.allocate(Self.mostSeeds)
        unsafe seedBounds = arena.allocate(blocks)
        unsafe centre = arena.allocate(4 * layout.groups)
    }

    /// The blocks of a list whose bounds are within a limit, block b at bit b.
    func blocks(_ count: Int, within limit: Int32) -> UInt64 {
        var within: UInt64 = 0
        unsafe Kernels.active.bounds(blockBounds, count: Kernels.blockRows, within: limit, into: &within)
        return count < Kernels.blockRows ? within & ((1 << UInt64(count)) - 1) : within
    }

    /// Writes the numbers of the chosen blocks, block b at bit b, to `blocks`, ascending. Returns their number.
    func list(_ chosen: UInt64) -> Int {
        var rest = chosen
        var n = 0
        while rest != 0 {
            unsafe blocks[n] = UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest - 1
            n += 1
        }
        return n
    }
}

/// A row that may be a neighbour.
@safe
struct PendingRow {
    let row: UnsafePointer<Float>
    let id: UnsafePointer<VectorID>
}

extension ListScanMemory {
    private static let stored = ThreadMemory<ListScanMemory>()

    /// The largest numbers of lists and dimensions of memory that a thread caches, about 6 MB.
    private static let (mostLists, mostDimensions) = (1 << 18, 4_096)

    /// Runs a search in a store with the thread's cached memory.
    @inline(__always)
    static func with<Result>(for store: ListStoreView, _ search: (ListScanMemory) -> Result) -> Result {
        let last = stored.take()
        let memory = last.flatMap { $0.serves(store) ? $0 : nil } ?? ListScanMemory(store: store, replacing: last)
        defer {
            if memory.lists <= mostLists, memory.layout.dimension <= mostDimensions { stored.putBack(memory) }
        }
        memory.counters = SearchCounters()
        return search(memory)
    }

    private func serves(_ store: ListStoreView) -> Bool {
        lists >= store.views.count && layout.dimension >= store.layout.dimension
    }
}
