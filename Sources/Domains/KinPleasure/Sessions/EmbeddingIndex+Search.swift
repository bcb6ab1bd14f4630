extension EmbeddingIndex {
    /// Finds the sessions nearest by embedding and point together, ties by ascending number; exact.
    ///
    /// Sessions without an embedding of the model are not compared.
    ///
    /// - Parameters:
    ///   - query: The embedding, the point, and the weight between them.
    ///   - sessions: The index of all sessions' points by the squared distance, under the same numbers.
    ///   - k: The number of sessions, 0 or more.
    ///   - expression: A condition on `user`, `state` and `start`; nil for none.
    /// - Throws: `.invalidArgument` for k, the condition or the model; `.unknownID` for an unknown model;
    ///   `.dimensionMismatch`.
    /// - Complexity: O(sessions allowed) if few are allowed; else the cost of a search of the points or of the
    ///   embeddings, whichever visits fewer.
    package func nearest(
        to query: EmbeddingQuery, among sessions: SessionIndex, k: Int, where expression: FilterExpression? = nil
    ) throws(KinError) -> [EmbeddingNeighbor] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        let model = try Self.model(query.model, of: models)
        guard let vectors = vectors[model] else { return [] }
        guard query.embedding.count == vectors.dimension else {
            throw Self.mismatch(of: model, vectors.dimension, query.embedding.count).within("field", "embedding")
        }
        let search = try FusedSearch(query, vectors, sessions)
        let allowed = try expression.map { expression throws(KinError) in
            try sessions.points.attributes.ids(where: expression.withUsualStates())
        }
        return try search.nearest(k: min(k, vectors.count), among: allowed)
    }
}

/// One search by embedding and point.
///
/// With p and e the squared distances of a session's point and embedding from the query, the distance is
/// f = (1 − w) p + w e. Let r be the k-th least f found so far; a session with f ≤ r is still of interest. One index
/// has p and one has e, and each gives a bound:
///
/// - by points: e ≥ 0, so (1 − w) p ≤ f ≤ r, hence p ≤ r / (1 − w);
/// - by embeddings: p ≥ p₀, the p of the nearest of all points, so w e ≤ r − (1 − w) p₀, hence
///   e ≤ (r − (1 − w) p₀) / w.
///
/// `VectorIndex.visit` offers every row within a radius that shrinks with r, so either side alone is exact. Points are
/// visited first, since boxes exclude many rows in 16 dimensions. Once they have offered more than a
/// share of all rows, the visit of the embeddings follows, with r as an upper bound. One function computes f, p and e
/// for rows from either side. The radii are longer by a relative 1e-9, far more than the rounding of sums of 4,096
/// squares, so equal distances stay ties.
private struct FusedSearch: ~Copyable {
    let vectors: VectorIndex
    let sessions: SessionIndex
    let query: EmbeddingQuery
    let weight: Double
    let point: Pleasure
    let pleasure: PointDistance
    let subset: SessionIndex.Subset

    /// The largest share of the points to visit before the embeddings.
    static let largestShare = 0.125
    /// The relative excess of radii over those of exact arithmetic.
    static let slack = 1e-9

    init(_ query: EmbeddingQuery, _ vectors: VectorIndex, _ sessions: SessionIndex) throws(KinError) {
        let subset =
            try query.dimensions.map { dimensions throws(KinError) in try SessionIndex.Subset(dimensions) } ?? .all
        let point = subset.of(query.point ?? Pleasure())
        pleasure = try PointDistance(.squaredL2, to: point, in: subset)
        weight = query.weight
        (self.vectors, self.sessions, self.query, self.subset, self.point) = (vectors, sessions, query, subset, point)
    }

    /// The nearest of all sessions, or of the allowed ones.
    func nearest(k: Int, among allowed: [VectorID]?) throws(KinError) -> [EmbeddingNeighbor] {
        guard k > 0 else { return [] }
        let isAllowed = Self.test(of: allowed)
        var failure: KinError?
        let found = unsafe [Neighbor](unsafeUninitializedCapacity: k) { buffer, count in
            var best = unsafe TopK(buffer)
            if let allowed, allowed.count <= max(1024, Int(Double(vectors.count) * Self.largestShare)) {
                for id in allowed { if let distance = distance(of: id) { best.insert(id, distance) } }
            } else if weight == 1 {
                visitEmbeddings(within: .infinity, floor: 0, isAllowed, &best)
            } else {
                do throws(KinError) {
                    if try !visitPoints(isAllowed, k: k, &best) {
                        let bound = best.worst
                        best.removeAll()
                        let floor = try sessions.nearest(to: point, comparing: Set(dimensions), k: 1).first?.distance
                        visitEmbeddings(within: bound, floor: floor ?? 0, isAllowed, &best)
                    }
                } catch { failure = error }
            }
            count = unsafe best.finish().count
        }
        if let failure { throw failure }
        return found.compactMap { neighbor in
            guard let vector = vectors.storedVector(for: neighbor.id),
                let own = sessions.points.storedVector(for: neighbor.id)
            else {
                return nil
            }
            return EmbeddingNeighbor(
                id: neighbor.id, distance: neighbor.distance,
                pleasureDistance: query.point == nil ? nil : pleasure(SIMD16(own)),
                embeddingDistance: Self.squaredDistance(vector, query.embedding))
        }
    }

    private var dimensions: [Pleasure.Dimension] {
        Pleasure.Dimension.allCases.filter { subset.mask >> UInt16($0.rawValue) & 1 == 1 }
    }

    /// Visits the nearest points.
    ///
    /// - Returns: Whether all possible results were offered; if not, the search continues with the embeddings.
    private func visitPoints(_ isAllowed: (VectorID) -> Bool, k: Int, _ best: inout TopK) throws(KinError) -> Bool {
        guard let points = sessions.points(in: subset, isNeeded: weight == 0) else { return false }
        let most = weight == 0 ? Int.max : max(Int(Double(points.count) * Self.largestShare), 8 * k)
        var visited = 0
        let vector = point.vector
        points.visit(near: vector.span, radius: .infinity, capacity: k) { id, distance in
            visited += 1
            // No distance is as small as -1.
            guard visited <= most else { return -1 }
            if isAllowed(id), (1 - weight) * distance * (1 - Self.slack) <= best.worst,
                let vector = vectors.storedVector(for: id)
            {
                best.insert(id, fused(distance, Self.squaredDistance(vector, query.embedding)))
            }
            return best.worst * (1 + Self.slack) / (1 - weight)
        }
        return visited <= most
    }

    /// Visits the nearest embeddings.
    ///
    /// - Parameters:
    ///   - bound: A distance that at least k sessions do not exceed.
    ///   - floor: The distance of the nearest of all points.
    private func visitEmbeddings(
        within bound: Double, floor: Double, _ isAllowed: (VectorID) -> Bool, _ best: inout TopK
    ) {
        func radius(_ worst: Double) -> Double {
            (min(bound, worst) * (1 + Self.slack) - (1 - weight) * floor * (1 - Self.slack)) / weight * (1 + Self.slack)
        }
        vectors.visit(near: query.embedding.span, radius: radius(.infinity), capacity: best.capacity) { id, distance in
            let limit = min(bound, best.worst) * (1 + Self.slack)
            if isAllowed(id), let own = sessions.points.storedVector(for: id) {
                let point = pleasure(SIMD16(own)) ?? 0
                if (1 - weight) * point + weight * distance * (1 - Self.slack) <= limit,
                    let vector = vectors.storedVector(for: id)
                {
                    best.insert(id, fused(point, Self.squaredDistance(vector, query.embedding)))
                }
            }
            return radius(best.worst)
        }
    }

    /// The distance of a session; nil if it has no embedding.
    private func distance(of id: VectorID) -> Double? {
        guard let vector = vectors.storedVector(for: id), let own = sessions.points.storedVector(for: id),
            let point = pleasure(SIMD16(own))
        else { return nil }
        return fused(point, Self.squaredDistance(vector, query.embedding))
    }

    private func fused(_ point: Double, _ embedding: Double) -> Double { (1 - weight) * point + weight * embedding }

    /// The squared distance of two vectors in double precision.
    private static func squaredDistance(_ a: [Float], _ b: [Float]) -> Double {
        var sums = SIMD8<Double>.zero
        var rest = 0.0
        let whole = a.count & ~7
        unsafe a.withUnsafeBytes { a in
            unsafe b.withUnsafeBytes { b in
                for start in stride(from: 0, to: 4 * whole, by: 32) {
                    let x = unsafe SIMD8<Double>(a.loadUnaligned(fromByteOffset: start, as: SIMD8<Float>.self))
                    let difference =
                        unsafe x - SIMD8<Double>(b.loadUnaligned(fromByteOffset: start, as: SIMD8<Float>.self))
                    sums += difference * difference
                }
            }
        }
        for i in whole..<a.count {
            let difference = Double(a[i]) - Double(b[i])
            rest += difference * difference
        }
        return sums.sum() + rest
    }

    /// Returns a test whether an id is allowed; without a list all ids are.
    private static func test(of allowed: [VectorID]?) -> (VectorID) -> Bool {
        guard let allowed else { return { _ in true } }
        if allowed.allSatisfy({ $0.rawValue < IDBitmap.capacity }) {
            let bitmap = IDBitmap(allowed)
            return { bitmap.contains($0) }
        }
        let ids = Set(allowed)
        return { ids.contains($0) }
    }
}
