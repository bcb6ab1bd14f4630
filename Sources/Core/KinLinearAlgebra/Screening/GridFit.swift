/// A fit of the grid to some rows: as fine as they allow, without being widened by a few far rows.
///
/// The finest grid covers the range of every dimension with 254 steps of equal width. A single far row can make that
/// grid useless. If a sample shows that the full range is many times the usual range, the grid excludes the 1/256 of
/// rows farthest from the median; those become outliers.
///
/// Each dimension's range is in the middle of the grid, so that a narrow range has space on both sides. With a thousand
/// dimensions, nearly every dimension has some future row beyond the range of these rows; with this space, few of those
/// rows are outside the grid.
package struct GridFit {
    /// The offsets and the scale of a ``CodeGrid``: one offset per dimension, zeros past the last, and the width of a
    /// step.
    package private(set) var offsets: [Double]
    package private(set) var scale: Double

    /// The share of the range added on each side, for later rows.
    private static let margin = 1.0 / 128

    /// The middle of the codes 1…255.
    private static let middle = 128.0

    /// Fits a grid to rows.
    ///
    /// - Parameter rows: count × stride floats, at least one row; finite, and not zero for cosine.
    /// - Complexity: O(count · dimension).
    package init(rows: UnsafePointer<Float>, count: Int, stride: Int, dimension: Int, metric: Metric) {
        let values = unsafe RowValues(rows: rows, count: count, stride: stride, dimension: dimension, metric: metric)
        var range = values.range(rows: 0..<count) { _ in true }
        let sample = Swift.stride(from: 0, to: count, by: max(1, count / 64))
        let centre = values.medians(rows: sample)
        let common = values.radii(rows: sample, around: centre).sorted()
        let usual = common[common.count * 9 / 10]
        if range.width > 16 * usual {
            let radii = values.radii(rows: 0..<count, around: centre)
            let cut = radii.sorted()[count - 1 - count / 256]
            range = values.range(rows: 0..<count) { radii[$0] <= cut }
        }
        let width = range.width
        // For constant rows, any scale codes them exactly.
        let scale = width > 0 ? width * (1 + 2 * Self.margin) / 254 : 1
        self.scale = scale
        offsets = zip(range.low, range.high).map { ($0 + $1) / 2 - Self.middle * scale }
        offsets += [Double](repeating: 0, count: ((dimension + 3) & ~3) - dimension)
    }
}

/// The coordinates to code: the rows themselves or, for cosine, the rows divided by their lengths.
@safe
private struct RowValues {
    let rows: UnsafePointer<Float>
    let stride: Int
    let dimension: Int
    /// 1 ∕ ‖row‖ for cosine, otherwise empty.
    let factors: [Double]

    init(rows: UnsafePointer<Float>, count: Int, stride: Int, dimension: Int, metric: Metric) {
        unsafe self.rows = rows
        self.stride = stride
        self.dimension = dimension
        guard metric.comparesDirections else {
            factors = []
            return
        }
        factors = (0..<count).map { r in
            var sum = 0.0
            for j in 0..<dimension {
                let x = unsafe Double(rows[r * stride + j])
                sum += x * x
            }
            return 1 / sum.squareRoot()
        }
    }

    private func row(_ r: Int) -> UnsafePointer<Float> { unsafe rows + r * stride }

    struct Range {
        var low: [Double]
        var high: [Double]
        /// The width of the widest dimension.
        var width: Double { zip(low, high).reduce(0) { max($0, $1.1 - $1.0) } }
    }

    /// The smallest and largest value of each dimension among the chosen rows.
    func range(rows: Swift.Range<Int>, where isChosen: (Int) -> Bool) -> Range {
        let d = dimension
        var low = [Double](repeating: .infinity, count: d)
        var high = [Double](repeating: -.infinity, count: d)
        for r in rows where isChosen(r) {
            let row = unsafe row(r)
            let factor = factors.isEmpty ? 1 : factors[r]
            for j in 0..<d {
                let x = unsafe Double(row[j]) * factor
                low[j] = x < low[j] ? x : low[j]
                high[j] = x > high[j] ? x : high[j]
            }
        }
        return Range(low: low, high: high)
    }

    func medians(rows: some Sequence<Int>) -> [Double] {
        let rows = Array(rows)
        return (0..<dimension).map { j in
            rows.map { unsafe Double(row($0)[j]) * (factors.isEmpty ? 1 : factors[$0]) }.sorted()[rows.count / 2]
        }
    }

    /// max_j |x_j − centre_j| for each row.
    func radii(rows: some Sequence<Int>, around centre: [Double]) -> [Double] {
        rows.map { r in
            let row = unsafe row(r)
            let factor = factors.isEmpty ? 1 : factors[r]
            var radius = 0.0
            for j in 0..<dimension {
                let distance = unsafe abs(Double(row[j]) * factor - centre[j])
                radius = distance > radius ? distance : radius
            }
            return radius
        }
    }
}
