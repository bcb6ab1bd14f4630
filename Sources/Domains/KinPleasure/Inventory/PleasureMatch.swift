/// How well the pleasures of items match a point: the cosine between the point and the item's 0/1 vector.
///
///     match = Σ_{d in item} q_d ∕ (‖q‖ √|item|)
///
/// The sum over a set of sixteen dimensions is that over its lower eight and that over its upper eight, looked up in two
/// tables of 256 sums.
struct PleasureMatch {
    private let low: [Double]
    private let high: [Double]
    private let inverseRoots: [Double]

    init(_ query: Pleasure) {
        let q = SIMD16<Double>(query.coordinates)
        let length = (q * q).sum().squareRoot()
        let unit = length > 0 ? q / length : .zero
        func sums(_ first: Int) -> [Double] {
            var sums = [Double](repeating: 0, count: 256)
            for set in 1..<256 {
                let lowest = set.trailingZeroBitCount
                sums[set] = sums[set & (set - 1)] + unit[first + lowest]
            }
            return sums
        }
        low = sums(0)
        high = sums(8)
        inverseRoots = [0] + (1...16).map { 1 / Double($0).squareRoot() }
    }

    /// The match of a set of pleasures, 0…1; 0 for none.
    @inline(__always)
    func callAsFunction(_ pleasures: UInt16) -> Double {
        let sum = low[Int(pleasures & 0xFF)] + high[Int(pleasures >> 8)]
        return min(1, sum * inverseRoots[pleasures.nonzeroBitCount])
    }
}
