/// A soul whose trait values are indexed by feature, to be compared with rows.
struct SoulQuery {
    /// The blocks of the soul.
    let mask: BlockMask
    private let weights: [Double]
    /// The factors of goals, by feature.
    private let factors: [Double]
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
    ///   - factors: The factors of goals by feature, and 1 for all other features.
    ///   - weights: The weights of the blocks.
    init(_ row: SoulRow, factors: [Double], weights: AffinityWeights) {
        self.row = row
        self.weights = weights.values
        mask = row.mask
        self.factors = factors
        values = [Double](repeating: 0, count: factors.count)
        for i in 0..<row.traits {
            let feature = unsafe Int(row.features[i])
            unsafe values[feature] = row.values[i] * factors[feature]
        }
        squares[0] = row.goalSquares(factors)
        for block in 1..<4 { squares[block] = row.squares(block) }
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
        var next = other.count(0)
        unsafe values.withUnsafeBufferPointer { mine in
            if common.has(.goals) {
                var (product, theirs) = (0.0, 0.0)
                unsafe factors.withUnsafeBufferPointer { factors in
                    for i in 0..<next {
                        let feature = unsafe Int(other.features[i])
                        let value = unsafe other.values[i] * factors[feature]
                        unsafe product += mine[feature] * value
                        theirs += value * value
                    }
                }
                sum += weights[0] * BlockSimilarity.cosine(product: product, squares[0], theirs)
            }
            for b in 1..<3 {
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
