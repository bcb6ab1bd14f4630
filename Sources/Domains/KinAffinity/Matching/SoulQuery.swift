/// A soul whose trait values are indexed by feature, for comparison with rows.
///
/// Its numbers are in memory that the caller owns, so comparisons need no reference counting. It is valid as long as
/// that memory.
@safe
struct SoulQuery {
    /// The blocks of the soul.
    let mask: BlockMask
    private let weights: SIMD8<Double>
    /// The factors of goals, by feature.
    private let factors: UnsafePointer<Double>
    /// The trait values by feature; 0 for traits that the soul lacks.
    private let values: UnsafePointer<Double>
    private let squares: SIMD4<Double>
    private let row: SoulRow
    private let shrinksScores: Bool
    /// The soul's evidence factor; 1 if scores do not shrink.
    let evidence: Double

    /// Creates the query of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - factors: The factors of goals by feature, and 1 for all other features.
    ///   - model: The model, for the weights of the blocks and the shrinkage of scores.
    ///   - values: Memory for one number per factor.
    init(
        _ row: SoulRow, factors: UnsafeBufferPointer<Double>, model: borrowing AffinityModel,
        values: UnsafeMutablePointer<Double>
    ) {
        self.row = row
        weights = SIMD8(model.weights.values + [0, 0, 0])
        shrinksScores = model.shrinksScores
        evidence = shrinksScores ? row.evidence.value : 1
        mask = row.mask
        unsafe values.initialize(repeating: 0, count: factors.count)
        unsafe self.values = UnsafePointer(values)
        // Without features no soul has a trait.
        unsafe self.factors = factors.baseAddress ?? UnsafePointer(values)
        for i in 0..<row.traits {
            let feature = unsafe Int(row.features[i])
            unsafe values[feature] = row.values[i] * factors[feature]
        }
        squares = unsafe SIMD4(row.goalSquares(self.factors), row.squares(1), row.squares(2), row.squares(3))
    }

    /// Computes the score with a second soul, bit-identical to ``AffinityModel/affinity(_:_:)``, by adding in the same
    /// order.
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
        if common.has(.goals) {
            var (product, theirs) = (0.0, 0.0)
            for i in 0..<next {
                let feature = unsafe Int(other.features[i])
                let value = unsafe other.values[i] * factors[feature]
                unsafe product += values[feature] * value
                theirs += value * value
            }
            sum += weights[0] * BlockSimilarity.cosine(product: product, squares[0], theirs)
        }
        for b in 1..<3 {
            let n = other.count(b)
            if common.rawValue & 1 << UInt8(b) != 0 {
                var product = 0.0
                for i in next..<next + n { unsafe product += values[Int(other.features[i])] * other.values[i] }
                sum += weights[b] * BlockSimilarity.cosine(product: product, squares[b], other.squares(b))
            }
            next += n
        }
        if common.has(.patterns) {
            var product = 0.0
            for j in 0..<SessionPattern.dimension { unsafe product += row.pattern[j] * other.pattern[j] }
            sum += weights[3] * BlockSimilarity.cosine(product: product, squares[3], other.squares(3))
        }
        if common.has(.valence) { sum += weights[4] * BlockSimilarity.valence(row.valence, other.valence) }
        return shrinksScores ? sum / total * (evidence * other.evidence.value) : sum / total
    }
}

extension SoulMatcher {
    /// Calls a function with the query of a slot's soul, valid during the call.
    func withQuery(of slot: Int, _ body: (SoulQuery) -> Void) {
        let current = factors.current
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: max(current.count, 1)) { values in
            unsafe current.withUnsafeBufferPointer { factors in
                unsafe body(
                    SoulQuery(table[slot], factors: factors, model: model, values: values.baseAddress!))
            }
        }
    }
}
