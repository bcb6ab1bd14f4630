import KinLibC

extension KMeans {
    /// Clusters a sample for every number in a range, and chooses a number by the criterion.
    func choose(
        _ range: ClosedRange<Int>, by criterion: Criterion, sample size: Int, from points: Matrix<Float>,
        weights: [Double]?
    ) throws(KinError) -> Clustering.Choice {
        var generator = SeededGenerator.stream(UInt64(restarts), of: seed)
        let sample = PointSample(points, weights: weights, size: size, &generator)
        var found: [Clustering] = []
        for k in range { found.append(try cluster(sample.points, weights: sample.weights, k: k)) }
        var errors: [Double]?
        let scores: [Double]
        switch criterion {
        case .silhouette:
            let part = PointSample(sample.points, weights: sample.weights, size: Silhouettes.defaultSample, &generator)
            scores = try Silhouettes(part, metric: metric, threads: threads).means(
                of: found.map { found in part.picks.map { found.labels[$0] } }, clusters: Array(range))
        case .gap(let references):
            let gaps = try gaps(found.map(\.inertia), range, sample: sample, references: references, &generator)
            scores = gaps.map(\.gap)
            errors = gaps.map(\.standardError)
        }
        let candidates = found.indices.map {
            Clustering.Choice.Candidate(
                k: found[$0].k, inertia: found[$0].inertia, score: scores[$0], standardError: errors?[$0])
        }
        return Clustering.Choice(
            criterion: criterion, candidates: candidates, pointCount: sample.points.rows,
            k: Self.best(of: candidates).k)
    }

    /// The candidate with the highest score; of equal ones, the lowest number. With standard errors, the rule of
    /// Tibshirani and others applies.
    private static func best(of candidates: [Clustering.Choice.Candidate]) -> Clustering.Choice.Candidate {
        guard candidates[0].standardError != nil else {
            return candidates.reduce(candidates[0]) { $1.score > $0.score ? $1 : $0 }
        }
        let pairs = zip(candidates, candidates.dropFirst())
        // "Not below", so that a gap of NaN (0 ∕ 0: all points equal) ends the search.
        let first = pairs.first { !($0.score < $1.score - ($1.standardError ?? 0)) }
        return first?.0 ?? candidates[candidates.count - 1]
    }

    /// The gap statistic and its standard error for each number of clusters.
    private func gaps(
        _ inertias: [Double], _ range: ClosedRange<Int>, sample: PointSample, references: Int,
        _ generator: inout SeededGenerator
    ) throws(KinError) -> [(gap: Double, standardError: Double)] {
        let box = try PrincipalBox(around: sample.points)
        var logs = inertias.map { _ in Moments() }
        for _ in 0..<references {
            let reference = try box.draw(sample.points.rows, &generator)
            for (i, k) in range.enumerated() {
                logs[i].add(log(try cluster(reference, weights: sample.weights, k: k).inertia))
            }
        }
        let widening = (1 + 1 / Double(references)).squareRoot()
        return inertias.indices.map { i in
            // The paper divides by the number of references, not by that number minus 1.
            let variance = logs[i].squaredDeviations / Double(references)
            return (logs[i].mean - log(inertias[i]), variance.squareRoot() * widening)
        }
    }
}

/// A random sample of points, with their weights.
struct PointSample {
    /// The indices of the sampled points, ascending.
    let picks: [Int]
    let points: Matrix<Float>
    let weights: [Double]?

    /// Samples `size` points of positive weight without replacement, or takes all if there are no more.
    ///
    /// Selection sampling: Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S.
    init(_ all: Matrix<Float>, weights list: [Double]?, size: Int, _ generator: inout SeededGenerator) {
        let eligible = (0..<all.rows).filter { (list?[$0] ?? 1) > 0 }
        var chosen: [Int] = []
        for (i, point) in eligible.enumerated() where chosen.count < size {
            let wanted = size - chosen.count
            let left = eligible.count - i
            if wanted >= left || generator.below(left) < wanted { chosen.append(point) }
        }
        picks = chosen
        weights = list.map { list in chosen.map { list[$0] } }
        points = chosen.count < all.rows ? all.selecting(chosen) : all
    }
}

/// The smallest box around points with edges along their principal components.
private struct PrincipalBox {
    private let components: PCA
    private let sides: [ClosedRange<Float>]

    init(around points: Matrix<Float>) throws(KinError) {
        let components = try PCA(fitting: points)
        let scores = try components.transform(points)
        self.components = components
        sides = (0..<scores.columns).map { j in
            let column = (0..<scores.rows).map { scores[$0, j] }
            return column.min()!...column.max()!
        }
    }

    /// Samples points uniformly from the box.
    func draw(_ count: Int, _ generator: inout SeededGenerator) throws(KinError) -> Matrix<Float> {
        var scores = Matrix<Float>(rows: count, columns: sides.count)
        for i in 0..<count {
            for (j, side) in sides.enumerated() {
                scores[i, j] = side.lowerBound + Float(generator.uniform()) * (side.upperBound - side.lowerBound)
            }
        }
        return try components.inverseTransform(scores)
    }
}
