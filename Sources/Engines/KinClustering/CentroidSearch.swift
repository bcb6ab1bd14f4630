import KinLinearAlgebra

/// Centroids laid out and coded for the kernels, to find the nearest one of many points.
///
/// Centroids are the coded rows and points the queries of a screen (see `SquaredBound` in KinLinearAlgebra): 64 points are held
/// against 64 centroids at a time. Below 64 centroids, and when no grid fits them, every distance is computed.
@safe
final class CentroidSearch: Sendable {
    let k: Int
    let dimension: Int
    let stride: Int
    let groups: Int
    let metric: Metric
    /// k × stride floats; written by `init` only, as are the codes.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>
    /// ⌈k ∕ 64⌉ blocks, 64-byte aligned.
    nonisolated(unsafe) let codes: UnsafeMutablePointer<UInt8>
    /// nil when the centroids are not coded.
    let coding: RowCoding?

    var blocks: Int { (k + Kernels.blockRows - 1) / Kernels.blockRows }

    /// - Parameter centroids: k × dimension, at least one row; finite, and none zero for cosine.
    init(_ centroids: Matrix<Float>, metric: Metric) {
        k = centroids.rows
        dimension = centroids.columns
        stride = (dimension + 7) & ~7
        groups = (dimension + 3) / 4
        self.metric = metric
        unsafe rows = .allocate(capacity: k * stride)
        unsafe rows.initialize(repeating: 0, count: k * stride)
        for c in 0..<k {
            for (j, x) in centroids.row(c).enumerated() { unsafe rows[c * stride + j] = x }
        }
        let isCoded = k >= Kernels.blockRows && dimension <= RowCoding.largestDimension
        let codeBytes = isCoded ? (k + Kernels.blockRows - 1) / Kernels.blockRows * Kernels.blockRows * 4 * groups : 0
        let memory = UnsafeMutableRawPointer.allocate(byteCount: codeBytes, alignment: 64)
        unsafe codes = memory.bindMemory(to: UInt8.self, capacity: codeBytes)
        unsafe codes.initialize(repeating: 1, count: codeBytes)
        guard isCoded else {
            coding = nil
            return
        }
        let fit = unsafe GridFit(rows: rows, count: k, stride: stride, dimension: dimension, metric: metric)
        var trial = RowCoding(grid: CodeGrid(offsets: fit.offsets, scale: fit.scale))
        unsafe trial.encode(
            rows: rows, count: k, stride: stride, dimension: dimension, metric: metric, into: codes, firstRow: 0)
        coding = trial.exceptions.count <= RowCoding.tolerated(rows: k) ? trial : nil
    }

    deinit {
        unsafe rows.deallocate()
        unsafe codes.deallocate()
    }
}

extension CentroidSearch {
    /// The memory of one thread.
    @safe
    final class Scratch {
        let weights: UnsafeMutablePointer<Int8>
        let limits: UnsafeMutablePointer<Int32>
        let bounds: UnsafeMutablePointer<QueryBound>
        /// The labels of a tile as they were.
        let before: UnsafeMutablePointer<UInt32>
        let picks: UnsafeMutablePointer<UInt32>
        let distances: UnsafeMutablePointer<Double>
        let hits: UnsafeMutableBufferPointer<ScreenHit>
        /// Tiles to do without a screen, because the last screen kept too many centroids.
        var tilesToSkip = 0

        init(for search: CentroidSearch) {
            let tile = Kernels.tileQueries
            unsafe weights = .allocate(capacity: tile * 4 * search.groups)
            unsafe limits = .allocate(capacity: tile)
            unsafe bounds = .allocate(capacity: tile)
            unsafe before = .allocate(capacity: tile)
            unsafe before.initialize(repeating: 0, count: tile)
            unsafe picks = .allocate(capacity: Kernels.blockRows)
            unsafe distances = .allocate(capacity: Kernels.blockRows)
            unsafe hits = .allocate(capacity: 1024)
        }

        deinit {
            unsafe weights.deallocate()
            unsafe limits.deallocate()
            unsafe bounds.deallocate()
            unsafe before.deallocate()
            unsafe picks.deallocate()
            unsafe distances.deallocate()
            unsafe hits.deallocate()
        }
    }
}
