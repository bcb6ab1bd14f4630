/// Points sampled as initial centroids one after another, with the distances of all points to them updated in batches.
@safe
struct SampledCentroids {
    private let lloyd: Lloyd
    private let work: RunPoints
    /// The sampled points, in order.
    private(set) var picks: [Int] = []
    /// The number of sampled points that the assignment includes.
    private(set) var assignedCount = 0
    /// The sampled points as centroids, `stride` floats each.
    private var rows: [Float] = []
    /// The sampling weights: w δ for the assigned centroids, and w before the first.
    private var draws: PointDraws

    init(_ lloyd: Lloyd, work: RunPoints) {
        self.lloyd = lloyd
        self.work = work
        draws = PointDraws(blocks: PointBlocks(count: lloyd.points.count, clusters: 1, most: 1_024), blockMasses: [])
        let blocks = draws.blocks
        draws.blockMasses = concurrentMap(lloyd.threads, blocks.count, memory: {}) { block, _ in
            blocks.range(block).reduce(0) { $0 + lloyd.pointWeights.weight($1) }
        }
    }

    /// The sampled points as centroids, count × dimension.
    var centroids: Matrix<Float> { centroids(0..<picks.count) }

    private func centroids(_ range: Range<Int>) -> Matrix<Float> {
        let (d, stride) = (lloyd.points.dimension, lloyd.points.stride)
        return unsafe Matrix(rows: range.count, columns: d) { storage in
            for (r, c) in range.enumerated() {
                for j in 0..<d { unsafe storage.initializeElement(at: r * d + j, to: rows[c * stride + j]) }
            }
        }
    }

    /// The sampling weight of a point by the present assignment.
    private func mass(_ i: Int) -> Double {
        assignedCount == 0
            ? lloyd.pointWeights.weight(i) : unsafe lloyd.pointWeights.weight(i) * work.assignment.distances[i]
    }

    /// Appends a point as a centroid, normalised for cosine.
    mutating func append(_ i: Int) {
        picks.append(i)
        let (points, stride) = (lloyd.points, lloyd.points.stride)
        var length = 1.0
        if lloyd.metric.comparesDirections {
            let squares = (0..<stride).reduce(0.0) { unsafe $0 + Double(points.row(i)[$1]) * Double(points.row(i)[$1]) }
            length = squares.squareRoot()
        }
        for j in 0..<stride {
            let x = unsafe points.row(i)[j]
            rows.append(lloyd.metric.comparesDirections ? Float(Double(x) / length) : x)
        }
    }

    /// A point sampled with probability proportional to its sampling weight; nil if all are 0.
    func draw(_ generator: inout SeededGenerator) -> Int? { draws.draw(&generator) { mass($0) } }

    /// Accepts a sampled point with the probability that corrects for outdated weights.
    ///
    /// Let m be the weight of a point by the present assignment, and m′ its weight by all centroids. `draw` returns the
    /// point with probability m ∕ Σ m. If it is then accepted with probability m′ ∕ m, it is sampled with a probability
    /// proportional to m′.
    func accepts(_ i: Int, _ generator: inout SeededGenerator) -> Bool {
        guard assignedCount < picks.count, assignedCount > 0 else { return true }
        let m = unsafe work.assignment.distances[i]
        var least = m
        let stride = lloyd.points.stride
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: picks.count - assignedCount) { found in
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe Kernels.active.distances(
                    lloyd.metric, from: lloyd.points.row(i), to: rows.baseAddress! + assignedCount * stride,
                    stride: stride,
                    count: found.count, into: found.baseAddress!)
            }
            for c in 0..<found.count { least = unsafe min(least, found[c]) }
        }
        return generator.uniform() * m < least
    }

    /// Appends each point independently with probability min(1, expected m ∕ Σ m), where m is its weight by the present
    /// assignment.
    mutating func appendSample(expecting expected: Double, seed: UInt64) {
        let total = draws.blockMasses.reduce(0, +)
        guard total > 0 else { return }
        var sample: [Int] = []
        for block in 0..<draws.blocks.count {
            var generator = SeededGenerator.stream(UInt64(block), of: seed)
            for i in draws.blocks.range(block) where generator.uniform() * total < expected * mass(i) {
                sample.append(i)
            }
        }
        for i in sample { append(i) }
    }

    /// Updates the assignment to include all sampled points.
    mutating func update() {
        guard assignedCount < picks.count else { return }
        let new = centroids(assignedCount..<picks.count)
        let search = CentroidSearch(new, metric: lloyd.metric, firstLabel: assignedCount, grid: work.commonGrid)
        let (points, assignment, pointWeights, blocks) = (
            lloyd.points, work.assignment, lloyd.pointWeights, draws.blocks
        )
        let isFirst = assignedCount == 0
        let areStale = search.coding != nil && work.grid !== search.coding?.grid
        let codes = CentroidSearch.PointCodes(queries: work.codes, areStale: areStale)
        let threads = points.threads(lloyd.threads, work: points.count * search.k * points.dimension)
        draws.blockMasses = concurrentMap(
            threads, blocks.count, memory: { CentroidSearch.Scratch(for: search) }
        ) { block, scratch in
            let range = blocks.range(block)
            guard lloyd.work?.advance(by: 0) ?? true else { return 0 }
            search.assign(
                points, range, to: assignment, from: isFirst ? .unassigned : .earlierCentroids, codes: codes,
                scratch: scratch)
            return range.reduce(0.0) { unsafe $0 + pointWeights.weight($1) * assignment.distances[$1] }
        }
        if areStale { work.grid = search.coding?.grid }
        assignedCount = picks.count
    }
}
