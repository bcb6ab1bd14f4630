// The bounds of the lists' boxes are in `memory.listBounds`.

extension ListTraversal {
    /// The list with the nearest box and its bound; of equally near boxes, the one with the nearest centre, and of
    /// equally near centres, the first. The bound is `.max` if all lists are lists of outliers.
    func nearestList(_ boxQuery: BoxQuery, _ boxes: BoxTableView) -> (list: Int, bound: Int32) {
        unsafe boxQuery.bound(boxes, codes: memory.listCodes, into: memory.listBounds)
        // Outliers are not ordered with the others: a search neither begins with an outlier nor measures its pruning
        // from one.
        for c in store.outlierLists { unsafe memory.listBounds[c] = .max }
        var least = Int32.max
        for c in 0..<store.views.count { unsafe least = min(least, memory.listBounds[c]) }
        return (nearestCentre(within: least, boxQuery, boxes), least)
    }

    /// The list with the nearest centre among those with a bound. A single list is not compared.
    private func nearestCentre(within bound: Int32, _ boxQuery: BoxQuery, _ boxes: BoxTableView) -> Int {
        var nearest: Int?
        var order: Int?
        for c in 0..<store.views.count where unsafe memory.listBounds[c] == bound {
            guard let known = nearest else {
                nearest = c
                continue
            }
            let best = unsafe order ?? boxQuery.centreOrder(of: known, in: boxes, codes: memory.listCodes)
            let other = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.listCodes)
            order = min(best, other)
            if other < best { nearest = c }
        }
        return nearest ?? 0
    }

    /// Finds the lists within a limit on bounds, except a visited one and those of outliers, and writes them to
    /// `memory.candidates`.
    ///
    /// - Returns: The number of candidates.
    func findCandidates(within limit: Int32, but visited: Int?) -> Int {
        let (n, within) = unsafe (store.views.count, memory.within)
        unsafe kernels.bounds(memory.listBounds, count: (n + 63) & ~63, within: limit, into: within)
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
}
