/// The measure of distance between vectors; for every metric, a smaller distance is nearer.
///
///     let moods = VectorIndex(dimension: 16, metric: .squaredL2)
///     let scenes = VectorIndex(dimension: 512, metric: .cosine)    // embeddings of texts
///     let named = Metric(rawValue: "ip")                           // .innerProduct, by its name in files
public enum Metric: String, Sendable, Hashable, CaseIterable {
    /// The squared Euclidean distance Σ (x − q)², 0 for equal vectors.
    case squaredL2 = "l2"

    /// The negated inner product −⟨x, q⟩: the largest product is the nearest.
    case innerProduct = "ip"

    /// The cosine distance 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖), 0 to 2. A zero vector has no direction and is rejected.
    case cosine = "cosine"
}

extension Metric {
    /// The number in index files, in `kin.h` and in the kernels. It never changes.
    package var number: Int {
        switch self {
        case .squaredL2: 0
        case .innerProduct: 1
        case .cosine: 2
        }
    }

    /// The metric with a number; nil if there is none.
    package init?(number: Int) {
        guard let metric = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = metric
    }

    /// The name of a distance, as the title of a column.
    package var distanceName: String {
        switch self {
        case .squaredL2: "squared distance"
        case .innerProduct: "-inner product"
        case .cosine: "cosine distance"
        }
    }

    /// The metric with its meaning: `l2 (squared Euclidean distance)`.
    package var summary: String {
        switch self {
        case .squaredL2: "\(rawValue) (squared Euclidean distance)"
        case .innerProduct: "\(rawValue) (negated inner product)"
        case .cosine: "\(rawValue) (1 - cosine of the angle)"
        }
    }
}
