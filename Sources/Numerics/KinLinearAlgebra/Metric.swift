/// What "near" means: each metric gives a distance, and the smaller distance is nearer.
public enum Metric: String, Sendable, Hashable, CaseIterable {
    /// Σ (x − q)²: the square of the Euclidean distance, 0 for equal vectors.
    case squaredL2 = "l2"

    /// −⟨x, q⟩: the negated inner product, so that the largest product is the nearest.
    case innerProduct = "ip"

    /// 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖), in 0…2. A zero vector has no direction and is refused.
    case cosine = "cosine"
}
