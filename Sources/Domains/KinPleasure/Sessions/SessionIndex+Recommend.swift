extension SessionIndex {
    /// Finds the k sessions that examples recommend: like some points or sessions, unlike others, and different from
    /// each other; exact.
    ///
    /// - Parameters:
    ///   - wanted: The examples, as points or sessions, and the variety of the list; its categories are `state` and
    ///     `user`.
    ///   - dimensions: The dimensions to compare, at least one; nil for all sixteen.
    ///   - k: The number of sessions, 0 or more.
    ///   - expression: A condition on `user`, `state` and `start`; nil for none.
    /// - Returns: Sessions in the order of their choice, with their scores as distances.
    /// - Throws: As `VectorIndex.recommend(_:k:where:)`, and `.invalidArgument` without dimensions.
    /// - Complexity: As `VectorIndex.recommend(_:k:where:)`; the first call with a subset of the dimensions builds an
    ///   index for it (``prepare(comparing:)``).
    public func recommend(
        _ wanted: Recommendation, comparing dimensions: Set<Pleasure.Dimension>? = nil, k: Int,
        where expression: FilterExpression? = nil
    ) throws(KinError) -> [Neighbor] {
        let subset = try dimensions.map { dimensions throws(KinError) in try Subset(dimensions) } ?? .all
        guard let points = points(in: subset, isNeeded: true) else { return [] }
        func inSubset(_ example: Recommendation.Example) -> Recommendation.Example {
            guard case .vector(let vector) = example, vector.count == Pleasure.Dimension.count else { return example }
            return .vector((0..<vector.count).map { vector[$0] * Float(subset.weights[$0]) })
        }
        var wanted = wanted
        wanted.positive = wanted.positive.map(inSubset)
        wanted.negative = wanted.negative.map(inSubset)
        let filter = try expression?.withUsualStates()
        return try points.recommend(wanted, k: k, where: filter.map { .matching($0) } ?? .all)
    }
}
