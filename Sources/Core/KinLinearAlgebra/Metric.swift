/// The measure of distance between vectors; for every metric, a smaller distance is nearer.
public enum Metric: String, Sendable, Hashable, CaseIterable {
    /// The squared Euclidean distance Σ (x − q)², 0 for equal vectors.
    case squaredL2 = "l2"

    /// The negated inner product −⟨x, q⟩: the largest product is the nearest.
    case innerProduct = "ip"

    /// The cosine distance 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖), 0 to 2. A zero vector has no direction and is rejected.
    case cosine = "cosine"
}
