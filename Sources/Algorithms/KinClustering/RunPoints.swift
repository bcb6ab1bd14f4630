/// The points of one run in the order of its passes: as given, or sorted by cluster.
///
/// Points of one cluster are near the same centroids. In sequence they pass the same blocks of a screen, which makes
/// its branches predictable, and are added to the same sum.
@safe
final class RunPoints {
    private let givenWeights: PointWeights
    /// The index of the given point at each position; nil while the points are in the given order.
    private var order: [UInt32]?
    /// The rows in that order.
    private var sortedMemory: Arena?

    /// For each cluster, the position after its last point, by the labels used for sorting; empty while the points are
    /// in the given order.
    private(set) var clusterEnds: [Int] = []

    /// The rows by position.
    private(set) var rows: PointRows
    private(set) var pointWeights: PointWeights
    /// The labels and distances by position.
    let assignment: Assignment
    /// The validity of the assignment.
    var state = CentroidSearch.AssignmentState.unassigned
    /// The codes by position, on ``grid``.
    private(set) var codes: CodedQueries
    /// The grid of the points' codes; nil if they are not coded.
    var grid: CodeGrid?
    /// The grid for the codes of points and centroids.
    private(set) lazy var commonGrid = rows.commonGrid(metric: codes.metric)
    private var bounds: CentroidBounds?

    init(_ points: PointRows, pointWeights: PointWeights, metric: Metric) {
        givenWeights = pointWeights
        rows = points
        self.pointWeights = pointWeights
        assignment = Assignment(count: points.count)
        codes = CodedQueries(
            count: points.count, dimension: points.dimension, metric: metric, precision: Kernels.active.precision)
    }

    /// The bounds for an assignment to centroids, which are the last assignment's after their movement; nil if these
    /// centroids are too many for bounds.
    func bounds(for search: CentroidSearch) -> CentroidBounds? {
        guard search.keepsBounds else { return nil }
        if let bounds { bounds.move(to: search) } else { bounds = CentroidBounds(count: rows.count, for: search) }
        return bounds
    }

    /// The index of the given point at a position.
    func point(at position: Int) -> Int { order.map { Int($0[position]) } ?? position }

    /// The cluster that the point at a position was sorted into. O(log k).
    func cluster(at position: Int) -> Int {
        clusterEnds.dropLast().partition { $0 <= position }
    }

    /// The positions, in the run's order, of points with the given indices, in the order of the indices. O(all points).
    func positions(of points: some Sequence<Int>) -> [Int] {
        guard let order else { return Array(points) }
        var inverse = [UInt32](repeating: 0, count: order.count)
        for (position, i) in order.enumerated() { inverse[Int(i)] = UInt32(position) }
        return points.map { Int(inverse[$0]) }
    }

    /// The inertia Σ w δ of each of k clusters: sums over its points of weight times distance, in the order of
    /// positions.
    func inertias(clusters k: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: k)
        for position in 0..<rows.count {
            sums[unsafe Int(assignment.labels[position])] +=
                unsafe pointWeights.weight(position) * assignment.distances[position]
        }
        return sums
    }

    /// The cluster of each given point.
    var labels: [Int] {
        guard let order else { return assignment.labelArray }
        return unsafe [Int](unsafeUninitializedCapacity: order.count) { labels, initialized in
            for (position, i) in order.enumerated() {
                unsafe (labels.baseAddress! + Int(i)).initialize(to: Int(assignment.labels[position]))
            }
            initialized = order.count
        }
    }
}

extension RunPoints {
    /// The largest number of floats in a row for sorting. With longer rows, the second copy takes too much memory, and
    /// the distances take more time than the order can save.
    static let longestRow = 64

    /// Sorts the positions by label, stably; distances are invalid afterwards.
    ///
    /// - Complexity: O(n dimension + k). The sorted rows temporarily exist twice.
    func sort(clusters k: Int, threads: Int) {
        let blocks = PointBlocks(count: rows.count, clusters: k)
        var next = firstPositions(blocks, clusters: k, threads: threads)
        let memory = Arena()
        let sorted: UnsafeMutablePointer<Float> = unsafe memory.allocate(rows.count * rows.stride)
        let sortedCodes = grid == nil ? codes : codes.emptyCopy()
        let sortedOrder = unsafe [UInt32](unsafeUninitializedCapacity: rows.count) { sortedOrder, initialized in
            let sortedOrder = sortedOrder.baseAddress!
            unsafe next.withUnsafeMutableBufferPointer { next in
                let next = next.baseAddress!
                blocks.forEach(threads: threads, memory: {}) { block, _ in
                    let range = blocks.range(block)
                    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: range.count) { targets in
                        let targets = targets.baseAddress!
                        unsafe findPositions(of: range, next: next + block * k, into: targets, sortedOrder)
                        unsafe scatter(range, to: targets, of: sorted)
                        if grid != nil { unsafe codes.copy(range, to: targets, of: sortedCodes) }
                    }
                }
            }
            initialized = rows.count
        }
        // Each block now ends at the start of the next, and each label at the end of its last block.
        clusterEnds = (0..<k).map { next[(blocks.count - 1) * k + $0] }
        let labels = unsafe assignment.labels
        var position = 0
        for (c, end) in clusterEnds.enumerated() {
            unsafe (labels + position).update(repeating: UInt32(c), count: end - position)
            position = end
        }
        order = sortedOrder
        pointWeights = PointWeights(givenWeights, order: sortedOrder)
        codes = sortedCodes
        sortedMemory = memory
        rows = unsafe PointRows(
            count: rows.count, dimension: rows.dimension, stride: rows.stride, base: UnsafePointer(sorted))
    }

    /// Finds the positions of the points of a block, and advances the next position of each label.
    private func findPositions(
        of range: Range<Int>, next: UnsafeMutablePointer<Int>, into positions: UnsafeMutablePointer<UInt32>,
        _ sortedOrder: UnsafeMutablePointer<UInt32>
    ) {
        let (labels, before) = unsafe (assignment.labels, order)
        for (p, i) in range.enumerated() {
            let label = unsafe Int(labels[i])
            let position = unsafe next[label]
            unsafe next[label] += 1
            unsafe positions[p] = UInt32(position)
            unsafe (sortedOrder + position).initialize(to: before?[i] ?? UInt32(i))
        }
    }

    /// The first position of each block and label: blocks × k numbers.
    private func firstPositions(_ blocks: PointBlocks, clusters k: Int, threads: Int) -> [Int] {
        var positions = [Int](repeating: 0, count: blocks.count * k)
        let labels = unsafe assignment.labels
        unsafe positions.withUnsafeMutableBufferPointer { counts in
            let counts = counts.baseAddress!
            blocks.forEach(threads: threads, memory: {}) { block, _ in
                for i in blocks.range(block) { unsafe counts[block * k + Int(labels[i])] += 1 }
            }
            var sum = 0
            for c in 0..<k {
                for block in 0..<blocks.count {
                    let size = unsafe counts[block * k + c]
                    unsafe counts[block * k + c] = sum
                    sum += size
                }
            }
        }
        return positions
    }

    /// Copies a range of the rows to their sorted positions.
    private func scatter(
        _ range: Range<Int>, to positions: UnsafePointer<UInt32>, of sorted: UnsafeMutablePointer<Float>
    ) {
        let stride = rows.stride
        for (p, i) in range.enumerated() {
            let row = unsafe UnsafeRawPointer(rows.row(i))
            let position = unsafe UnsafeMutableRawPointer(sorted + Int(positions[p]) * stride)
            for offset in Swift.stride(from: 0, to: 4 * stride, by: 32) {
                let part = unsafe (row + offset).loadUnaligned(as: SIMD8<Float>.self)
                unsafe (position + offset).storeBytes(of: part, as: SIMD8<Float>.self)
            }
        }
    }
}
