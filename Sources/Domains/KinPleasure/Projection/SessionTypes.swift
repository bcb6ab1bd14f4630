import KinClustering

/// A clustering of a person's sessions into kinds.
public struct SessionTypes: Sendable, Hashable {
    /// One kind of session.
    public struct Kind: Sendable, Hashable {
        /// The mean point of its sessions.
        public let centre: Pleasure
        /// The at most three dimensions whose mean is farthest above the person's mean, in units of the person's
        /// standard deviation; the dimensions with the highest means if there is only one kind.
        public let strongest: [Pleasure.Dimension]
        /// The number of sessions of the kind.
        public let count: Int

        /// The names of the strongest dimensions: `mobility + nature_mirror`.
        public var name: String { strongest.map(\.name).joined(separator: " + ") }
    }

    /// The kinds by descending number of sessions.
    public let kinds: [Kind]
    /// The kind of each session, in the order given, as an index of ``kinds``.
    public let labels: [Int]
    /// The mean silhouette of the clustering, −1…1; nil for one kind.
    public let silhouette: Double?

    /// The least silhouette for several kinds; points without structure stay below it.
    public static let leastSilhouette = 0.15

    /// The largest number of kinds tried.
    public static let largestCount = 8

    /// Clusters sessions and chooses the number of kinds.
    ///
    /// k-means with k-means++ is run for 2 to 8 clusters, and the number with the best silhouette is chosen (Rousseeuw
    /// 1987, doi:10.1016/0377-0427(87)90125-7).
    ///
    /// - Parameters:
    ///   - sessions: At least one session.
    ///   - seed: The seed of the random numbers.
    /// - Throws: `.invalidArgument` without sessions.
    /// - Complexity: O(n²) up to a few thousand sessions; for more, the number of kinds is chosen on a sample.
    public init(of sessions: [PleasureSession], seed: UInt64 = 0) throws(KinError) {
        try self.init(points: sessions.map(\.embedding), seed: seed)
    }

    /// Clusters sessions by their points, as ``init(of:seed:)``.
    package init(points: [Pleasure], seed: UInt64 = 0) throws(KinError) {
        guard !points.isEmpty else { throw KinError(.invalidArgument, "no sessions have no types") }
        let distinct = Set(points).count
        let most = min(Self.largestCount, distinct, points.count - 1)
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
        // By size, so that the order does not depend on the clustering run.
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
        // Dimensions less than half as strong as the strongest are omitted.
        strongest = sorted.prefix(3).filter { $0.1 > 0 && $0.1 >= sorted[0].1 / 2 }.map(\.0)
    }
}
