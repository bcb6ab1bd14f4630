import KinLinearAlgebra

/// The grids that lists code their rows and boxes on where those fit nearly as well as grids of a list's own.
///
/// Vectors that spread evenly make lists that are nearly as wide as all of them together, since splits halve a few dimensions and leave the
/// others. A search meets most of these lists, and on common grids its query is coded once for all of them. Lists of clusters are much
/// narrower: they keep finer grids of their own.
struct CommonGrids: Sendable {
    /// The grid of rows; nil when the rows of the sample have none.
    let rows: CodeGrid?
    /// The grid of boxes, in the pruning frame.
    let boxes: BoxGrid?

    /// The most that a common step may be times a list's own. Codes are at most half a step wrong in each dimension, boxes one step at
    /// either end, while where neighbours are far apart these are a hundred steps or more away.
    private static let widest = 1.5

    /// The common grid of boxes where it is fine enough beside a list's own.
    func boxes(besides own: BoxGrid) -> BoxGrid? {
        guard let boxes, Double(boxes.step) <= Self.widest * Double(own.step) else { return nil }
        return boxes
    }

    /// The common grid of rows, with what a chunk asks of it.
    var preferredRows: PreferredGrid? {
        // An outlier is compared with every query that looks at its block, so there may be none.
        rows.map { PreferredGrid(grid: $0, widest: Self.widest, mostOutliers: 0) }
    }
}

extension RowSource.Sample {
    /// Grids for all rows of which this is a sample.
    func commonGrids(_ layout: RowLayout) -> CommonGrids {
        guard rows.count > 0 else { return CommonGrids(rows: nil, boxes: nil) }
        let (stride, d) = (layout.stride, layout.dimension)
        let fit = unsafe GridFit(
            rows: rows.rows, count: rows.count, stride: stride, dimension: d, metric: layout.metric)
        var low = [Float](repeating: .infinity, count: d)
        var high = [Float](repeating: -.infinity, count: d)
        for r in 0..<rows.count {
            for j in 0..<d {
                low[j] = min(low[j], coordinates[r * stride + j])
                high[j] = max(high[j], coordinates[r * stride + j])
            }
        }
        return CommonGrids(
            rows: layout.isCoded && fit.scale.isFinite ? CodeGrid(offsets: fit.offsets, scale: fit.scale) : nil,
            boxes: (low + high).allSatisfy(\.isFinite) ? BoxGrid(low: low, high: high) : nil)
    }
}
