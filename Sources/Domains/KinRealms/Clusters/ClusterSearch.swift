/// The search for the clusters of a collection: k-means from several initialisations, and the choice by silhouette.
struct ClusterSearch {
    let features: Matrix<Float>
    /// The images that choose k: those with objects. All others are nearly the same point, and near every image, so
    /// that many small clusters would have the best silhouette.
    let choosing: Matrix<Float>
    let options: ClusterOptions

    /// The sample size for the curve over k; its silhouettes use 2,000 points.
    private static let sample = 10_000

    /// The largest k that is always tried, and the number of larger ones tried at a time.
    private static let firstRange = 24
    private static let batch = 8

    /// The sample size for the silhouettes of the final choice.
    private static let silhouetteSample = 4_000

    /// The clustering with the best silhouette, and the choice of k.
    struct Outcome {
        let clustering: Clustering
        let choice: RealmClusters.Choice?
        let silhouette: Double?
    }

    func outcome() throws(KinError) -> Outcome {
        let k: KMeans.ClusterCount
        if let given = options.k {
            k = given
        } else {
            let isSilhouette = options.criterion == .silhouette
            let limit =
                isSilhouette ? Self.largest(ofImages: choosing.rows) : min(Self.firstRange, choosing.rows / 8)
            let most = Self.distinctCount(of: choosing, atMost: max(1, limit))
            guard most > options.criterion.fewestCounts else {
                return try best(of: 1, self.choice(by: options.criterion, [], limit: most))
            }
            if isSilhouette { return try chosen(2...min(Self.firstRange, most), limit: most) }
            k = .chosen(2...most, by: options.criterion)
        }
        switch k {
        case .exactly(let k):
            try Self.require(k, of: features)
            return try best(of: k, nil)
        case .chosen(let range, .silhouette, _) where range.lowerBound >= 2:
            guard range.upperBound <= choosing.rows else {
                throw KinError(
                    .invalidArgument,
                    "k is chosen from \(range.lowerBound) to \(range.upperBound); it can be at most \(choosing.rows), the number of images\(withoutObjects > 0 ? " with objects" : "")"
                )
            }
            try Self.require(range.upperBound, of: choosing)
            return try chosen(range)
        case .chosen(let range, _, _):
            try Self.require(range.upperBound, of: choosing)
            let found = try kMeans(k, start: .plusPlus, seed: options.seed).fit(choosing)
            return try best(
                of: found.k,
                found.choice.map { found in
                    choice(by: found.criterion, found.candidates.map { ($0.k, $0.inertia, $0.score) })
                })
        }
    }

    /// The largest number of clusters that a silhouette may choose for some images.
    static func largest(ofImages count: Int) -> Int {
        min(Int(Double(min(count, sample)).squareRoot()), count / 8)
    }

    private var withoutObjects: Int { features.rows - choosing.rows }

    private func choice(
        by criterion: KMeans.Criterion, _ candidates: [(k: Int, inertia: Double, score: Double)], limit: Int? = nil
    ) -> RealmClusters.Choice {
        RealmClusters.Choice(
            criterion: criterion.name,
            candidates: candidates.map { .init(k: $0.k, inertia: rounded($0.inertia), score: rounded($0.score)) },
            limit: limit, withoutObjects: withoutObjects)
    }

    /// The number of distinct rows, at most `limit`.
    private static func distinctCount(of features: Matrix<Float>, atMost limit: Int) -> Int {
        var seen: Set<[Float]> = []
        for row in 0..<features.rows where seen.count < limit { seen.insert(Array(features.row(row))) }
        return seen.count
    }

    private static func require(_ k: Int, of features: Matrix<Float>) throws(KinError) {
        // KMeans itself rejects these.
        guard k > 1, k <= features.rows else { return }
        let most = distinctCount(of: features, atMost: k)
        guard most < k else { return }
        throw KinError(
            .invalidArgument,
            "k is \(k), and of \(features.rows) images \(most == 1 ? "all are the same" : "only \(most) differ"); it is 1 to \(most)"
        )
    }

    private func kMeans(_ k: KMeans.ClusterCount, start: KMeans.Start, seed: UInt64) -> KMeans {
        KMeans(
            k: k, start: start, maximumIterations: options.maximumIterations, seed: seed, threads: options.threads)
    }

    // MARK: The number of clusters

    /// Chooses k by silhouette. For each k, the better of two clusterings counts: a fresh initialisation, and the
    /// previous clustering with one cluster split.
    ///
    /// - Parameter limit: The largest k to try, eight at a time, as long as the best of all is among the last eight;
    ///   nil to stop at the end of the range.
    private func chosen(_ range: ClosedRange<Int>, limit: Int? = nil) throws(KinError) -> Outcome {
        var generator = SeededGenerator.stream(0, of: options.seed)
        let points = try sampled(&generator)
        var (candidates, scores): ([Clustering], [Double]) = ([], [])
        var (position, next) = (0, Array(range))
        while !next.isEmpty {
            for k in next {
                candidates.append(try candidate(k, of: points, after: candidates.last, seed: generator.next()))
            }
            scores += try Clustering.silhouettes(
                of: points, candidates.suffix(next.count), seed: options.seed, threads: options.threads)
            position = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
            guard let limit, position >= scores.count - Self.batch else { break }
            let last = next[next.count - 1]
            next = last < limit ? Array(last + 1...min(limit, last + Self.batch)) : []
        }
        let choice = self.choice(
            by: .silhouette, zip(candidates, scores).map { ($0.k, $0.inertia, $1) }, limit: limit)
        return try best(of: candidates[position].k, choice, from: candidates[position].centroids)
    }

    private func candidate(
        _ k: Int, of points: Matrix<Float>, after last: Clustering?, seed: UInt64
    ) throws(KinError) -> Clustering {
        let fresh = try kMeans(.exactly(k), start: .plusPlus, seed: seed).fit(points)
        guard let last, let split = last.bestSplit(of: points, threads: options.threads) else { return fresh }
        let start = try last.centroids.replacing(row: split.cluster, by: split.centroids)
        let grown = try kMeans(.exactly(k), start: .centroids(start), seed: 0).fit(points)
        return grown.inertia < fresh.inertia ? grown : fresh
    }

    /// All images with objects, or a sample without replacement, in their order (Knuth, 3.4.2, algorithm S).
    private func sampled(_ generator: inout SeededGenerator) throws(KinError) -> Matrix<Float> {
        guard choosing.rows > Self.sample else { return choosing }
        var (elements, taken): ([Float], Int) = ([], 0)
        elements.reserveCapacity(Self.sample * choosing.columns)
        for row in 0..<choosing.rows where taken < Self.sample {
            if generator.below(choosing.rows - row) < Self.sample - taken {
                elements += choosing.row(row)
                taken += 1
            }
        }
        return try Matrix(rows: Self.sample, columns: choosing.columns, elements: elements)
    }

    // MARK: The clusters

    /// The clustering with the best silhouette among several initialisations.
    ///
    /// - Parameter centroids: A further initialisation.
    private func best(
        of k: Int, _ choice: RealmClusters.Choice?, from centroids: Matrix<Float>? = nil
    ) throws(KinError) -> Outcome {
        var found: [Clustering] = []
        if let centroids { found.append(try kMeans(.exactly(k), start: .centroids(centroids), seed: 0).fit(features)) }
        for restart in 0..<(try options.restarts(forImages: features.rows)) {
            var seeds = SeededGenerator.stream(UInt64(restart) + 1, of: options.seed)
            found.append(try kMeans(.exactly(k), start: .plusPlus, seed: seeds.next()).fit(features))
        }
        guard k > 1 else { return Outcome(clustering: found[0], choice: choice, silhouette: nil) }
        let scores = try Clustering.silhouettes(
            of: features, found, sample: Self.silhouetteSample, seed: options.seed, threads: options.threads)
        let best = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
        return Outcome(clustering: found[best], choice: choice, silhouette: scores[best])
    }
}

extension Matrix<Float> {
    /// A copy with the first of two rows at one position and the second at the end.
    fileprivate func replacing(row: Int, by halves: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        var rows = (0..<self.rows).map { Array(self.row($0)) }
        rows[row] = Array(halves.row(0))
        rows.append(Array(halves.row(1)))
        return try Matrix(rows: rows)
    }
}
