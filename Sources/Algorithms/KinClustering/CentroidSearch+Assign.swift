extension CentroidSearch {
    /// The validity of labels and distances before an assignment. The result does not depend on it.
    enum AssignmentState {
        case unassigned
        /// Labels are guesses, and distances are not valid. The distance to the guessed centroid is the first limit of
        /// the screen. The better the guesses, the fewer centroids pass.
        case labelled
        /// Labels are numbers below those of these centroids, with valid distances. Both stay unless one of these
        /// centroids is nearer.
        case earlierCentroids
    }

    /// The codes of all points of a run, which stay valid from one assignment to the next.
    struct PointCodes {
        let queries: CodedQueries
        /// True if the codes are for a different grid than the centroids' grid, or not computed yet.
        let areStale: Bool
    }

    /// Finds the nearest centroid of each point in a range.
    ///
    /// - Parameters:
    ///   - points: All points of the run.
    ///   - range: The points to assign.
    ///   - assignment: Receives the nearest centroids (the lowest number of equally near ones) and the distances to
    ///     them.
    ///   - state: The validity of the assignment's present labels and distances.
    ///   - codes: The codes of all points; nil to compute them for each tile.
    /// - Returns: The number of labels that changed.
    @discardableResult
    func assign(
        _ points: PointRows, _ range: Range<Int>, to assignment: Assignment, from state: AssignmentState,
        codes: PointCodes? = nil, scratch: Scratch
    ) -> Int {
        var changes = 0
        var first = range.lowerBound
        while first < range.upperBound {
            let n = min(Kernels.tileQueries, range.upperBound - first)
            var tile = unsafe AssignmentTile(
                points: points.row(first), stride: stride, count: n, labels: assignment.labels + first,
                distances: assignment.distances + first, codes: codes?.queries ?? scratch.codes,
                firstCode: codes == nil ? 0 : first)
            unsafe scratch.previousLabels.update(from: tile.labels, count: n)
            let isSkipped = scratch.tilesToSkip > 0
            if let coding, codes?.areStale ?? !isSkipped {
                unsafe tile.codes.encode(
                    tile.points, count: n, stride: stride, grid: coding.grid, first: tile.firstCode)
            }
            if let coding, !isSkipped {
                let survivors = screen(&tile, coding: coding, from: state, scratch: scratch)
                // The distance to a survivor costs its dimensions plus about 14 ns, which equals 74 dimensions of a
                // scan.
                if survivors * (dimension + 74) > k * n * dimension { scratch.tilesToSkip = 7 }
            } else {
                scratch.tilesToSkip = max(0, scratch.tilesToSkip - 1)
                scan(&tile, from: state, scratch: scratch)
            }
            for q in 0..<n where unsafe tile.labels[q] != scratch.previousLabels[q] { changes += 1 }
            first += n
        }
        return changes
    }

    /// Computes the distances of a tile to all centroids.
    private func scan(_ tile: inout AssignmentTile, from state: AssignmentState, scratch: Scratch) {
        if state != .earlierCentroids { tile.reset() }
        for c in 0..<k { offer(c, to: &tile, scratch: scratch) }
    }

    /// Compares one centroid with all points of a tile.
    func offer(_ c: Int, to tile: inout AssignmentTile, scratch: Scratch) {
        unsafe Kernels.active.distances(
            metric, from: rows + c * stride, to: tile.points, stride: stride, count: tile.count,
            into: scratch.distances)
        for q in 0..<tile.count { unsafe tile.offer(label(c), at: scratch.distances[q], query: q) }
    }

    @inline(__always)
    func label(_ c: Int) -> UInt32 { UInt32(truncatingIfNeeded: firstLabel + c) }

    /// Assigns a tile to the nearest of about eight centroids, spread evenly over all.
    private func guess(_ tile: inout AssignmentTile, scratch: Scratch) {
        tile.reset()
        for c in Swift.stride(from: 0, to: k, by: max(1, k / 8)) { offer(c, to: &tile, scratch: scratch) }
    }

    /// Computes the distances to the labels' centroids, with runs of equal labels together.
    func measure(_ tile: inout AssignmentTile) {
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

    /// Assigns a tile to its nearest centroids by screening their codes.
    ///
    /// - Returns: The number of distances computed for centroids that passed.
    private func screen(
        _ tile: inout AssignmentTile, coding: RowCoding, from state: AssignmentState, scratch: Scratch
    ) -> Int {
        switch state {
        case .unassigned: guess(&tile, scratch: scratch)
        case .labelled: measure(&tile)
        case .earlierCentroids: break
        }
        for c in coding.outliers { offer(Int(c), to: &tile, scratch: scratch) }
        let all = unsafe CodedCentroids(codes: codes, count: k, numbers: nil)
        // Without a guess the limits are wide at first: the screen starts with few blocks, and doubles them each time
        // with narrower limits.
        return screen(&tile, against: all, blocks: state == .unassigned ? 1 : blocks, coding: coding, scratch: scratch)
    }

    /// Computes the distances of a tile to the given centroids whose codes pass the screen.
    ///
    /// - Parameter blocks: The number of blocks of codes to screen with the present limits. It then doubles each time,
    ///   with limits from the distances found.
    /// - Returns: The number of distances computed.
    func screen(
        _ tile: inout AssignmentTile, against centroids: CodedCentroids, blocks first: Int, coding: RowCoding,
        scratch: Scratch
    ) -> Int {
        var survivors = 0
        var block = 0
        var end = min(first, centroids.blocks)
        while block < centroids.blocks {
            unsafe tile.codes.limits(
                from: tile.firstCode, count: tile.count, distances: tile.distances, grid: coding.grid,
                errors: coding.errors, into: scratch.limits)
            let (found, next) = unsafe Kernels.active.screen(
                CodeBlocks(centroids.codes, count: end, groups: groups, metric: metric),
                weights: tile.codes.weights(from: tile.firstCode),
                limits: UnsafeBufferPointer(start: scratch.limits, count: tile.count), from: block,
                into: scratch.hits)
            for h in 0..<found {
                survivors += unsafe computeDistances(
                    scratch.hits[h], of: centroids, for: &tile, coding: coding, scratch: scratch)
            }
            block = next
            if block == end { end = min(2 * end, centroids.blocks) }
        }
        return survivors
    }

    /// Computes the distances of one point to the centroids of a hit. Returns their number.
    private func computeDistances(
        _ hit: ScreenHit, of centroids: CodedCentroids, for tile: inout AssignmentTile, coding: RowCoding,
        scratch: Scratch
    ) -> Int {
        let q = Int(hit.query)
        let first = Int(hit.block) * Kernels.blockRows
        var passed = hit.rows
        if first + Kernels.blockRows > centroids.count { passed &= (1 << UInt64(centroids.count - first)) - 1 }
        if unsafe centroids.numbers == nil {
            if !coding.outliers.isEmpty { passed &= ~coding.outliers(inBlock: Int(hit.block)) }
            // The distance to the nearest centroid so far is known. A shift by 64 or more, or by less than 0, gives 0.
            passed &= unsafe ~((1 as UInt64) << (Int(tile.labels[q]) - firstLabel - first))
        }
        var n = 0
        while passed != 0 {
            unsafe scratch.picks[n] = centroids.number(first + passed.trailingZeroBitCount)
            passed &= passed - 1
            n += 1
        }
        guard n > 0 else { return 0 }
        unsafe Kernels.active.distances(
            metric, from: tile.row(q), to: rows, stride: stride,
            picks: UnsafeBufferPointer(start: scratch.picks, count: n), into: scratch.distances)
        for i in 0..<n {
            unsafe tile.offer(label(Int(scratch.picks[i])), at: scratch.distances[i], query: q)
        }
        return n
    }
}
