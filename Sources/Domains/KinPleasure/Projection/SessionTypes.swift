import KinClustering
public import KinCore
import KinLinearAlgebra

/// The kinds of session that a person has, found by clustering.
public struct SessionTypes: Sendable, Hashable {
    /// One kind of session.
    public struct Kind: Sendable, Hashable {
        /// Where its sessions lie on average.
        public let centre: Pleasure
        /// What sets it apart: the dimensions in which its centre is highest above the person's mean, in units of their spread, at most
        /// three, the strongest first; for a single kind, the dimensions that are highest.
        public let strongest: [Pleasure.Dimension]
        /// How many sessions are of it.
        public let count: Int

        /// The strongest dimensions' names: `mobility + nature_mirror`.
        public var name: String { strongest.map(\.name).joined(separator: " + ") }
    }

    /// The kinds, the most frequent first.
    public let kinds: [Kind]
    /// The kind of each session, in the order given, as a place in ``kinds``.
    public let labels: [Int]
    /// The mean silhouette of the kinds, −1…1: how much nearer sessions are to their own kind than to the next; nil for one kind.
    public let silhouette: Double?

    /// Below this silhouette sessions are taken to be of one kind: what chance finds in points without structure stays below it.
    public static let leastSilhouette = 0.15

    /// The most kinds that are looked for.
    public static let largestCount = 8

    /// Finds the kinds of session among some.
    ///
    /// k-means with k-means++ starts is tried with 2 to 8 clusters, and the number with the best silhouette is taken (Rousseeuw 1987,
    /// doi:10.1016/0377-0427(87)90125-7).
    ///
    /// - Parameters:
    ///   - sessions: At least one.
    ///   - seed: What the starts are drawn from.
    /// - Throws: `.invalidArgument` when there is no session.
    /// - Complexity: O(n²) for up to some thousands of sessions, of more a sample decides about the number of kinds.
    public init(of sessions: [PleasureSession], seed: UInt64 = 0) throws(KinError) {
        guard !sessions.isEmpty else { throw KinError(.invalidArgument, "no sessions have no types") }
        let points = sessions.map(\.embedding)
        let distinct = Set(points).count
        let most = min(Self.largestCount, distinct, sessions.count - 1)
        var found: (labels: [Int], silhouette: Double)?
        if most >= 2 {
            let matrix = Matrix(points: points)
            let clustering = try KMeans(k: .chosen(2...most), restarts: 8, seed: seed).fit(matrix)
            let best = clustering.choice?.candidates.first { $0.k == clustering.choice?.k }
            if let best, best.score >= Self.leastSilhouette { found = (clustering.labels, best.score) }
        }
        let raw = found?.labels ?? points.map { _ in 0 }
        silhouette = found?.silhouette
        let count = (raw.max() ?? 0) + 1
        let moments = Pleasure.Dimension.allCases.map { dimension in
            Moments(points.lazy.map { Double($0[dimension]) })
        }
        let all = (0..<count).map { number in
            Kind(raw.indices.filter { raw[$0] == number }.map { points[$0] }, among: moments, isOnly: count == 1)
        }
        // By size, so that the order does not depend on how the clusters were found.
        let order = all.indices.sorted { (all[$1].count, $0) < (all[$0].count, $1) }
        kinds = order.map { all[$0] }
        var positions = [Int](repeating: 0, count: count)
        for (position, number) in order.enumerated() { positions[number] = position }
        labels = raw.map { positions[$0] }
    }
}

extension SessionTypes.Kind {
    fileprivate init(_ points: [Pleasure], among moments: [Moments], isOnly: Bool) {
        let sum = points.reduce(into: SIMD16<Double>.zero) { $0 += SIMD16<Double>($1.coordinates) }
        let mean = points.isEmpty ? sum : sum / Double(points.count)
        centre = Pleasure(clamping: SIMD16<Float>(mean))
        count = points.count
        func strength(_ dimension: Pleasure.Dimension) -> Double {
            let mean = mean[dimension.rawValue]
            let all = moments[dimension.rawValue]
            guard !isOnly else { return mean }
            let spread = all.populationVariance.squareRoot()
            return spread > 1e-6 ? (mean - all.mean) / spread : 0
        }
        let strengths = Pleasure.Dimension.allCases.map { ($0, strength($0)) }
        let sorted = strengths.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        // What is less than half as strong as the strongest does not belong into a name.
        strongest = sorted.prefix(3).filter { $0.1 > 0 && $0.1 >= sorted[0].1 / 2 }.map(\.0)
    }
}
