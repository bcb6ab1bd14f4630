/// Up to 64 queries that visit one list together, each only in the blocks within its radius.
///
/// A single query reads a block's codes and computes the terms of its rows. A tile does both once for all its queries,
/// and the rows stay in registers while the kernel loops over the queries. If the kernel reads six bits of the codes,
/// several times more rows pass than with all eight. So a query checks its passing rows in a block again with all eight
/// bits.
@safe
final class ListTile<Target: Collector> {
    /// A query of the tile.
    @safe
    private struct Member {
        let traversal: UnsafeMutablePointer<ListTraversal<Target>>
        /// The blocks to screen, block b at bit b.
        let blocks: UInt64
        /// The query on the grid of the list's rows; set when it is screened together with others.
        var bound: QueryBound?
    }

    /// The smallest mean number of queries per block for screening them together. Below it, each query reads its blocks
    /// in one call, all bits at once.
    static var fewest: Int { 8 }
    /// The largest number of hits before they are compared, so that limits follow the smaller radii.
    private static var mostHits: Int { 4 * Kernels.tileQueries }

    private let layout: RowLayout
    private let kernels = Kernels.active
    private let members: UnsafeMutablePointer<Member>
    private var count = 0
    /// The total number of blocks over all members, and the union of their blocks.
    private var pairs = 0
    private var union: UInt64 = 0
    /// The members that screen a block, member m at bit m of the block's word. Before the transposition, each word has
    /// one member's blocks.
    private let wanted: UnsafeMutablePointer<UInt64>
    /// 4 · groups weights for each member, and the members' limits.
    private let weights: UnsafeMutablePointer<Int8>
    private let limits: UnsafeMutablePointer<Int32>
    private let hits: UnsafeMutableBufferPointer<ScreenHit>
    private let arena = Arena()

    init(layout: RowLayout) {
        self.layout = layout
        let queries = Kernels.tileQueries
        unsafe members = arena.allocate(queries)
        unsafe wanted = arena.allocate(Kernels.blockRows)
        unsafe weights = arena.allocate(queries * 4 * layout.groups)
        unsafe limits = arena.allocate(queries)
        unsafe hits = arena.buffer(Self.mostHits)
    }

    var isFull: Bool { count == Kernels.tileQueries }

    /// Adds a query with the blocks it must screen, block b at bit b.
    ///
    /// - Precondition: The tile is not full, the list has codes, and the search has a finite radius.
    func add(_ traversal: UnsafeMutablePointer<ListTraversal<Target>>, blocks: UInt64) {
        unsafe (members + count).initialize(to: Member(traversal: traversal, blocks: blocks))
        count += 1
        pairs += blocks.nonzeroBitCount
        union |= blocks
    }

    /// Offers each query the rows of its blocks that may be neighbours, and clears the tile.
    func screen(_ list: Int, of store: ListStoreView) {
        guard count > 0 else { return }
        let rows = ListRows(list, of: store)
        if let grid = rows.view.grid, pairs >= Self.fewest * union.nonzeroBitCount {
            screen(rows.view, grid: grid, outliers: rows.outliers)
        } else {
            for m in 0..<count {
                unsafe members[m].traversal.pointee.screen(members[m].blocks, of: list)
                unsafe members[m].traversal.pointee.flush()
            }
        }
        (count, pairs, union) = (0, 0, 0)
    }

    /// Screens each block for all its queries together.
    ///
    /// - Parameter outliers: The coding of the list's chunk; nil if no row is outside the grid.
    private func screen(_ view: ListView, grid: CodeGridView, outliers: RowCoding?) {
        for m in 0..<count { code(m, of: view, grid: grid) }
        for m in count..<Kernels.tileQueries { unsafe wanted[m] = 0 }
        unsafe Self.transpose(wanted)
        if let outliers { offer(outliers, of: view) }
        let refines = kernels.precision != kernels.precision(ofBlocks: layout.metric)
        let blocks = unsafe CodeBlocks(view.codes, count: view.blocks, groups: layout.groups, metric: layout.metric)
        var block = union.trailingZeroBitCount
        while block < view.blocks {
            let (found, next) = unsafe kernels.screen(
                blocks, weights: weights, limits: UnsafeBufferPointer(start: limits, count: count), chosen: wanted,
                from: block, into: hits)
            for h in 0..<found {
                let hit = unsafe hits[h]
                let (m, block) = (Int(hit.query), Int(hit.block))
                var rows = hit.rows & view.occupied(block)
                if let outliers { rows &= ~outliers.outliers(inBlock: block) }
                guard rows != 0 else { continue }
                if refines { rows &= unsafe members[m].traversal.pointee.passing(block, of: view, grid: grid) }
                offer(rows, block: block, of: view, to: m)
            }
            block = next
        }
    }

    /// Transposes 64 words as a 64 × 64 bit matrix, in log₂ 64 steps that swap squares of half the previous width.
    private static func transpose(_ words: UnsafeMutablePointer<UInt64>) {
        var width = 32
        var mask: UInt64 = 0x0000_0000_FFFF_FFFF
        while width > 0 {
            var i = 0
            while i < 64 {
                let moved = unsafe (words[i] >> UInt64(width) ^ words[i + width]) & mask
                unsafe words[i] ^= moved << UInt64(width)
                unsafe words[i + width] ^= moved
                i = (i + width + 1) & ~width
            }
            width /= 2
            mask ^= mask << UInt64(width)
        }
    }

    /// Codes a member's query for the multi-query kernel, and records its blocks in its word of `wanted`.
    private func code(_ m: Int, of view: ListView, grid: CodeGridView) {
        let traversal = unsafe members[m].traversal
        let bound = unsafe traversal.pointee.tileQuery.coded(traversal.pointee.query, layout: layout, on: grid)
        let width = 4 * layout.groups
        // With 16 dimensions the width is constant: two moves instead of a call.
        if width == 16 {
            unsafe UnsafeMutableRawPointer(weights + m * 16).copyMemory(
                from: traversal.pointee.tileQuery.weights, byteCount: 16)
        } else {
            unsafe (weights + m * width).update(from: traversal.pointee.tileQuery.weights, count: width)
        }
        unsafe members[m].bound = bound
        unsafe limits[m] = bound.limit(distance: traversal.pointee.collector.radius, errors: view.errors)
        unsafe wanted[m] = members[m].blocks
        unsafe traversal.pointee.counters.blocksScreened += members[m].blocks.nonzeroBitCount
    }

    /// Offers the rows outside the grid to all members that screen their blocks.
    private func offer(_ outliers: RowCoding, of view: ListView) {
        for block in 0..<view.blocks {
            let rows = outliers.outliers(inBlock: block)
            var rest = rows == 0 ? 0 : unsafe wanted[block]
            while rest != 0 {
                offer(rows, block: block, of: view, to: rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// Compares rows of a block with a member's query. Neighbours found lower its limit.
    private func offer(_ rows: UInt64, block: Int, of view: ListView, to m: Int) {
        guard rows != 0 else { return }
        let traversal = unsafe members[m].traversal
        let radius = unsafe traversal.pointee.collector.radius
        unsafe traversal.pointee.offer(rows, block: block, of: view)
        unsafe traversal.pointee.flush()
        let shorter = unsafe traversal.pointee.collector.radius
        guard shorter < radius, let bound = unsafe members[m].bound else { return }
        unsafe limits[m] = bound.limit(distance: shorter, errors: view.errors)
    }
}
