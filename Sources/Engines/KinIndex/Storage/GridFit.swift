import KinLinearAlgebra

/// Finds the grid for the rows of a chunk: as fine as the rows allow, not spoilt by a few far ones.
///
/// The finest grid covers the range of every dimension with 254 steps of one width. A single far row can make that
/// useless, so when a sample says that the full range is many times the common one, the grid covers all but the 1/256 of rows
/// that are farthest from the median; those become exceptions.
struct GridFit {
    private(set) var offsets: [Double]
    private(set) var scale: Double

    /// Share of the range added on each side, for rows that come later.
    private static let margin = 1.0 / 128

    init(chunk: Chunk) {
        let values = RowValues(chunk: chunk)
        var range = values.range(rows: 0..<chunk.count) { _ in true }
        let sample = Swift.stride(from: 0, to: chunk.count, by: max(1, chunk.count / 64))
        let centre = values.medians(rows: sample)
        let common = values.radii(rows: sample, around: centre).sorted()
        let usual = common[common.count * 9 / 10]
        if range.width > 16 * usual {
            let radii = values.radii(rows: 0..<chunk.count, around: centre)
            let cut = radii.sorted()[chunk.count - 1 - chunk.count / 256]
            range = values.range(rows: 0..<chunk.count) { radii[$0] <= cut }
        }
        let width = range.width
        // Constant rows: any scale codes them exactly.
        scale = width > 0 ? width * (1 + 2 * Self.margin) / 254 : 1
        let edge = width * Self.margin + scale
        offsets = range.low.map { $0 - edge }
        offsets += [Double](repeating: 0, count: chunk.layout.groups * 4 - chunk.layout.dimension)
    }
}

/// The coordinates that are coded: the rows themselves, or for cosine the rows divided by their lengths.
private struct RowValues {
    let chunk: Chunk
    /// 1 ∕ ‖row‖ for cosine, else empty.
    let factors: [Double]

    init(chunk: Chunk) {
        self.chunk = chunk
        guard chunk.layout.metric == .cosine else {
            factors = []
            return
        }
        factors = (0..<chunk.count).map { r in
            var sum = 0.0
            for j in 0..<chunk.layout.dimension {
                let x = unsafe Double(chunk.row(r)[j])
                sum += x * x
            }
            return 1 / sum.squareRoot()
        }
    }

    struct Range {
        var low: [Double]
        var high: [Double]
        /// The widest dimension.
        var width: Double { zip(low, high).reduce(0) { max($0, $1.1 - $1.0) } }
    }

    /// The smallest and largest value of each dimension among the chosen rows.
    func range(rows: Swift.Range<Int>, where isChosen: (Int) -> Bool) -> Range {
        let d = chunk.layout.dimension
        var low = [Double](repeating: .infinity, count: d)
        var high = [Double](repeating: -.infinity, count: d)
        for r in rows where isChosen(r) {
            let row = unsafe chunk.row(r)
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
        return (0..<chunk.layout.dimension).map { j in
            rows.map { unsafe Double(chunk.row($0)[j]) * (factors.isEmpty ? 1 : factors[$0]) }.sorted()[rows.count / 2]
        }
    }

    /// max_j |x_j − centre_j| for each row.
    func radii(rows: some Sequence<Int>, around centre: [Double]) -> [Double] {
        rows.map { r in
            let row = unsafe chunk.row(r)
            let factor = factors.isEmpty ? 1 : factors[r]
            var radius = 0.0
            for j in 0..<chunk.layout.dimension {
                let distance = unsafe abs(Double(row[j]) * factor - centre[j])
                radius = distance > radius ? distance : radius
            }
            return radius
        }
    }
}
