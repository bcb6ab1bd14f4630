/// A soul whose trait values are indexed by feature, to be compared with rows.
struct SoulQuery {
    /// The blocks of the soul.
    let mask: BlockMask
    private let weights: [Double]
    /// The trait values by feature; 0 for traits that the soul lacks.
    private var values: [Double]
    private var squares = [0.0, 0.0, 0.0, 0.0]
    private var pattern: [Double] = []
    private let valence: Double
    private let row: SoulRow

    /// Creates the query of a row.
    ///
    /// - Parameters:
    ///   - row: The row, which must stay valid while the query is used.
    ///   - features: The number of features.
    ///   - weights: The weights of the blocks.
    init(_ row: SoulRow, features: Int, weights: AffinityWeights) {
        self.row = row
        self.weights = weights.values
        mask = row.mask
        values = [Double](repeating: 0, count: features)
        for i in 0..<row.traits { unsafe values[Int(row.features[i])] = row.values[i] }
        for block in 0..<4 { squares[block] = row.squares(block) }
        if mask.has(.patterns) { pattern = unsafe Array(UnsafeBufferPointer(start: row.pattern, count: 27)) }
        valence = row.valence
    }

    /// Computes the score with another soul by the sum of ``AffinityModel/affinity(_:_:)``, in the same order.
    ///
    /// Rows have their traits by name; a trait that this soul lacks adds a zero, which changes no sum.
    ///
    /// - Parameters:
    ///   - other: The row of the other soul.
    ///   - common: The blocks that both have.
    ///   - total: The sum of their weights, above 0.
    @inline(__always)
    func score(_ other: SoulRow, common: BlockMask, total: Double) -> Double {
        var sum = 0.0
        var next = 0
        unsafe values.withUnsafeBufferPointer { mine in
            for b in 0..<3 {
                let n = other.count(b)
                if common.rawValue & 1 << UInt8(b) != 0 {
                    var product = 0.0
                    for i in next..<next + n { unsafe product += mine[Int(other.features[i])] * other.values[i] }
                    sum += weights[b] * BlockSimilarity.cosine(product: product, squares[b], other.squares(b))
                }
                next += n
            }
        }
        if common.has(.patterns) {
            var product = 0.0
            unsafe pattern.withUnsafeBufferPointer { mine in
                for j in 0..<SessionPattern.dimension { unsafe product += mine[j] * other.pattern[j] }
            }
            sum += weights[3] * BlockSimilarity.cosine(product: product, squares[3], other.squares(3))
        }
        if common.has(.valence) { sum += weights[4] * BlockSimilarity.valence(valence, other.valence) }
        return sum / total
    }
}
