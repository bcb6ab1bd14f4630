/// Centroids in the layout of the kernels, coded to find the nearest centroid of many points.
///
/// The centroids are the coded rows, and the points are the queries of a screen (see `SquaredBound` in
/// KinLinearAlgebra): 64 points are compared with 64 centroids at a time. With few centroids, for few points, or if no
/// grid fits them, every distance is computed.
///
/// The grid fits the points, if possible. Centroids are means, so their own grid would be finer, but most points would
/// be outside it in some dimensions, and the bound for such points excludes few centroids.
@safe
final class CentroidSearch: Sendable {
    let k: Int
    let dimension: Int
    let stride: Int
    let groups: Int
    let metric: Metric
    /// The label of the first centroid; the labels of the others follow.
    let firstLabel: Int
    /// The centroids, k × stride floats; only `init` writes them and the codes.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>
    /// The code blocks, ⌈k ∕ 64⌉ of them, 64-byte aligned.
    nonisolated(unsafe) let codes: UnsafeMutablePointer<UInt8>
    let codeBytes: Int
    /// The grid and errors of the codes; nil if the centroids are not coded.
    let coding: RowCoding?
    private let arena = Arena()

    var blocks: Int { k.dividedRoundingUp(by: Kernels.blockRows) }

    /// A bound of the absolute error of a computed distance. Cosine distances have one below 2⁻³⁸; the error of the
    /// others is relative.
    var distanceError: Double { metric.comparesDirections ? 0x1p-33 : 0 }

    /// The smallest number of centroids that are coded: screening a block takes as long as about 20 distances.
    static let minimumCodedCount = 24

    /// Copies and codes centroids.
    ///
    /// - Parameters:
    ///   - centroids: k × dimension, at least one row; finite, and not zero for cosine.
    ///   - points: The number of points to compare with them, if they are compared only once.
    ///   - grid: A grid that fits the points. If too many centroids are outside it, or for nil, their own grid is used.
    init(
        _ centroids: Matrix<Float>, metric: Metric, points: Int = .max, firstLabel: Int = 0,
        grid: @autoclosure () -> CodeGrid?
    ) {
        k = centroids.rows
        dimension = centroids.columns
        stride = dimension.roundedUp(toMultipleOf: 8)
        groups = (dimension + 3) / 4
        self.metric = metric
        self.firstLabel = firstLabel
        unsafe rows = arena.allocate(k * stride)
        unsafe rows.initialize(repeating: 0, count: k * stride)
        for c in 0..<k {
            _ = unsafe UnsafeMutableBufferPointer(start: rows + c * stride, count: dimension)
                .update(fromContentsOf: centroids.row(c))
        }
        // Fitting a grid takes as long as 2¹⁴ distances, and the codes save all but about 24 distances of a point.
        let isCoded =
            k >= Self.minimumCodedCount && dimension <= RowCoding.largestDimension
            && points >= (1 << 14) / max(1, k - Self.minimumCodedCount)
        codeBytes = isCoded ? k.roundedUp(toMultipleOf: Kernels.blockRows) * 4 * groups : 0
        unsafe codes = arena.allocate(codeBytes)
        unsafe codes.initialize(repeating: 1, count: codeBytes)
        coding =
            isCoded ? unsafe Self.code(centroids, UnsafePointer(rows), metric: metric, grid: grid(), into: codes) : nil
    }

    private static func code(
        _ centroids: Matrix<Float>, _ rows: UnsafePointer<Float>, metric: Metric, grid: CodeGrid?,
        into codes: UnsafeMutablePointer<UInt8>
    ) -> RowCoding? {
        let (k, dimension) = (centroids.rows, centroids.columns)
        let stride = dimension.roundedUp(toMultipleOf: 8)
        func coding(on grid: CodeGrid) -> RowCoding {
            var coding = RowCoding(grid: grid)
            unsafe coding.encode(
                PaddedRows(rows, count: k, stride: stride, dimension: dimension), metric: metric, into: codes,
                firstRow: 0)
            return coding
        }
        if let grid {
            let given = coding(on: grid)
            if given.outliers.count <= RowCoding.tolerated(rows: k) { return given }
        }
        let fit = unsafe GridFit(rows: rows, count: k, stride: stride, dimension: dimension, metric: metric)
        let own = coding(on: CodeGrid(offsets: fit.offsets, scale: fit.scale))
        return own.outliers.count <= RowCoding.tolerated(rows: k) ? own : nil
    }
}

extension CentroidSearch {
    /// The working memory of one thread.
    @safe
    final class Scratch {
        /// The codes of one tile, for points without stored codes.
        let codes: CodedQueries
        let limits: UnsafeMutablePointer<Int32>
        /// The labels of points before their assignment.
        let previousLabels: UnsafeMutablePointer<UInt32>
        let picks: UnsafeMutablePointer<UInt32>
        let distances: UnsafeMutablePointer<Double>
        let hits: UnsafeMutableBufferPointer<ScreenHit>
        /// The number of tiles to scan without a screen, because too many centroids passed the last one.
        var tilesToSkip = 0
        private let search: CentroidSearch
        private let arena = Arena()
        /// The memory for the points of one cluster, allocated only if needed.
        lazy var reach = ReachScratch(for: search)
        /// The number of calls that skip no centroids, because nearly all were within reach.
        var rangesToSkip = 0

        /// The largest number of points in one call, for stored labels and distances.
        static let pointCount = 8 * Kernels.tileQueries

        init(for search: CentroidSearch) {
            self.search = search
            let tile = Kernels.tileQueries
            codes = CodedQueries(
                count: tile, dimension: search.dimension, metric: search.metric, precision: Kernels.active.precision)
            unsafe limits = arena.allocate(tile)
            unsafe previousLabels = arena.allocate(Self.pointCount)
            unsafe previousLabels.initialize(repeating: 0, count: Self.pointCount)
            unsafe picks = arena.allocate(Kernels.blockRows)
            unsafe distances = arena.allocate(Self.pointCount)
            unsafe hits = arena.buffer(1024)
        }
    }
}
