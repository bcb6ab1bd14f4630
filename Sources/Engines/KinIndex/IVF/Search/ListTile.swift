import KinCore
import KinLinearAlgebra

/// Up to 64 queries that visit one list together, each of them only in the blocks within its radius.
///
/// A query by itself reads a block's codes and computes the terms of its rows for itself. Together the queries do both once, and the
/// kernel holds the rows in registers while the queries pass. Where that kernel reads six bits of the codes, several times as many rows
/// pass as by all eight, so a query looks at a block in which it has any once more.
@safe
final class ListTile<Target: Collector> {
    /// A query on the grid of the list's rows, by one precision.
    private struct CodedQuery {
        private let bound: QueryBound
        /// The limit at the present radius.
        private(set) var limit: Int32

        init(_ bound: QueryBound, radius: Double, errors: CodeErrors) {
            self.bound = bound
            limit = bound.limit(distance: radius, errors: errors)
        }

        mutating func follow(_ radius: Double, errors: CodeErrors) {
            limit = bound.limit(distance: radius, errors: errors)
        }
    }

    /// A query of the tile.
    @safe
    private struct Member {
        let traversal: UnsafeMutablePointer<ListTraversal<Target>>
        /// Block b at bit b.
        let blocks: UInt64
        /// The radius that the limits were computed for.
        var radius = Double.infinity
        /// For many queries against a block, once they are screened together.
        var coarse: CodedQuery?
        /// For this query alone against a block, once it was needed.
        var fine: CodedQuery?
    }

    /// The queries that a block must have on average for them to be screened together: a query by itself reads its blocks in one call,
    /// all bits at once.
    static var fewest: Int { 8 }
    /// The number of blocks to prefetch ahead.
    private static var ahead: Int { 2 }

    private let layout: RowLayout
    private let kernels = Kernels.active
    private let members: UnsafeMutablePointer<Member>
    private var count = 0
    /// The blocks of all members added up, and those of any.
    private var pairs = 0
    private var union: UInt64 = 0
    /// The members that screen a block, member m at bit m; two blocks more than there are, which nobody screens.
    private let wanted: UnsafeMutablePointer<UInt64>
    /// 4 · groups weights of each member in either precision; and the coarse ones of the members that screen a block, side by side,
    /// with their limits and numbers.
    private let weights: UnsafeMutablePointer<Int8>
    private let fineWeights: UnsafeMutablePointer<Int8>
    private let chosenWeights: UnsafeMutablePointer<Int8>
    private let chosenLimits: UnsafeMutablePointer<Int32>
    private let chosen: UnsafeMutablePointer<Int>
    private let hits: UnsafeMutableBufferPointer<ScreenHit>

    init(layout: RowLayout) {
        self.layout = layout
        let queries = Kernels.tileQueries
        let blocks = Kernels.blockRows + Self.ahead
        unsafe members = .allocate(capacity: queries)
        unsafe wanted = .allocate(capacity: blocks)
        unsafe wanted.initialize(repeating: 0, count: blocks)
        unsafe weights = .allocate(capacity: queries * 4 * layout.groups)
        unsafe fineWeights = .allocate(capacity: queries * 4 * layout.groups)
        unsafe chosenWeights = .allocate(capacity: queries * 4 * layout.groups)
        unsafe chosenLimits = .allocate(capacity: queries)
        unsafe chosen = .allocate(capacity: queries)
        unsafe hits = .allocate(capacity: queries)
    }

    deinit {
        unsafe members.deallocate()
        unsafe wanted.deallocate()
        unsafe weights.deallocate()
        unsafe fineWeights.deallocate()
        unsafe chosenWeights.deallocate()
        unsafe chosenLimits.deallocate()
        unsafe chosen.deallocate()
        unsafe hits.deallocate()
    }

    var isFull: Bool { count == Kernels.tileQueries }

    /// Adds a query with the blocks it has to screen, block b at bit b.
    ///
    /// - Precondition: The tile is not full; the list has codes, and the search has a finite radius.
    func add(_ traversal: UnsafeMutablePointer<ListTraversal<Target>>, blocks: UInt64) {
        unsafe (members + count).initialize(to: Member(traversal: traversal, blocks: blocks))
        count += 1
        pairs += blocks.nonzeroBitCount
        union |= blocks
    }

    /// Offers each query the rows of its blocks that may be neighbours, and empties the tile.
    func screen(_ list: Int, of store: ListStore) {
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
    /// - Parameter outliers: The coding of the list's chunk when some of its rows lie outside the grid.
    private func screen(_ view: ListView, grid: CodeGridView, outliers: RowCoding?) {
        for m in 0..<count { code(m, of: view, grid: grid) }
        let refines = kernels.precision != kernels.precision(ofBlocks: layout.metric)
        for block in 0..<view.blocks where unsafe wanted[block] != 0 {
            if unsafe wanted[block + Self.ahead] != 0 {
                unsafe kernels.prefetch(
                    view.codes + (block + Self.ahead) * layout.blockBytes, bytes: min(layout.blockBytes, 1024))
            }
            let always = outliers?.outliers(inBlock: block) ?? 0
            let n = unsafe choose(wanted[block])
            unsafe wanted[block] = 0
            let (found, _) = unsafe kernels.screen(
                CodeBlocks(view.codes, count: block + 1, groups: layout.groups, metric: layout.metric),
                weights: chosenWeights, limits: UnsafeBufferPointer(start: chosenLimits, count: n), from: block,
                into: hits)
            for h in 0..<found {
                let hit = unsafe hits[h]
                let m = unsafe chosen[Int(hit.query)]
                var rows = hit.rows & view.occupied(block) & ~always
                if refines, rows != 0 { rows &= passing(block, of: view, grid: grid, for: m) }
                offer(rows, block: block, of: view, to: m)
            }
            if always != 0 { for i in 0..<n { unsafe offer(always, block: block, of: view, to: chosen[i]) } }
        }
    }

    /// Codes a member's query for the kernel of many, and notes its blocks.
    private func code(_ m: Int, of view: ListView, grid: CodeGridView) {
        let traversal = unsafe members[m].traversal
        unsafe members[m].radius = traversal.pointee.collector.radius
        unsafe members[m].coarse = coded(m, by: kernels.precision, into: weights, of: view, grid: grid)
        var rest = unsafe members[m].blocks
        unsafe traversal.pointee.counters.blocksScreened += rest.nonzeroBitCount
        while rest != 0 {
            unsafe wanted[rest.trailingZeroBitCount] |= 1 << UInt64(m)
            rest &= rest - 1
        }
    }

    /// Codes a member's query by a precision, its weights at its place among those of all members.
    private func coded(
        _ m: Int, by precision: CodePrecision, into weights: UnsafeMutablePointer<Int8>, of view: ListView,
        grid: CodeGridView
    ) -> CodedQuery {
        let bound = unsafe QueryBound(
            coding: members[m].traversal.pointee.query, dimension: layout.dimension, metric: layout.metric, grid: grid,
            precision: precision, weights: weights + m * 4 * layout.groups)
        return unsafe CodedQuery(bound, radius: members[m].radius, errors: view.errors)
    }

    /// Puts the weights and limits of some members side by side; returns their number.
    private func choose(_ wanted: UInt64) -> Int {
        let width = 4 * layout.groups
        var rest = wanted
        var n = 0
        while rest != 0 {
            let m = rest.trailingZeroBitCount
            rest &= rest - 1
            // Of 16 dimensions a constant: two moves in place of a call.
            if width == 16 {
                unsafe UnsafeMutableRawPointer(chosenWeights + n * 16).copyMemory(from: weights + m * 16, byteCount: 16)
            } else {
                unsafe (chosenWeights + n * width).update(from: weights + m * width, count: width)
            }
            unsafe chosenLimits[n] = members[m].coarse?.limit ?? .max
            unsafe chosen[n] = m
            n += 1
        }
        return n
    }

    /// The rows of a block that may be neighbours of one member's query, by the precision for one query.
    private func passing(_ block: Int, of view: ListView, grid: CodeGridView, for m: Int) -> UInt64 {
        let precision = kernels.precision(ofBlocks: layout.metric)
        let fine =
            unsafe members[m].fine ?? coded(m, by: precision, into: fineWeights, of: view, grid: grid)
        unsafe members[m].fine = fine
        var number = UInt32(block)
        var rows: UInt64 = 0
        unsafe withUnsafePointer(to: &number) { number in
            unsafe kernels.passing(
                CodeBlocks(view.codes, count: view.blocks, groups: layout.groups, metric: layout.metric),
                blocks: UnsafeBufferPointer(start: number, count: 1),
                weights: fineWeights + m * 4 * layout.groups, limit: fine.limit, into: &rows)
        }
        return rows
    }

    /// Compares some rows of a block with a member's query; what is found lowers its limits.
    private func offer(_ rows: UInt64, block: Int, of view: ListView, to m: Int) {
        guard rows != 0 else { return }
        let traversal = unsafe members[m].traversal
        unsafe traversal.pointee.offer(rows, block: block, of: view)
        unsafe traversal.pointee.flush()
        let radius = unsafe traversal.pointee.collector.radius
        guard unsafe radius < members[m].radius else { return }
        unsafe members[m].radius = radius
        unsafe members[m].coarse?.follow(radius, errors: view.errors)
        unsafe members[m].fine?.follow(radius, errors: view.errors)
    }
}
