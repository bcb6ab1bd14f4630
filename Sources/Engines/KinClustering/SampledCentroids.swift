import KinCore
import KinLinearAlgebra

/// Points drawn as centroids one after another, and the nearest of them to every point, brought up to date in batches.
@safe
struct DrawnCentroids {
    private let lloyd: Lloyd
    private let work: RunPoints
    private let grid: CodeGrid?
    /// The points drawn, in order.
    private(set) var picks: [Int] = []
    /// How many of them the assignment knows.
    private(set) var known = 0
    /// The drawn points, as centroids: stride floats each.
    private var rows: [Float] = []
    /// What draws go by: w δ as far as the assignment knows, and w before anything is drawn.
    private var draws: PointDraws

    init(_ lloyd: Lloyd, work: RunPoints) {
        self.lloyd = lloyd
        self.work = work
        grid = Self.grid(for: lloyd)
        draws = PointDraws(blocks: PointBlocks(count: lloyd.points.count, clusters: 1, most: 1_024), blockMasses: [])
        draws.blockMasses = (0..<draws.blocks.count).map { block in
            draws.blocks.range(block).reduce(0) { $0 + lloyd.pointWeights.weight($1) }
        }
    }

    /// A grid for points: any of them may become a centroid.
    private static func grid(for lloyd: Lloyd) -> CodeGrid? {
        let points = lloyd.points
        guard points.dimension <= RowCoding.largestDimension else { return nil }
        let count = min(points.count, 4_096)
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count * points.stride) { sample in
            let rows = sample.baseAddress!
            for i in 0..<count {
                unsafe (rows + i * points.stride)
                    .initialize(from: points.row(i * points.count / count), count: points.stride)
            }
            let fit = unsafe GridFit(
                rows: rows, count: count, stride: points.stride, dimension: points.dimension, metric: lloyd.metric)
            return CodeGrid(offsets: fit.offsets, scale: fit.scale)
        }
    }

    /// The drawn points as centroids.
    var centroids: Matrix<Float> { centroids(0..<picks.count) }

    private func centroids(_ range: Range<Int>) -> Matrix<Float> {
        let (d, stride) = (lloyd.points.dimension, lloyd.points.stride)
        return unsafe Matrix(rows: range.count, columns: d) { storage in
            for (r, c) in range.enumerated() {
                for j in 0..<d { unsafe storage.initializeElement(at: r * d + j, to: rows[c * stride + j]) }
            }
        }
    }

    /// The mass of a point as far as the assignment knows.
    private func mass(_ i: Int) -> Double {
        known == 0 ? lloyd.pointWeights.weight(i) : unsafe lloyd.pointWeights.weight(i) * work.assignment.distances[i]
    }

    mutating func append(_ i: Int) {
        picks.append(i)
        let (points, stride) = (lloyd.points, lloyd.points.stride)
        var length = 1.0
        if lloyd.metric == .cosine {
            let squares = (0..<stride).reduce(0.0) { unsafe $0 + Double(points.row(i)[$1]) * Double(points.row(i)[$1]) }
            length = squares.squareRoot()
        }
        for j in 0..<stride {
            rows.append(unsafe lloyd.metric == .cosine ? Float(Double(points.row(i)[j]) / length) : points.row(i)[j])
        }
    }

    /// A point drawn by its mass as far as the assignment knows.
    func draw(_ generator: inout SeededGenerator) -> Int? { draws.draw(&generator) { mass($0) } }

    /// Accepts a drawn point with the probability that makes it one drawn by its present mass.
    ///
    /// A point that `draw` offers with probability m ∕ Σ m, where m is its mass as the assignment knows it, and that is then taken with
    /// probability m′ ∕ m, is taken with a probability proportional to m′, its mass when all centroids count.
    func accepts(_ i: Int, _ generator: inout SeededGenerator) -> Bool {
        guard known < picks.count, known > 0 else { return true }
        let m = unsafe work.assignment.distances[i]
        var least = m
        let stride = lloyd.points.stride
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: picks.count - known) { found in
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe Kernels.active.distances(
                    lloyd.metric, from: lloyd.points.row(i), to: rows.baseAddress! + known * stride, stride: stride,
                    count: found.count, into: found.baseAddress!)
            }
            for c in 0..<found.count { least = unsafe min(least, found[c]) }
        }
        return generator.uniform() * m < least
    }

    /// Appends each point with probability min(1, expected m ∕ Σ m), where m is its mass as far as the assignment knows it, whatever
    /// becomes of the others.
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

    /// Makes the assignment know all that were drawn.
    mutating func update() {
        guard known < picks.count else { return }
        let search = CentroidSearch(
            centroids(known..<picks.count), metric: lloyd.metric, grid: grid.map { .given($0) } ?? .own,
            firstLabel: known)
        let (points, assignment, pointWeights, blocks) = (
            lloyd.points, work.assignment, lloyd.pointWeights, draws.blocks
        )
        let isFirst = known == 0
        let areStale = search.coding != nil && work.grid !== search.coding?.grid
        let codes = CentroidSearch.PointCodes(queries: work.codes, areStale: areStale)
        let threads = points.threads(lloyd.threads, work: points.count * search.k * points.dimension)
        draws.blockMasses = unsafe [Double](unsafeUninitializedCapacity: blocks.count) { losses, initialized in
            let base = losses.baseAddress!
            blocks.forEach(threads: threads, memory: { CentroidSearch.Scratch(for: search) }) { block, scratch in
                let range = blocks.range(block)
                unsafe search.assign(
                    points.row(range.lowerBound), count: range.count,
                    labels: assignment.labels + range.lowerBound, distances: assignment.distances + range.lowerBound,
                    from: isFirst ? .unassigned : .earlierCentroids, codes: codes, firstCode: range.lowerBound,
                    scratch: scratch)
                let loss = range.reduce(0.0) { unsafe $0 + pointWeights.weight($1) * assignment.distances[$1] }
                unsafe (base + block).initialize(to: loss)
            }
            initialized = blocks.count
        }
        if areStale { work.grid = search.coding?.grid }
        known = picks.count
    }
}
