/// Builds one list: a pool of vectors found by plain searches, a selection from it, and the proof that no vector
/// outside the pool would have been chosen.
///
/// With S the vectors taken, the cost of a vector x is score(x) − θ min d(x, s), where θ = δ ∕ (1 − δ). The minimum of
/// some numbers is at most their mean, over all of S or over its first few vectors, so
///
///     cost(x) ≥ score(x) − θ ∕ |S| · Σ d(x, s),
///
/// a weighted sum of distances. One plain search ranks all vectors by such a sum (``SearchTarget``). Every vector that
/// this search did not find costs at least the search's bound, now and as S grows. So a candidate of the pool that
/// costs less is the best of the index. If no candidate costs less, the pool is too small: it grows by a search with
/// the present S, or by a search for more vectors. Later searches filter out full categories. Once a search finds fewer
/// vectors than requested, the pool contains every allowed vector within its radius.
///
/// A list completed from the present pool shows what its last vector may cost. The next search is limited to the radius
/// where the weighted sum reaches that cost, so one such search usually completes the list.
struct RecommendationSearch {
    private let index: VectorIndex
    private let diversity: Double
    private let limit: CategoryLimit?
    private let excluded: Set<VectorID>
    private let filter: SearchFilter
    private let threads: Int
    private let examples: WeightedExamples
    private var selection: MarginalRelevance<AttributeValue>
    private var pool: [Neighbor] = []
    /// The vectors of the pool, one after the other, each padded with zeros.
    private var rows: [Float] = []
    private var known: Set<VectorID> = []
    /// The lower bound on the cost of vectors outside the pool.
    private var bound = -Double.infinity
    /// Whether vectors outside the pool with a cost equal to the bound have larger ids than those inside.
    private var boundIsExact = false
    /// The number of vectors taken and of full categories at the last search.
    private var lastState = (taken: -1, full: 0)
    private var width = 1

    /// Prepares to make a list.
    ///
    /// - Parameters:
    ///   - wanted: A checked request.
    ///   - examples: Its examples, with their weights.
    ///   - excluded: The ids that the list leaves out, including those of its examples.
    ///   - filter: The vectors that may be returned; resolved if the list excludes or limits any.
    init(
        _ wanted: Recommendation, examples: WeightedExamples, excluding excluded: Set<VectorID>, in index: VectorIndex,
        where filter: SearchFilter, threads: Int
    ) {
        self.index = index
        diversity = wanted.diversity
        limit = wanted.perCategory
        self.excluded = excluded
        self.filter = filter
        self.threads = threads
        self.examples = examples
        selection = MarginalRelevance(diversity: wanted.diversity, perCategory: wanted.perCategory?.count)
    }

    private var stride: Int { (index.dimension + 7) & ~7 }

    /// Makes the list: k vectors with their scores, or fewer if fewer are allowed.
    ///
    /// - Throws: `.cancelled`, and the errors of a search.
    mutating func run(k: Int) throws(KinError) -> [Neighbor] {
        width = diversity == 0 ? k : min(3 * k, index.count)
        if examples.weights.count > 1 { width = min(width + 4, index.count) }
        let work = LongWork(of: k)
        // The list reports progress as a whole, so the searches do not.
        try ProgressScope.shielded { () throws(KinError) in try choose(k, work) }
        return selection.taken.map { pool[$0] }
    }

    /// Takes vectors until there are k, or until none is left.
    private mutating func choose(_ k: Int, _ work: LongWork) throws(KinError) {
        while selection.taken.count < k {
            try work.step(to: selection.taken.count)
            if take(from: &selection, below: bound, orEqual: boundIsExact) {
                // A bound on scores does not bound costs, which are lower as soon as there is a vector to differ from.
                if selection.taken.count == 1, diversity > 0, bound < .infinity { bound = -.infinity }
            } else if bound < .infinity {
                try search(k)
            } else {
                break
            }
        }
    }

    /// Takes the best candidate of the pool if it costs less than the bound.
    private func take(
        from selection: inout MarginalRelevance<AttributeValue>, below bound: Double, orEqual: Bool = false
    ) -> Bool {
        let (rows, stride, metric) = (rows, stride, index.metric)
        return selection.next(below: bound, orEqual: orEqual) { a, b in
            distance(rows, a, b, stride: stride, metric)
        } != nil
    }

    /// The cost of the last vector of the list if it were completed from the pool; infinity if the pool is too small.
    private func costOfLast(_ k: Int) -> Double {
        var trial = selection
        while trial.taken.count < k { guard take(from: &trial, below: .infinity) else { return .infinity } }
        return trial.lastCost
    }

    /// Enlarges the pool and raises the bound.
    private mutating func search(_ k: Int) throws(KinError) {
        let state = (taken: diversity > 0 ? selection.taken.count : 0, full: selection.full.count)
        let needed = state.taken > 0 ? costOfLast(k) : .infinity
        if state == lastState {
            width = min(4 * width, index.count)
        } else if state.taken > 0 {
            width = max(width, min((needed < .infinity ? 32 : 4) * k, index.count))
        }
        lastState = state
        var target = examples
        let penalty = diversity / (1 - diversity) / Double(state.taken)
        for row in selection.taken.prefix(state.taken) {
            target.append(Array(rows[row * stride..<(row + 1) * stride]), weight: -penalty)
        }
        let query = SearchTarget(target) { index.largestNorm }
        let radius = query.distance(reaching: needed)
        let found = try index.search(
            query.vector, k: width, options: .init(where: try allowed(), threads: threads, radius: radius))
        try add(found.filter { !known.contains($0.id) })
        if found.count < width || width == index.count {
            bound = max(bound, radius < .infinity ? query.bound(beyond: radius) : .infinity)
            boundIsExact = false
        } else if let last = found.last {
            bound = max(bound, query.bound(beyond: last.distance))
            boundIsExact = query.isExact
        }
    }

    /// The filter minus the excluded ids and the full categories.
    private func allowed() throws(KinError) -> SearchFilter {
        let (excluded, full) = (excluded, selection.full)
        guard !excluded.isEmpty || !full.isEmpty else { return filter }
        guard let name = limit?.attribute, !full.isEmpty else {
            return filter.without { excluded.contains($0) }
        }
        let (attributes, column) = (index.attributes, try index.attributes.index(of: name))
        return filter.without { id in
            excluded.contains(id) || attributes.value(column, for: id).map { full.contains($0) } ?? false
        }
    }

    /// Adds vectors to the pool, with their scores.
    private mutating func add(_ found: [Neighbor]) throws(KinError) {
        guard !found.isEmpty else { return }
        let first = pool.count
        for neighbor in found {
            rows += try index.foundVector(neighbor.id)
            rows += repeatElement(0, count: stride - index.dimension)
            known.insert(neighbor.id)
        }
        let scores = scores(of: first..<first + found.count)
        let column = try limit.map { limit throws(KinError) in
            try index.attributes.index(of: limit.attribute)
        }
        for (i, neighbor) in found.enumerated() {
            let category = column.flatMap { index.attributes.value($0, for: neighbor.id) }
            pool.append(Neighbor(id: neighbor.id, distance: scores[i]))
            selection.insert(row: first + i, id: neighbor.id.rawValue, distance: scores[i], category: category)
        }
    }

    /// The weighted sums of the distances from the examples to a range of rows of the pool.
    private func scores(of range: Range<Int>) -> [Double] {
        var sums = [Double](repeating: 0, count: range.count)
        var distances = sums
        for (example, weight) in zip(examples.vectors, examples.weights) {
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe Kernels.active.distances(
                    index.metric, from: example, to: rows.baseAddress! + range.lowerBound * stride, stride: stride,
                    count: range.count, into: &distances)
            }
            for i in sums.indices { sums[i] += weight * distances[i] }
        }
        return sums
    }
}

/// The distance between two rows of a pool.
private func distance(_ rows: [Float], _ a: Int, _ b: Int, stride: Int, _ metric: Metric) -> Double {
    var distance = 0.0
    unsafe rows.withUnsafeBufferPointer { rows in
        unsafe Kernels.active.distances(
            metric, from: rows.baseAddress! + a * stride, to: rows.baseAddress! + b * stride, stride: stride, count: 1,
            into: &distance)
    }
    return distance
}
