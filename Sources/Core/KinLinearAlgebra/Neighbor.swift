/// One result of a search: the id of a vector and its distance from the query.
///
///     for neighbor in try index.search(mood, k: 3) {
///         print(neighbor.id, neighbor.distance)    // the nearest first
///     }
///
/// Neighbours are ordered by distance, and by ascending id for equal distances, so every search has exactly one correct
/// result.
public struct Neighbor: Sendable, Hashable, BitwiseCopyable {
    /// The id of the vector.
    public var id: VectorID

    /// The distance in the index's metric, computed in double precision from the stored floats; smaller is nearer.
    public var distance: Double

    /// Creates a neighbour from an id and a distance.
    @inlinable
    public init(id: VectorID, distance: Double) {
        self.id = id
        self.distance = distance
    }
}

extension Neighbor: Comparable {
    /// Orders neighbours by distance, and equal distances by id.
    @inlinable
    public static func < (a: Neighbor, b: Neighbor) -> Bool {
        a.distance < b.distance || (a.distance == b.distance && a.id < b.id)
    }
}
