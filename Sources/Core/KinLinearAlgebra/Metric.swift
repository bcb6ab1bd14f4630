/// The measure of distance between vectors; for every metric, a smaller distance is nearer.
///
///     let moods = VectorIndex(dimension: 16, metric: .squaredL2)
///     let scenes = VectorIndex(dimension: 512, metric: .cosine)    // embeddings of texts
///     let named = Metric(rawValue: "ip")                           // .innerProduct, by its name in files
public enum Metric: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The squared Euclidean distance Σ (x − q)², 0 for equal vectors.
    case squaredL2 = "l2"

    /// The negated inner product −⟨x, q⟩: the largest product is the nearest.
    case innerProduct = "ip"

    /// The cosine distance 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖), 0 to 2. A zero vector has no direction and is rejected.
    case cosine = "cosine"

    /// The name in files.
    public var description: String { rawValue }
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

extension [Metric] {
    /// The metrics with their meanings.
    package var summaries: String { map(\.summary).joined(separator: ", ") }
}

// MARK: - Geometry

/// The linear law by which a bounded quantity follows from a metric's distance t: at most factor · t + summand.
///
/// The summand covers the rounding of distances, so a bound that uses the law excludes no neighbour.
package struct DistanceLaw: Sendable {
    package let factor: Double
    package let summand: Double

    /// The law of `scale` times the quantity.
    package func scaled(by scale: Double) -> DistanceLaw {
        DistanceLaw(factor: factor * scale, summand: summand * scale)
    }

    /// The quantity that a row at most `distance` away can have.
    @inline(__always)
    package func quantity(_ distance: Double) -> Double { factor * distance + summand }
}

// What codes, boxes and clusters need to know about a metric. Each property has a value for each metric, so a new
// metric states its abilities.
extension Metric {
    /// Whether only the directions of vectors count. Codes, boxes and centroids are then those of the vectors divided
    /// by their lengths, and a zero vector is invalid.
    package var comparesDirections: Bool {
        switch self {
        case .squaredL2, .innerProduct: false
        case .cosine: true
        }
    }

    /// Whether codes and boxes bound products; otherwise they bound squared Euclidean distances.
    package var comparesProducts: Bool {
        switch self {
        case .squaredL2, .cosine: false
        case .innerProduct: true
        }
    }

    /// Whether the distance from a vector grows without limit in every direction. The weights of lists by several vectors
    /// then have limits, beyond which the farthest vectors would be the best.
    package var growsInEveryDirection: Bool {
        switch self {
        case .squaredL2: true
        case .innerProduct, .cosine: false
        }
    }

    /// Whether a set of vectors has a nearest centroid, their mean or the mean of their directions.
    package var hasCentroids: Bool {
        switch self {
        case .squaredL2, .cosine: true
        case .innerProduct: false
        }
    }

    /// The law of the quantity that codes and boxes bound: a squared distance (of directions for cosine), or the
    /// negated product.
    ///
    /// For unit vectors, 1 − ⟨x, q⟩ = ‖x − q‖² ∕ 2. The cosine distance is a difference of numbers near 1: its error is
    /// absolute, below d · 2⁻⁵² ≤ 2⁻³⁸ for ``RowCoding/largestDimension`` dimensions. The slack increases a length of
    /// at most 2 by at least 2⁻³⁵, which also covers the rounding of the normalised query (√d · 2⁻⁵¹ ≤ 2⁻⁴⁴).
    package var boundLaw: DistanceLaw {
        switch self {
        case .squaredL2, .innerProduct: DistanceLaw(factor: 1, summand: 0)
        case .cosine: DistanceLaw(factor: 2, summand: 0x1p-33)
        }
    }
}
