/// A timed comparison of two search modes, one query at a time.
package struct RecallTrial: ~Copyable {
    /// A query, with its own id if it is a vector of the index.
    package struct Query: Sendable {
        package let vector: [Float]
        /// The query's own id, which is excluded from its answer.
        package let excluded: VectorID?

        package init(vector: [Float], excluded: VectorID?) { (self.vector, self.excluded) = (vector, excluded) }
    }

    /// The answers in one mode, and the time they took.
    package struct Outcome: Sendable {
        package let answers: [[VectorID]]
        /// The mean time of one search.
        package let seconds: Double
    }

    let index: VectorIndex
    let k: Int
    /// Nil if every vector is allowed.
    let filter: SearchFilter?
    let threads: Int

    /// Creates a trial of an index.
    package init(index: VectorIndex, k: Int, filter: SearchFilter?, threads: Int) {
        (self.index, self.k, self.filter, self.threads) = (index, k, filter, threads)
    }

    /// Draws vectors of the index at random with a fixed seed: the same index gives the same queries.
    package func drawQueries(_ count: Int) -> [Query] {
        var ids = index.ids
        var generator = SeededGenerator(seed: 1)
        let drawn = min(count, ids.count)
        for place in 0..<drawn { ids.swapAt(place, place + generator.below(ids.count - place)) }
        return ids[..<drawn].compactMap { id in index.storedVector(for: id).map { Query(vector: $0, excluded: id) } }
    }

    /// Searches twice and times the second run, so that caches are equally warm for both modes.
    package func run(_ queries: [Query], mode: SearchMode) throws(KinError) -> Outcome {
        _ = try answers(queries, mode: mode)
        let start = ContinuousClock.now
        let answers = try answers(queries, mode: mode)
        return Outcome(answers: answers, seconds: (ContinuousClock.now - start) / .seconds(1) / Double(queries.count))
    }

    private func answers(_ queries: [Query], mode: SearchMode) throws(KinError) -> [[VectorID]] {
        var answers: [[VectorID]] = []
        answers.reserveCapacity(queries.count)
        let work = LongWork(of: queries.count)
        // The trial reports progress as a whole, so single searches do not.
        try ProgressScope.shielded { () throws(KinError) in
            for query in queries {
                let own = OwnNeighbor(query.excluded, k: k, mode: mode, filter: filter)
                let found = try index.search(
                    query.vector, k: own.wanted, options: .init(mode: mode, where: own.filter, threads: threads))
                answers.append(own.others(found).map(\.id))
                try work.step()
            }
        }
        return answers
    }

    /// The mean share of true neighbours found over the queries, and its standard error. A query without neighbours
    /// counts as 1.
    package static func recall(of found: [[VectorID]], against truth: [[VectorID]]) -> (mean: Double, error: Double) {
        let measure = RecallCalibration.Measure(
            zip(found, truth).map { found, truth in
                truth.isEmpty ? 1 : Double(Set(found).intersection(truth).count) / Double(truth.count)
            })
        return (measure.recall, measure.error)
    }
}
