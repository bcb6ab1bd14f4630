import KinLinearAlgebra

extension CentroidSearch {
    /// What is known of points before they are assigned; the result does not depend on it.
    enum AssignmentState {
        case unassigned
        /// Their labels are a guess: the distance to that centroid is the first limit of the screen. The better the
        /// guess, the fewer centroids pass.
        case labelled
        /// They have labels below these centroids' and the distances to go with them, and keep both if none of these is
        /// nearer.
        case earlierCentroids
    }

    /// Codes of points that last from one assignment to the next.
    struct PointCodes {
        let queries: CodedQueries
        /// Whether they are for another grid than that of the centroids, or not made yet.
        let areStale: Bool
    }

    /// Finds the nearest centroid of each of some points.
    ///
    /// - Parameters:
    ///   - points: count × stride floats.
    ///   - labels: Receives the nearest centroids, of equally near ones the lowest number.
    ///   - distances: Receives the distances to them.
    ///   - codes: The codes of more points, of which these begin at index `firstCode`.
    /// - Returns: How many labels were changed.
    @discardableResult
    func assign(
        _ points: UnsafePointer<Float>, count: Int, labels: UnsafeMutablePointer<UInt32>,
        distances: UnsafeMutablePointer<Double>, from state: AssignmentState, codes: PointCodes? = nil,
        firstCode: Int = 0, scratch: Scratch
    ) -> Int {
        var changes = 0
        var first = 0
        while first < count {
            let n = min(Kernels.tileQueries, count - first)
            var tile = unsafe AssignmentTile(
                points: points + first * stride, count: n, labels: labels + first, distances: distances + first,
                codes: codes?.queries ?? scratch.codes, firstCode: codes == nil ? 0 : firstCode + first)
            unsafe scratch.before.update(from: tile.labels, count: n)
            let isSkipped = scratch.tilesToSkip > 0
            if let coding, codes?.areStale ?? !isSkipped {
                unsafe tile.codes.encode(
                    tile.points, count: n, stride: stride, grid: coding.grid, first: tile.firstCode)
            }
            if let coding, !isSkipped {
                let survivors = screen(&tile, coding: coding, from: state, scratch: scratch)
                // A survivor costs its dimensions and some 14 ns, as much as 74 dimensions of a scan.
                if survivors * (dimension + 74) > k * n * dimension { scratch.tilesToSkip = 7 }
            } else {
                scratch.tilesToSkip = max(0, scratch.tilesToSkip - 1)
                scan(&tile, from: state, scratch: scratch)
            }
            for q in 0..<n where unsafe tile.labels[q] != scratch.before[q] { changes += 1 }
            first += n
        }
        return changes
    }

    /// Computes every distance.
    private func scan(_ tile: inout AssignmentTile, from state: AssignmentState, scratch: Scratch) {
        if state != .earlierCentroids { tile.reset() }
        for c in 0..<k { offer(c, to: &tile, scratch: scratch) }
    }

    /// Offers one centroid to all points.
    private func offer(_ c: Int, to tile: inout AssignmentTile, scratch: Scratch) {
        unsafe Kernels.active.distances(
            metric, from: rows + c * stride, to: tile.points, stride: stride, count: tile.count,
            into: scratch.distances)
        for q in 0..<tile.count { unsafe tile.offer(label(c), at: scratch.distances[q], query: q) }
    }

    @inline(__always)
    private func label(_ c: Int) -> UInt32 { UInt32(truncatingIfNeeded: firstLabel + c) }

    /// Guesses the nearest of some centroids spread evenly over all.
    private func guess(_ tile: inout AssignmentTile, scratch: Scratch) {
        tile.reset()
        for c in Swift.stride(from: 0, to: k, by: max(1, k / 8)) { offer(c, to: &tile, scratch: scratch) }
    }

    /// Computes the distances to the labels, of points with the same one together.
    private func measure(_ tile: inout AssignmentTile) {
        var first = 0
        while first < tile.count {
            let label = unsafe tile.labels[first]
            var end = first + 1
            while end < tile.count, unsafe tile.labels[end] == label { end += 1 }
            unsafe Kernels.active.distances(
                metric, from: rows + (Int(label) - firstLabel) * stride, to: tile.points + first * stride,
                stride: stride, count: end - first, into: tile.distances + first)
            first = end
        }
    }

    /// Improves what is known of a tile to the nearest centroids.
    ///
    /// - Returns: How many distances were computed for centroids that passed.
    private func screen(
        _ tile: inout AssignmentTile, coding: RowCoding, from state: AssignmentState, scratch: Scratch
    ) -> Int {
        switch state {
        case .unassigned: guess(&tile, scratch: scratch)
        case .labelled: measure(&tile)
        case .earlierCentroids: break
        }
        for c in coding.exceptions { offer(Int(c), to: &tile, scratch: scratch) }
        let majority = state == .labelled ? majorityCentroid(of: &tile, scratch: scratch) : nil
        if let majority { mask(majority, scratch: scratch) }
        defer { if let majority { unmask(majority, scratch: scratch) } }
        var survivors = 0
        var block = 0
        // Without a guess the limits are wide at first: few blocks, then twice as many each time, with narrower ones.
        var end = state == .unassigned ? 1 : blocks
        while block < blocks {
            unsafe tile.codes.limits(
                from: tile.firstCode, count: tile.count, distances: tile.distances, grid: coding.grid,
                errors: coding.errors, into: scratch.limits)
            let (found, next) = unsafe Kernels.active.screen(
                codes: scratch.rowCodes, blocks: end, groups: groups, weights: tile.codes.weights(from: tile.firstCode),
                limits: scratch.limits, queries: tile.count, metric: metric, from: block, into: scratch.hits)
            for h in 0..<found {
                survivors += unsafe take(scratch.hits[h], for: &tile, coding: coding, scratch: scratch)
            }
            block = next
            if block == end { end = min(2 * end, blocks) }
        }
        return survivors
    }

    /// The centroid that most points of a tile are labelled with, if there is one; it is offered to the others.
    private func majorityCentroid(of tile: inout AssignmentTile, scratch: Scratch) -> Int? {
        let label = unsafe tile.labels[tile.count / 2]
        let others = (0..<tile.count).count { unsafe tile.labels[$0] != label }
        guard others <= tile.count / 2 else { return nil }
        let majority = Int(label) - firstLabel
        for q in 0..<tile.count where unsafe tile.labels[q] != label {
            unsafe Kernels.active.distances(
                metric, from: rows + majority * stride, to: tile.points + q * stride, stride: stride, count: 1,
                into: scratch.distances)
            unsafe tile.offer(label, at: scratch.distances[0], query: q)
        }
        return majority
    }

    /// Moves the code of a centroid away from all points: the screen need not find what every point of a tile knows.
    private func mask(_ c: Int, scratch: Scratch) {
        for g in 0..<groups {
            let offset = codeOffset(row: c, group: g, groups: groups)
            for d in offset..<offset + 4 { unsafe scratch.rowCodes[d] = codes[d] < 128 ? 255 : 1 }
        }
    }

    private func unmask(_ c: Int, scratch: Scratch) {
        for g in 0..<groups {
            let offset = codeOffset(row: c, group: g, groups: groups)
            for d in offset..<offset + 4 { unsafe scratch.rowCodes[d] = codes[d] }
        }
    }

    /// Offers the centroids of one hit.
    private func take(
        _ hit: ScreenHit, for tile: inout AssignmentTile, coding: RowCoding, scratch: Scratch
    ) -> Int {
        let q = Int(hit.query)
        let first = Int(hit.block) * Kernels.blockRows
        var passed = hit.rows
        if first + Kernels.blockRows > k { passed &= (1 << UInt64(k - first)) - 1 }
        if !coding.exceptions.isEmpty { passed &= ~coding.exceptions(inBlock: Int(hit.block)) }
        // The distance to the nearest so far is known; a shift by 64 or more, or by less than 0, gives 0.
        passed &= unsafe ~((1 as UInt64) << (Int(tile.labels[q]) - firstLabel - first))
        var n = 0
        while passed != 0 {
            unsafe scratch.picks[n] = UInt32(first + passed.trailingZeroBitCount)
            passed &= passed - 1
            n += 1
        }
        guard n > 0 else { return 0 }
        unsafe Kernels.active.distances(
            metric, from: tile.points + q * stride, to: rows, stride: stride, picks: scratch.picks, count: n,
            into: scratch.distances)
        for i in 0..<n {
            unsafe tile.offer(label(Int(scratch.picks[i])), at: scratch.distances[i], query: q)
        }
        return n
    }
}

/// Up to 64 points with the nearest centroid of each so far.
@safe
private struct AssignmentTile {
    let points: UnsafePointer<Float>
    let count: Int
    let labels: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Double>
    let codes: CodedQueries
    /// Index of the first point's code in `codes`.
    let firstCode: Int

    @inline(__always)
    mutating func offer(_ c: UInt32, at distance: Double, query q: Int) {
        let best = unsafe distances[q]
        if unsafe distance < best || (distance == best && c < labels[q]) {
            unsafe distances[q] = distance
            unsafe labels[q] = c
        }
    }

    mutating func reset() {
        for q in 0..<count {
            unsafe labels[q] = .max
            unsafe distances[q] = .infinity
        }
    }
}
