extension VectorIndex {
    /// Finds the k vectors that examples recommend, exactly: like some, unlike others, different from each other, with
    /// limits per category.
    ///
    /// With a single positive example this is a plain search; diversity or limits need a few plain searches. The
    /// vectors are in the order of choice.
    ///
    /// - Parameters:
    ///   - wanted: The examples, and the conditions on the list.
    ///   - k: The number of vectors, 0 or more.
    ///   - filter: The vectors that may be returned, in addition to the request's own exclusions.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Returns: k vectors, or fewer if fewer are allowed, with their scores (``Recommendation``) as distances.
    /// - Throws: The errors of `search(_:k:options:)` for an example, `.unknownID`, and `.invalidArgument` if the
    ///   request contradicts the metric or the ``attributes``.
    /// - Complexity: One plain search each time the pool of candidates grows, plus at most O(pool · k · dimension). Ten
    ///   of 10⁶ vectors take as long as 2 to 3 plain searches with a diversity of 0.1, 3 to 5 with 0.3, and more as it
    ///   approaches its limit. Negative examples move the search to a point that may be outside the data. It takes up to
    ///   twice as long there, or up to ten times as long between distant clusters, whose boxes exclude less.
    public func recommend(
        _ wanted: Recommendation, k: Int, where filter: SearchFilter = .all, threads: Int = 1
    ) throws(KinError) -> [Neighbor] {
        try validation.checkArguments(k: k, threads: threads)
        try wanted.check(metric: metric, schema: attributes.schema)
        // The bound on the length of vectors reads all codes.
        if metric.comparesProducts { try requireIntact() }
        var examples = WeightedExamples(metric: metric, dimension: dimension)
        try append(wanted.positive, "positive example", weight: 1, to: &examples)
        try append(wanted.negative, "negative example", weight: -wanted.negativeWeight, to: &examples)
        guard k > 0, count > 0 else { return [] }
        let excluded = wanted.excluded.union(wanted.exampleIDs)
        let isPlain = excluded.isEmpty && wanted.perCategory == nil
        var search = RecommendationSearch(
            wanted, examples: examples, excluding: excluded, in: self,
            where: isPlain ? filter : try resolved(filter, threads: threads), threads: threads)
        return try search.run(k: min(k, count))
    }

    /// Appends the positive or the negative examples, all with the same weight.
    private func append(
        _ side: [Recommendation.Example], _ name: String, weight: Double, to examples: inout WeightedExamples
    ) throws(KinError) {
        for (row, example) in side.enumerated() {
            do throws(KinError) {
                examples.append(try vector(of: example), weight: weight / Double(side.count))
            } catch {
                throw error.within(name, row)
            }
        }
    }

    private func vector(of example: Recommendation.Example) throws(KinError) -> [Float] {
        switch example {
        case .id(let id):
            guard let vector = try vector(for: id) else {
                throw KinError(.unknownID, "there is no vector with id \(id)")
            }
            return vector
        case .vector(let vector):
            try validation.check(query: vector.span)
            return vector
        }
    }
}

extension VectorIndex {
    /// An upper bound on the length of all vectors. At most O(n ∕ 64 · dimension) if rows are coded.
    var largestNorm: Double { chunks.reduce(0) { max($0, $1.largestNorm) } }
}

extension Recommendation {
    /// The ids among the examples, which the list leaves out.
    fileprivate var exampleIDs: [VectorID] {
        (positive + negative).compactMap { if case .id(let id) = $0 { id } else { nil } }
    }
}

extension SearchFilter {
    /// The largest number of allowed ids that are listed, so that a search visits only their rows.
    private static let fewIDs = 4096

    /// A resolved filter that excludes some ids.
    func without(_ isExcluded: @escaping @Sendable (VectorID) -> Bool) -> SearchFilter {
        if let few = ids(atMost: Self.fewIDs) { return .ids(few.filter { !isExcluded($0) }) }
        return .predicate { allows($0) && !isExcluded($0) }
    }
}
