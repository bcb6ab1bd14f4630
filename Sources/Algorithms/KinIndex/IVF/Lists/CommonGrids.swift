/// The grids on which lists code their rows and boxes if they fit nearly as well as the list's own grids.
///
/// Evenly spread vectors produce lists that are nearly as wide as the whole data set, since splits halve a few
/// dimensions and leave the others. A search meets most of these lists, and on common grids its query is coded once for
/// all of them. Lists of clusters are much narrower: they use their own finer grids.
struct CommonGrids: Sendable {
    /// The grid of rows; nil if the rows of the sample have none.
    let rows: CodeGrid?
    /// The grid of boxes, in the pruning frame.
    let boxes: BoxGrid?

    /// The largest ratio of a common step to a list's own. Codes have errors of at most half a step in each dimension,
    /// and boxes of one step at either end. If neighbours are far apart, their distance is a hundred steps or more.
    private static let widest = 1.5

    /// The common grid of boxes if it is fine enough compared with a list's own; otherwise nil.
    func boxes(besides own: BoxGrid) -> BoxGrid? {
        guard let boxes, Double(boxes.step) <= Self.widest * Double(own.step) else { return nil }
        return boxes
    }

    /// The common grid of rows, with the conditions for a chunk to use it.
    var preferredRows: PreferredGrid? {
        // An outlier is compared with every query that reads its block, so none are tolerated.
        rows.map { PreferredGrid(grid: $0, widest: Self.widest, mostOutliers: 0) }
    }
}

extension RowSource.Sample {
    /// The grids for all rows, fitted to this sample.
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
