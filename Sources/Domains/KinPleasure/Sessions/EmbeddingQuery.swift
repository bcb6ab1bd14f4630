/// A search of sessions by an embedding of their words together with their points.
///
/// The distance is (1 − w) · |Δp|² + w · |Δe|², with the weight w of the embedding. Both terms are squared Euclidean
/// distances: Δp between the points, Δe between the embeddings at unit length (2 − 2 cos, at most 4).
public struct EmbeddingQuery: Sendable, Hashable {
    /// The embedding to compare with, at unit length.
    public let embedding: [Float]
    /// The label of the embedding's model; nil for the only one.
    public let model: String?
    /// The weight of the embedding's distance, 0…1.
    public let weight: Double
    /// The point to compare with; nil for the embedding alone.
    public let point: Pleasure?
    /// The dimensions of the point to compare; nil for all sixteen.
    public let dimensions: Set<Pleasure.Dimension>?

    /// The default weight of the embedding's distance.
    public static let standardWeight = 0.5

    /// Creates a query, and checks it.
    ///
    /// - Parameters:
    ///   - embedding: 1 to 4,096 finite numbers that are not all zero, of any length.
    ///   - model: The label of the embedding's model; may be nil if there is only one model.
    ///   - weight: The weight of the embedding's distance, 0…1; nil for ``standardWeight``, or for 1 without a point.
    ///   - point: The point to compare with; nil for the embedding alone.
    ///   - dimensions: The dimensions of the point to compare, at least one; nil for all sixteen.
    /// - Throws: `.invalidArgument` for the weight, a weight below 1 without a point, or no dimensions; `.notFinite`,
    ///   `.zeroVector` for the embedding.
    public init(
        embedding: [Float], model: String? = nil, weight: Double? = nil, point: Pleasure? = nil,
        comparing dimensions: Set<Pleasure.Dimension>? = nil
    ) throws(KinError) {
        do throws(KinError) { try SessionEmbedding.check(embedding) } catch { throw error.within("field", "embedding") }
        let weight = weight ?? (point == nil ? 1 : Self.standardWeight)
        guard (0...1).contains(weight) else {
            throw .field("weight", "must be from 0 to 1, not \(weight)")
        }
        guard point != nil || weight == 1 else {
            throw .field("weight", "without a point only the embedding counts; leave out the weight")
        }
        self.embedding = SessionEmbedding.unit(embedding)
        self.model = try model.map { model throws(KinError) in try SessionEmbedding.checked(model: model) }
        self.weight = weight
        self.point = point
        self.dimensions = dimensions
    }
}

/// A session found by its embedding and its point.
package struct EmbeddingNeighbor: Sendable, Hashable {
    /// The number of the session.
    package let id: VectorID
    /// The distance from the query: (1 − w) · point + w · embedding.
    package let distance: Double
    /// The squared distance of the points in the compared dimensions; nil without a point.
    package let pleasureDistance: Double?
    /// The squared distance of the embeddings at unit length, 0…4.
    package let embeddingDistance: Double
}
