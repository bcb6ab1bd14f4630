/// # Centroids within reach
///
/// Let c be the centroid of the cluster that a point x is sorted into. The point is compared with c and with its last
/// centroid; let d be the smaller of the two distances. A centroid at a distance of at most d from x is at most r = ‖x
/// − c‖ + d from c. All other centroids are skipped, for several points together by their largest r. For squared
/// distances, r² ≤ 2 (‖x − c‖² + d²), with equality if both are equal. Cosine distances are half the squared distances
/// of unit vectors.
///
/// The centroids within r of c are found by a screen of their codes with c as the query, so a few more may pass. The
/// points of a cluster, in ascending order of r, form tiles with few centroids within reach. Each tile needs the
/// centroids of the previous tile and a few more, so one list in that order serves all tiles.
///
/// The idea is from Elkan ("Using the triangle inequality to accelerate k-means", ICML 2003), but no bounds are stored
/// between iterations.
extension CentroidSearch {
    /// The smallest number of blocks of centroids that makes a search for those within reach worth its time.
    private static let minimumBlocks = 8

    /// Finds the nearest centroid of each point in a range of a run whose labels are guesses.
    ///
    /// - Parameters:
    ///   - work: The points. If they are sorted by cluster, centroids out of reach of a cluster are skipped.
    ///   - range: The positions of the points.
    ///   - codes: The codes of all points.
    /// - Returns: The number of labels that changed.
    func assign(_ work: RunPoints, _ range: Range<Int>, codes: PointCodes, scratch: Scratch) -> Int {
        guard let coding, work.state == .labelled, !work.clusterEnds.isEmpty, blocks >= Self.minimumBlocks,
            scratch.rangesToSkip == 0
        else {
            scratch.rangesToSkip = max(0, scratch.rangesToSkip - 1)
            return assign(work.rows, range, to: work.assignment, from: work.state, codes: codes, scratch: scratch)
        }
        if codes.areStale {
            unsafe codes.queries.encode(
                work.rows.row(range.lowerBound), count: range.count, stride: stride, grid: coding.grid,
                first: range.lowerBound)
        }
        var changes = 0
        var comparisons = 0
        var first = range.lowerBound
        var cluster = work.cluster(at: first)
        while first < range.upperBound {
            while work.clusterEnds[cluster] <= first { cluster += 1 }
            let end = min(work.clusterEnds[cluster], range.upperBound, first + Scratch.pointCount)
            let assignment = work.assignment
            var points = unsafe AssignmentTile(
                points: work.rows.row(first), stride: stride, count: end - first, labels: assignment.labels + first,
                distances: assignment.distances + first, codes: codes.queries, firstCode: first)
            let found = assign(&points, near: cluster, coding: coding, scratch: scratch)
            changes += found.changes
            comparisons += found.comparisons
            first = end
        }
        // If nearly all centroids are within reach, finding them only costs time.
        if comparisons > range.count * k / 4 * 3 { scratch.rangesToSkip = 15 }
        return changes
    }

    /// Assigns up to `Scratch.pointCount` points that were sorted by the same cluster.
    ///
    /// - Returns: The number of labels that changed, and the number of comparisons with codes of centroids.
    private func assign(
        _ points: inout AssignmentTile, near cluster: Int, coding: RowCoding, scratch: Scratch
    ) -> (changes: Int, comparisons: Int) {
        let n = points.count
        unsafe scratch.previousLabels.update(from: points.labels, count: n)
        measure(&points)
        for c in coding.outliers { offer(Int(c), to: &points, scratch: scratch) }
        findReaches(of: &points, from: cluster, scratch: scratch)
        let reach = scratch.reach
        reach.sort(&points)
        findCentroids(near: cluster, tiles: n.dividedRoundingUp(by: Kernels.tileQueries), coding, scratch)
        var comparisons = 0
        for (t, count) in reach.centroidCounts.enumerated() where count > 0 {
            let first = t * Kernels.tileQueries
            var tile = unsafe AssignmentTile(
                points: points.points, stride: stride, order: reach.order + first,
                count: min(Kernels.tileQueries, n - first), labels: reach.labels + first,
                distances: reach.distances + first, codes: reach.codes, firstCode: first)
            let centroids = unsafe CodedCentroids(codes: reach.rowCodes, count: count, numbers: reach.numbers)
            _ = screen(&tile, against: centroids, blocks: centroids.blocks, coding: coding, scratch: scratch)
            comparisons += tile.count * count
        }
        reach.restore(&points)
        var changes = 0
        for q in 0..<n where unsafe points.labels[q] != scratch.previousLabels[q] { changes += 1 }
        return (changes, comparisons)
    }

    /// Compares points with the centroid of their sort cluster. Computes the reach of each point: the largest distance
    /// between that centroid and a possibly nearer one.
    private func findReaches(of points: inout AssignmentTile, from cluster: Int, scratch: Scratch) {
        // Larger than the sum by one part in 2²⁰, which covers all rounding, including to floats and below the smallest
        // float.
        let slack = max(distanceError, 0x1p-126)
        let own = label(cluster)
        let radii = unsafe scratch.reach.radii
        for q in 0..<points.count {
            var distance = unsafe points.distances[q]
            if unsafe points.labels[q] != own {
                unsafe Kernels.active.distances(
                    metric, from: rows + cluster * stride, to: points.row(q), stride: stride, count: 1,
                    into: scratch.distances)
                distance = unsafe scratch.distances[0]
                points.offer(own, at: distance, query: q)
            }
            let sum = unsafe distance + points.distances[q]
            unsafe radii[q] = Float(2 * sum * (1 + 0x1p-20) + slack)
        }
    }

    /// Finds the centroids within reach of a cluster's centroid for each tile, and copies their codes.
    private func findCentroids(near cluster: Int, tiles: Int, _ coding: RowCoding, _ scratch: Scratch) {
        let reach = scratch.reach
        for t in 0..<tiles {
            unsafe reach.queries.encode(
                rows + cluster * stride, count: 1, stride: stride, grid: coding.grid, first: t)
        }
        unsafe reach.queries.limits(
            from: 0, count: tiles, distances: reach.tileRadii, grid: coding.grid, errors: coding.errors,
            into: scratch.limits)
        unsafe reach.passed.update(repeating: 0, count: tiles * blocks)
        var block = 0
        while block < blocks {
            let (found, next) = unsafe Kernels.active.screen(
                CodeBlocks(codes, count: blocks, groups: groups, metric: metric),
                weights: reach.queries.weights(from: 0),
                limits: UnsafeBufferPointer(start: scratch.limits, count: tiles), from: block,
                into: scratch.hits)
            for h in 0..<found {
                let hit = unsafe scratch.hits[h]
                unsafe reach.passed[Int(hit.query) * blocks + Int(hit.block)] = hit.rows
            }
            block = next
        }
        let excluded = coding.outliers + [UInt32(cluster)]
        for c in excluded {
            for t in 0..<tiles { unsafe reach.passed[t * blocks + Int(c) / 64] &= ~(1 << UInt64(c % 64)) }
        }
        reach.collect(tiles: tiles, of: self)
    }
}

extension CentroidSearch {
    /// The working memory of one thread for the points of one cluster at a time.
    @safe
    final class ReachScratch {
        /// The squared distance of each point within which a centroid may be nearer, rounded up.
        let radii: UnsafeMutablePointer<Float>
        /// The largest radius of each tile and all tiles before it.
        let tileRadii: UnsafeMutablePointer<Double>
        /// The points in ascending order of their radii, by intervals; then their labels, distances and codes in that
        /// order.
        let order: UnsafeMutablePointer<UInt32>
        let labels: UnsafeMutablePointer<UInt32>
        let distances: UnsafeMutablePointer<Double>
        let codes: CodedQueries
        /// The position of each point in that order.
        private let slots: UnsafeMutablePointer<UInt32>
        /// The codes of the cluster's centroid, one for each tile.
        let queries: CodedQueries
        /// The centroids that pass for each tile: tiles × blocks words.
        let passed: UnsafeMutablePointer<UInt64>
        /// The centroids within reach of the first tile, then the additional ones of the second, and so on; and their
        /// codes.
        let numbers: UnsafeMutablePointer<UInt32>
        let rowCodes: UnsafeMutablePointer<UInt8>
        /// The number of centroids within reach of each tile, which come first in ``numbers``.
        private(set) var centroidCounts: [Int] = []
        private let arena = Arena()

        init(for search: CentroidSearch) {
            let n = Scratch.pointCount
            let tiles = n / Kernels.tileQueries
            let precision = Kernels.active.precision
            unsafe radii = arena.allocate(n)
            unsafe tileRadii = arena.allocate(tiles)
            unsafe order = arena.allocate(n)
            unsafe labels = arena.allocate(n)
            unsafe distances = arena.allocate(n)
            unsafe slots = arena.allocate(n)
            codes = CodedQueries(
                count: n, dimension: search.dimension, metric: search.metric, precision: precision)
            queries = CodedQueries(
                count: tiles, dimension: search.dimension, metric: search.metric, precision: precision)
            unsafe passed = arena.allocate(tiles * search.blocks)
            unsafe passed.initialize(repeating: 0, count: tiles * search.blocks)
            unsafe numbers = arena.allocate(search.k)
            unsafe rowCodes = arena.allocate(search.codeBytes)
            unsafe rowCodes.initialize(repeating: 1, count: search.codeBytes)
        }
    }
}

extension CentroidSearch.ReachScratch {
    /// The number of intervals of radii, each an eighth of an octave.
    private static let intervals = 32

    /// Copies points in ascending order of the intervals of their radii.
    func sort(_ points: inout AssignmentTile) {
        let n = points.count
        var largest: Float = 0
        for q in 0..<n { largest = unsafe max(largest, radii[q]) }
        let top = Int(largest.bitPattern >> 20) - (Self.intervals - 1)
        unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.intervals + 1) { next in
            unsafe next.initialize(repeating: 0)
            for q in 0..<n { unsafe next[interval(q, top) + 1] += 1 }
            for i in 1..<Self.intervals { unsafe next[i] += next[i - 1] }
            let tiles = n.dividedRoundingUp(by: Kernels.tileQueries)
            unsafe tileRadii.update(repeating: 0, count: tiles)
            for q in 0..<n {
                let i = interval(q, top)
                let slot = unsafe next[i]
                unsafe next[i] += 1
                unsafe slots[q] = UInt32(slot)
                unsafe order[slot] = UInt32(q)
                unsafe labels[slot] = points.labels[q]
                unsafe distances[slot] = points.distances[q]
                let tile = slot / Kernels.tileQueries
                unsafe tileRadii[tile] = max(tileRadii[tile], Double(radii[q]))
            }
            for t in 1..<max(tiles, 1) { unsafe tileRadii[t] = max(tileRadii[t], tileRadii[t - 1]) }
        }
        unsafe points.codes.copy(points.firstCode..<points.firstCode + n, to: slots, of: codes)
    }

    @inline(__always)
    private func interval(_ q: Int, _ top: Int) -> Int { max(0, unsafe Int(radii[q].bitPattern >> 20) - top) }

    /// Copies labels and distances back to the points.
    func restore(_ points: inout AssignmentTile) {
        for q in 0..<points.count {
            let slot = unsafe Int(slots[q])
            unsafe points.labels[q] = labels[slot]
            unsafe points.distances[q] = distances[slot]
        }
    }

    /// Lists the centroids that passed, starting with the first tile, and copies their codes.
    func collect(tiles: Int, of search: CentroidSearch) {
        centroidCounts.removeAll(keepingCapacity: true)
        let (blocks, groups, rows) = (search.blocks, search.groups, Kernels.blockRows)
        var count = 0
        for t in 0..<tiles {
            for block in 0..<blocks {
                let i = t * blocks + block
                var new = unsafe passed[i]
                if t > 0 {
                    new &= unsafe ~passed[i - blocks]
                    unsafe passed[i] |= passed[i - blocks]
                }
                if (block + 1) * rows > search.k { new &= (1 << UInt64(search.k - block * rows)) - 1 }
                while new != 0 {
                    let row = new.trailingZeroBitCount
                    new &= new - 1
                    unsafe numbers[count] = UInt32(truncatingIfNeeded: block * rows + row)
                    var source = unsafe UnsafeRawPointer(search.codes + 4 * (block * rows * groups + row))
                    var target = unsafe UnsafeMutableRawPointer(
                        rowCodes + 4 * (count / rows * rows * groups + count % rows))
                    for _ in 0..<groups {
                        unsafe target.storeBytes(of: source.load(as: UInt32.self), as: UInt32.self)
                        unsafe source += 4 * rows
                        unsafe target += 4 * rows
                    }
                    count += 1
                }
            }
            centroidCounts.append(count)
        }
    }
}
