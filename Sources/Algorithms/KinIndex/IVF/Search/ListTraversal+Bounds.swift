import KinLinearAlgebra

// The bounds of the lists' boxes are in `memory.listBounds`. With thousands of lists, each block of 64 boxes has an
// outer box around it (`BoxTable.outer`). The outer boxes are bounded first. A block's own boxes are bounded only if
// the search begins there or its outer box is within the radius. Results are the same, since no list has a smaller
// bound than its block.

extension ListTraversal {
    /// The list with the nearest box and its bound; of equally near boxes, the one with the nearest centre. The bound
    /// is `.max` if all lists are lists of outliers.
    func nearestList(_ boxQuery: BoxQuery, _ boxes: BoxTableView) -> (list: Int, bound: Int32) {
        guard let outer = store.outerBoxes else {
            boundAll(boxQuery, boxes)
            let all = 0..<store.views.count
            let bound = leastBound(all)
            var nearest = NearestMiddle(bound: bound)
            find(&nearest, among: all, boxQuery, boxes)
            return (max(nearest.list, 0), bound)
        }
        unsafe boxQuery.bound(outer, codes: memory.listCodes, into: memory.outerBounds)
        memory.boundedBlocks = 0
        var least = Int32.max
        // A block as near as the nearest list so far may have a list with a nearer centre.
        while let b = nearestBlock(of: boxes.blocks), unsafe memory.outerBounds[b] <= least {
            boundBlock(b, boxQuery, boxes)
            least = min(least, leastBound(lists(ofBlock: b)))
        }
        var nearest = NearestMiddle(bound: least)
        for i in 0..<memory.boundedBlocks {
            find(&nearest, among: unsafe lists(ofBlock: Int(memory.blockOrder[i])), boxQuery, boxes)
        }
        return (max(nearest.list, 0), least)
    }

    /// Finds the lists within a limit on bounds, except a visited one and those of outliers, and writes them to
    /// `memory.candidates`.
    ///
    /// - Returns: The number of candidates.
    func findCandidates(within limit: Int32, but visited: Int?, _ boxQuery: BoxQuery, _ boxes: BoxTableView) -> Int {
        let (n, within) = unsafe (store.views.count, memory.within)
        if store.outerBoxes == nil {
            unsafe kernels.bounds(
                memory.listBounds, count: (n + 63) & ~63, within: limit, into: within)
        } else {
            for b in 0..<boxes.blocks where unsafe memory.outerBounds[b] <= min(limit, .max - 1) {
                boundBlock(b, boxQuery, boxes)
            }
            unsafe within.update(repeating: 0, count: boxes.blocks)
            for i in 0..<memory.boundedBlocks {
                let b = unsafe Int(memory.blockOrder[i])
                unsafe kernels.bounds(
                    memory.listBounds + b * Kernels.blockRows, count: Kernels.blockRows, within: limit,
                    into: within + b)
            }
        }
        if let visited { unsafe within[visited / 64] &= ~(1 << UInt64(visited % 64)) }
        for c in store.outlierLists { unsafe within[c / 64] &= ~(1 << UInt64(c % 64)) }
        var count = 0
        for word in 0..<(n + 63) / 64 {
            var lists = unsafe within[word]
            if n < (word + 1) * 64 { lists &= (1 << UInt64(n % 64)) - 1 }
            while lists != 0 {
                let c = word * 64 + lists.trailingZeroBitCount
                lists &= lists - 1
                unsafe memory.candidates[count] = ProbeOrder.key(memory.listBounds[c], c)
                count += 1
            }
        }
        return count
    }

    private func boundAll(_ boxQuery: BoxQuery, _ boxes: BoxTableView) {
        unsafe boxQuery.bound(boxes, codes: memory.listCodes, into: memory.listBounds)
        // Outliers are not ordered with the others: a search neither begins with an outlier nor measures its pruning
        // from one.
        for c in store.outlierLists { unsafe memory.listBounds[c] = .max }
    }

    /// Computes bounds for the boxes of one block, which leaves the set of blocks still to be bounded.
    private func boundBlock(_ b: Int, _ boxQuery: BoxQuery, _ boxes: BoxTableView) {
        let (block, bounds) = unsafe (boxes.block(b), memory.listBounds + b * Kernels.blockRows)
        unsafe boxQuery.bound(block, codes: memory.listCodes, into: bounds)
        for c in store.outlierLists where c / Kernels.blockRows == b { unsafe memory.listBounds[c] = .max }
        unsafe memory.outerBounds[b] = .max
        unsafe memory.blockOrder[memory.boundedBlocks] = UInt32(b)
        memory.boundedBlocks += 1
    }

    /// The block with the least bound that is not bounded yet; nil if all are.
    private func nearestBlock(of blocks: Int) -> Int? {
        var nearest = 0
        for b in 1..<max(blocks, 1) where unsafe memory.outerBounds[b] < memory.outerBounds[nearest] { nearest = b }
        return unsafe memory.outerBounds[nearest] < .max ? nearest : nil
    }

    private func lists(ofBlock b: Int) -> Range<Int> {
        b * Kernels.blockRows..<min((b + 1) * Kernels.blockRows, store.views.count)
    }

    private func leastBound(_ lists: Range<Int>) -> Int32 {
        var least = Int32.max
        for c in lists { unsafe least = min(least, memory.listBounds[c]) }
        return least
    }

    /// Searches a range of lists for those with the least bound, and stores the one with the nearest centre.
    private func find(
        _ nearest: inout NearestMiddle, among lists: Range<Int>, _ boxQuery: BoxQuery, _ boxes: BoxTableView
    ) {
        for c in lists where unsafe memory.listBounds[c] == nearest.bound {
            nearest.add(c) { c in unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.listCodes) }
        }
    }
}

/// The list with the nearest centre among those with the same bound; the first of equally near ones. A single list is
/// not compared.
private struct NearestMiddle {
    let bound: Int32
    private(set) var list = -1
    private var order: Int?

    init(bound: Int32) { self.bound = bound }

    mutating func add(_ c: Int, orderOf: (Int) -> Int) {
        guard list >= 0 else {
            list = c
            return
        }
        let known = order ?? orderOf(list)
        let new = orderOf(c)
        order = min(known, new)
        if (new, c) < (known, list) { list = c }
    }
}
