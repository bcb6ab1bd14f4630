import KinLibC

/// The probability that each of several independent normal variables is the largest.
///
///     P(i) = ∫ φ((x − μᵢ) ∕ σᵢ) ∕ σᵢ · Π_{j ≠ i} Φ((x − μⱼ) ∕ σⱼ) dx
///
/// It is computed by Gauss–Legendre quadrature with ten nodes per panel. Nothing is drawn, and the same numbers give
/// the same probabilities.
///
/// The integral starts at the largest μ − 7.5 σ. A variable that is below this start except with probability 10⁻¹³
/// receives the probability of exceeding the variable that sets the start, which is an upper bound. The width of a
/// panel is 1.25 times the least σ of the variables that are not yet certain to be below x, so narrow peaks get narrow
/// panels. Every probability is above 0; the error is about 10⁻⁹.
///
/// - Complexity: O(n) per node, with about a hundred nodes if all σ are similar.
struct MaximumProbabilities {
    private let means: [Double]
    private let deviations: [Double]
    /// The lower end of the integral, and the variable that sets it.
    private let start: Double
    private let leader: Int

    /// Computes the probabilities of all variables.
    ///
    /// - Parameters:
    ///   - means: At least one number, with magnitudes up to 10²⁰.
    ///   - deviations: One deviation per mean, 0 or more.
    static func of(means: [Double], deviations: [Double]) -> [Double] {
        guard let widest = deviations.max(), widest > 0, widest.isFinite, means.allSatisfy(\.isFinite) else {
            return ActionProbabilities(best: means).values
        }
        // A deviation of 0 becomes a tiny one, so that densities exist.
        return MaximumProbabilities(means, deviations.map { max($0, widest * 1e-9) }).probabilities()
    }

    private init(_ means: [Double], _ deviations: [Double]) {
        let lows = means.indices.map { means[$0] - Self.tail * deviations[$0] }
        let leader = lows.indices.max { lows[$0] < lows[$1] } ?? 0
        // Relative to the leader, so that no digits are lost if means are large and differ little.
        self.means = means.map { $0 - means[leader] }
        self.deviations = deviations
        self.leader = leader
        start = -Self.tail * deviations[leader]
    }

    private func probabilities() -> [Double] {
        var mass = [Double](repeating: 0, count: means.count)
        var active: [Int] = []
        for i in means.indices {
            if means[i] + Self.tail * deviations[i] > start {
                active.append(i)
            } else {
                let spread = (deviations[i] * deviations[i] + deviations[leader] * deviations[leader]).squareRoot()
                mass[i] = Self.normalCDF(means[i] / spread)
            }
        }
        var x = start
        while !active.isEmpty {
            let width = Self.panel * active.reduce(.infinity) { min($0, deviations[$1]) }
            if jointCDF(of: active, at: x + width) > 1e-18 { add(active, from: x, width: width, to: &mass) }
            x += width
            active.removeAll { means[$0] + Self.tail * deviations[$0] <= x }
        }
        // The division distributes the mass beyond the ends of the integral. No probability is 0.
        let total = mass.reduce(0, +)
        return mass.map { max($0 / total, .leastNormalMagnitude) }
    }

    /// The probability that none of several variables exceeds x.
    private func jointCDF(of active: [Int], at x: Double) -> Double {
        var product = 1.0
        for i in active {
            product *= Self.normalCDF((x - means[i]) / deviations[i])
            if product < 1e-18 { break }
        }
        return product
    }

    /// Adds the contribution of one panel.
    private func add(_ active: [Int], from x: Double, width: Double, to mass: inout [Double]) {
        var densities = [Double](repeating: 0, count: active.count)
        var below = densities
        for (node, weight) in Self.nodes {
            for (node, weight) in [(0.5 + node / 2, weight * width / 2), (0.5 - node / 2, weight * width / 2)] {
                // Products of all variables before each one, then of all after it.
                var product = weight
                for (a, i) in active.enumerated() {
                    let z = (x + node * width - means[i]) / deviations[i]
                    densities[a] = product * Self.density * exp(-0.5 * z * z) / deviations[i]
                    below[a] = Self.normalCDF(z)
                    product *= below[a]
                }
                product = 1
                for (a, i) in active.enumerated().reversed() {
                    mass[i] += densities[a] * product
                    product *= below[a]
                }
            }
        }
    }

    /// The standard normal distribution function Φ.
    static func normalCDF(_ z: Double) -> Double { 0.5 * erfc(-z * 0.5.squareRoot()) }

    /// The factor of the normal density, 1 ∕ √(2π).
    private static let density = 1 / (2 * Double.pi).squareRoot()
    /// The number of deviations from the mean that contain a variable except with probability 3 · 10⁻¹⁴.
    private static let tail = 7.5
    /// The width of a panel in units of the least deviation.
    private static let panel = 1.25
    /// The positive nodes of ten on −1…1, with their weights.
    private static let nodes: [(Double, Double)] = [
        (0.148_874_338_981_631_21, 0.295_524_224_714_752_87), (0.433_395_394_129_247_19, 0.269_266_719_309_996_36),
        (0.679_409_568_299_024_41, 0.219_086_362_515_982_04), (0.865_063_366_688_984_51, 0.149_451_349_150_580_59),
        (0.973_906_528_517_171_72, 0.066_671_344_308_688_138),
    ]
}
