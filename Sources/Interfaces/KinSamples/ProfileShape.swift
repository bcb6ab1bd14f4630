/// The distribution of synthetic profiles in the unit cube.
public enum ProfileShape: Sendable, Equatable {
    /// Every coordinate independent and uniform: no structure, the hardest case for pruning.
    case uniform
    /// A mixture of tilted ellipsoids with power-law sizes: a few big crowds, many small ones.
    case clustered(clusters: Int)
    /// Few hidden factors and a little noise: the points fill a thin sheet of the cube.
    case correlated(factors: Int, noise: Double)

    /// The default number of clusters, 2 √n, so that cluster sizes stay comparable: 2,000 for a million profiles.
    ///
    /// - Parameter count: The number of profiles.
    /// - Precondition: `count` is 0 or more.
    public static func defaultClusters(for count: Int) -> Int {
        max(1, Int((2 * Double(count).squareRoot()).rounded()))
    }
}

/// Draws the points of one shape, after its own random constants are fixed.
///
/// It uses only the four operations and the square root, which IEEE 754 defines exactly, so a seed gives the same data
/// everywhere.
struct ProfileSampler: Sendable {
    let dimension: Int
    private let shape: ProfileShape
    private let clusters: [Cluster]
    /// Running sums of the cluster sizes, for selection by bisection.
    private let bounds: [Double]
    /// One row per dimension, one loading per factor.
    private let loadings: [Double]

    private struct Cluster: Sendable {
        var centre: [Double]
        /// The spread along each axis.
        var spread: [Double]
        /// A vector in the direction in which the cluster is stretched, with the amount as its length.
        var stretch: [Double]
    }

    init(_ shape: ProfileShape, dimension: Int, generator: inout SeededGenerator) {
        self.shape = shape
        self.dimension = dimension
        var clusters: [Cluster] = []
        var bounds: [Double] = []
        var loadings: [Double] = []
        switch shape {
        case .uniform: break
        case .clustered(let count):
            var sum = 0.0
            for rank in 0..<count {
                clusters.append(ProfileSampler.cluster(dimension: dimension, &generator))
                sum += 1 / Double(rank + 1)  // Zipf's law: the second crowd is half the first
                bounds.append(sum)
            }
        case .correlated(let factors, _):
            for _ in 0..<dimension {
                let row = ProfileSampler.direction(dimension: factors, &generator)
                let spread = 0.1 + 0.12 * generator.uniform()
                loadings += row.map { $0 * spread }
            }
        }
        self.clusters = clusters
        self.bounds = bounds
        self.loadings = loadings
    }

    /// Writes one point, its coordinates folded into 0…1.
    func draw(into point: inout [Double], using generator: inout SeededGenerator) {
        switch shape {
        case .uniform:
            for axis in 0..<dimension { point[axis] = generator.uniform() }
        case .clustered:
            let cluster = clusters[choose(generator.uniform())]
            let along = generator.normalDeviate()
            for axis in 0..<dimension {
                let offset = cluster.spread[axis] * generator.normalDeviate() + cluster.stretch[axis] * along
                point[axis] = ProfileSampler.folded(cluster.centre[axis] + offset)
            }
        case .correlated(let factors, let noise):
            var hidden = [Double](repeating: 0, count: factors)
            for factor in 0..<factors { hidden[factor] = generator.normalDeviate() }
            for axis in 0..<dimension {
                var value = 0.5 + noise * generator.normalDeviate()
                for factor in 0..<factors { value += loadings[axis * factors + factor] * hidden[factor] }
                point[axis] = ProfileSampler.folded(value)
            }
        }
    }

    /// The cluster whose share of the running sums contains `u`.
    private func choose(_ u: Double) -> Int {
        let target = u * bounds[bounds.count - 1]
        return min(bounds.partition { $0 <= target }, bounds.count - 1)
    }

    private static func cluster(dimension: Int, _ generator: inout SeededGenerator) -> Cluster {
        let size = 0.015 + 0.045 * generator.uniform()
        let centre = (0..<dimension).map { _ in 0.1 + 0.8 * generator.uniform() }
        let spread = (0..<dimension).map { _ -> Double in
            let u = generator.uniform()
            return size * (0.25 + 1.5 * u * u)
        }
        let stretch = direction(dimension: dimension, &generator).map { $0 * 3 * size }
        return Cluster(centre: centre, spread: spread, stretch: stretch)
    }

    private static func direction(dimension: Int, _ generator: inout SeededGenerator) -> [Double] {
        var direction = (0..<dimension).map { _ in generator.normalDeviate() }
        var square = 0.0
        for value in direction { square += value * value }
        let length = square.squareRoot()
        guard length > 0 else { return [1] + [Double](repeating: 0, count: dimension - 1) }
        for axis in direction.indices { direction[axis] /= length }
        return direction
    }

    /// Reflects at 0 and 1: unlike clamping, this does not pile up equal values at the ends.
    static func folded(_ value: Double) -> Double {
        var value = value < 0 ? -value : value
        if value > 1 { value = 2 - value }
        return min(1, max(0, value))
    }
}
