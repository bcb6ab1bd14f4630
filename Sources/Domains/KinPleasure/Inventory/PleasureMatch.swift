/// The match of sets of pleasures with a point: the cosine between the point and the set's 0/1 vector.
///
///     match = Σ_{d in item} q_d ∕ (‖q‖ √|item|)
///
/// The sum over a set of sixteen dimensions is looked up in two tables of 256 sums, one for each half. Coordinates are
/// rounded to multiples of about 2⁻⁴⁰ of the largest, so sums are exact: equal matches have the same bits, and distance
/// decides ties.
struct PleasureMatch {
    private let low: [Double]
    private let high: [Double]
    /// The factors 1 ∕ (‖q‖ √n) for sets of n pleasures.
    private let inverseRoots: [Double]
    /// A constant whose addition and subtraction round a number up to 1 to a multiple of 2⁻⁴⁰.
    private static let rounding = 0x1.8p12

    init(_ query: Pleasure) {
        // Scaled by a power of two, which is exact, so that the largest coordinate is in 1…2.
        let given = SIMD16<Double>(query.coordinates)
        let largest = given.max() > 0 ? given.max() : 1
        let steps = 0x1p40
        let q = (given * (steps / largest.binade)).rounded(.toNearestOrEven) / steps
        let length = (q * q).sum().squareRoot()
        func sums(_ first: Int) -> [Double] {
            var sums = [Double](repeating: 0, count: 256)
            for set in 1..<256 {
                let lowest = set.trailingZeroBitCount
                sums[set] = sums[set & (set - 1)] + q[first + lowest]
            }
            return sums
        }
        low = sums(0)
        high = sums(8)
        inverseRoots = [0] + (1...16).map { length > 0 ? 1 / (Double($0).squareRoot() * length) : 0 }
    }

    /// The match of a set of pleasures, 0…1; 0 for the empty set.
    @inline(__always)
    func callAsFunction(_ pleasures: UInt16) -> Double {
        let sum = low[Int(pleasures & 0xFF)] + high[Int(pleasures >> 8)]
        return min(1, sum * inverseRoots[pleasures.nonzeroBitCount] + Self.rounding - Self.rounding)
    }
}
