/// Centroids in the layout of the kernels, coded to find the nearest centroid of many points.
///
/// The centroids are the coded rows, and the points are the queries of a screen (see `SquaredBound` in
/// KinLinearAlgebra): 64 points are compared with 64 centroids at a time. With few centroids, or if no grid fits them,
/// every distance is computed.
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

    /// The choice of the grid for the codes of centroids.
    enum GridChoice {
        /// The grid that fits the centroids best.
        case own
        /// The given grid, on which points are already coded, if it fits nearly as well; otherwise their own grid.
        case preferably(CodeGrid)
        /// The given grid, which fits a larger set of centroids.
        case given(CodeGrid)
    }

    /// The smallest number of centroids that are coded: screening a block takes as long as about 20 distances.
    static let minimumCodedCount = 24

    /// Whether this number of centroids is large enough for codes.
    static func codes(_ count: Int) -> Bool { count >= minimumCodedCount }

    /// The largest ratio of a preferred grid's step to the step of the centroids' own grid.
    private static let maximumScaleRatio = 1.5

    /// Copies and codes centroids.
    ///
    /// - Parameter centroids: k × dimension, at least one row; finite, and not zero for cosine.
    init(_ centroids: Matrix<Float>, metric: Metric, grid: GridChoice = .own, firstLabel: Int = 0) {
        k = centroids.rows
        dimension = centroids.columns
        stride = dimension.roundedUp(toMultipleOf: 8)
        groups = (dimension + 3) / 4
        self.metric = metric
        self.firstLabel = firstLabel
        unsafe rows = arena.allocate(k * stride)
        unsafe rows.initialize(repeating: 0, count: k * stride)
        for c in 0..<k {
            for (j, x) in centroids.row(c).enumerated() { unsafe rows[c * stride + j] = x }
        }
        let isCoded = Self.codes(k) && dimension <= RowCoding.largestDimension
        codeBytes = isCoded ? k.roundedUp(toMultipleOf: Kernels.blockRows) * 4 * groups : 0
        unsafe codes = arena.allocate(codeBytes)
        unsafe codes.initialize(repeating: 1, count: codeBytes)
        coding =
            isCoded ? unsafe Self.code(centroids, UnsafePointer(rows), metric: metric, grid: grid, into: codes) : nil
    }

    private static func code(
        _ centroids: Matrix<Float>, _ rows: UnsafePointer<Float>, metric: Metric, grid choice: GridChoice,
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
        if case .given(let grid) = choice {
            let given = coding(on: grid)
            if given.outliers.count <= RowCoding.tolerated(rows: k) { return given }
        }
        let fit = unsafe GridFit(rows: rows, count: k, stride: stride, dimension: dimension, metric: metric)
        if case .preferably(let grid) = choice, grid.scale <= fit.scale * maximumScaleRatio {
            let preferred = coding(on: grid)
            if preferred.outliers.isEmpty { return preferred }
        }
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
