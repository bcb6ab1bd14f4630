import KinCore
import KinLinearAlgebra

/// Lloyd's iteration by definition: plain loops in double precision, without screen, blocks or threads.
///
/// It shares only types with the library. Distances are added in the documented order (eight lanes, then a fixed tree),
/// because that order decides between nearly equal ones.
struct LloydOracle {
    let points: [[Double]]
    let weights: [Double]
    let metric: Metric
    private(set) var centroids: [[Double]]
    private(set) var labels: [Int] = []
    private(set) var distances: [Double] = []
    private(set) var iterations = 0
    /// The inertia after the first assignment and after each iteration.
    private(set) var inertias: [Double] = []

    var inertia: Double { inertias[inertias.count - 1] }

    /// Runs from the given centroids until the labels stay, the inertia no longer falls, or a cluster is empty. The
    /// definition does not cover the iterations after that.
    init(
        _ points: Matrix<Float>, weights: [Double]? = nil, metric: Metric, start: Matrix<Float>, maximumIterations: Int
    ) {
        self.points = (0..<points.rows).map { points.row($0).map(Double.init) }
        self.weights = weights ?? [Double](repeating: 1, count: points.rows)
        self.metric = metric
        centroids = (0..<start.rows).map { Self.rounded(start.row($0).map(Double.init), metric) }
        assign()
        while iterations < maximumIterations {
            let before = labels
            move()
            assign()
            iterations += 1
            if labels == before || inertias[iterations] >= inertias[iterations - 1] || hasEmptyCluster { break }
        }
    }

    /// A centroid as floats, of length 1 for cosine.
    private static func rounded(_ x: [Double], _ metric: Metric) -> [Double] {
        let length = metric == .cosine ? x.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
        return x.map { Double(Float($0 / length)) }
    }

    private var hasEmptyCluster: Bool {
        centroids.indices.contains { c in !labels.indices.contains { labels[$0] == c } }
    }

    private mutating func assign() {
        labels = []
        distances = []
        for point in points {
            var best = (label: 0, distance: Double.infinity)
            for (c, centroid) in centroids.enumerated() {
                let distance = Self.distance(metric, centroid, point)
                if distance < best.distance { best = (c, distance) }
            }
            labels.append(best.label)
            distances.append(best.distance)
        }
        inertias.append(zip(weights, distances).reduce(0) { $0 + $1.0 * $1.1 })
    }

    private mutating func move() {
        let d = points[0].count
        var sums = centroids.map { _ in [Double](repeating: 0, count: d) }
        var totals = centroids.map { _ in 0.0 }
        for (i, point) in points.enumerated() {
            let length = metric == .cosine ? point.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            for j in 0..<d { sums[labels[i]][j] += weights[i] / length * point[j] }
            totals[labels[i]] += weights[i]
        }
        for c in centroids.indices {
            precondition(totals[c] > 0, "the start must leave no cluster empty")
            centroids[c] = Self.rounded(metric == .cosine ? sums[c] : sums[c].map { $0 / totals[c] }, metric)
        }
    }

    static func distance(_ metric: Metric, _ c: [Double], _ x: [Double]) -> Double {
        guard metric == .cosine else { return sum(x.count) { (c[$0] - x[$0]) * (c[$0] - x[$0]) } }
        let product = sum(x.count) { c[$0] * x[$0] }
        let squares = sum(x.count) { c[$0] * c[$0] } * sum(x.count) { x[$0] * x[$0] }
        return min(max(1 - product / squares.squareRoot(), 0), 2)
    }

    private static func sum(_ n: Int, _ term: (Int) -> Double) -> Double {
        var lanes = [Double](repeating: 0, count: 8)
        for j in 0..<n { lanes[j % 8] += term(j) }
        return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    }
}
