/// A report on the inverted lists of a ``VectorIndex``: their number, sizes and boxes.
public struct ListReport: Sendable, Hashable {
    /// The method that produced the lists: "median splits" or "k-means lists".
    public let partition: String
    /// Whether boxes follow the principal axes of the data rather than the vectors' own axes.
    public let isRotated: Bool
    /// The number of vectors in each list, in the order of the lists.
    public let sizes: [Int]
    /// The number of blocks of up to 64 vectors in all lists; each block has its own box.
    public let blocks: Int
    /// The radius of the box around each list with at least one vector: half its diagonal, in units of the vectors (for
    /// cosine, of vectors of length 1). Boxes of infinite radius are left out.
    public let radii: [Double]
    /// The radius of a box around all vectors; nil if it is not finite or there are no vectors.
    public let radius: Double?
}

extension ListReport {
    init(_ store: ListStore, partition: String) {
        self.partition = partition
        isRotated = store.frame.isRotated
        sizes = store.lists.map(\.count)
        blocks = store.blockCount
        let dimension = store.layout.dimension
        func radius(low: [Float], high: [Float]) -> Double {
            let squares = (0..<dimension).reduce(0.0) { sum, j in
                let width = Double(high[j]) - Double(low[j])
                return sum + width * width
            }
            return squares.squareRoot() / 2
        }
        let filled = store.lists.filter { $0.count > 0 }
        radii = filled.map { radius(low: $0.low, high: $0.high) }.filter(\.isFinite)
        guard let first = filled.first else {
            self.radius = nil
            return
        }
        var (low, high) = (first.low, first.high)
        for list in filled.dropFirst() {
            for j in 0..<dimension {
                low[j] = min(low[j], list.low[j])
                high[j] = max(high[j], list.high[j])
            }
        }
        let whole = radius(low: low, high: high)
        self.radius = whole.isFinite ? whole : nil
    }
}
