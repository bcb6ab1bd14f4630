/// How an ``IVFIndex`` lies in its cells.
public struct CellReport: Sendable, Hashable {
    /// What the cells were made by: "median splits" or "k-means lists".
    public let partition: String
    /// Whether boxes are drawn along the principal axes of the data rather than along the vectors' own axes.
    public let isRotated: Bool
    /// How many vectors each cell holds.
    public let sizes: [Int]
    /// How many blocks of up to 64 vectors there are in all cells; each block has a box of its own.
    public let blocks: Int
    /// The reach of the box around each cell that holds a vector: half its diagonal, in units of the vectors
    /// (for cosine, of vectors of length 1). Boxes of infinite reach are left out.
    public let reaches: [Double]
    /// The reach of a box around all vectors; nil when there is none that is finite.
    public let reach: Double?
}

extension CellReport {
    init(_ store: CellStore, partition: String) {
        self.partition = partition
        isRotated = store.frame.isRotated
        sizes = store.cells.map(\.count)
        blocks = store.blockCount
        let dimension = store.layout.dimension
        func reach(low: [Float], high: [Float]) -> Double {
            let squares = (0..<dimension).reduce(0.0) { sum, j in
                let width = Double(high[j]) - Double(low[j])
                return sum + width * width
            }
            return squares.squareRoot() / 2
        }
        let filled = store.cells.filter { $0.count > 0 }
        reaches = filled.map { reach(low: $0.low, high: $0.high) }.filter(\.isFinite)
        guard let first = filled.first else {
            self.reach = nil
            return
        }
        var (low, high) = (first.low, first.high)
        for cell in filled.dropFirst() {
            for j in 0..<dimension {
                low[j] = min(low[j], cell.low[j])
                high[j] = max(high[j], cell.high[j])
            }
        }
        let whole = reach(low: low, high: high)
        self.reach = whole.isFinite ? whole : nil
    }
}
