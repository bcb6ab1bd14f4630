public import KinCore

/// One result of a search: which vector, and how far it is.
///
/// Neighbours are ordered by distance, and equal distances by ascending id, so every search has one right answer.
public struct Neighbor: Sendable, Hashable, BitwiseCopyable {
    /// The vector's id.
    public var id: VectorID

    /// The distance in the index's metric, computed in double precision from the stored floats; smaller is nearer.
    public var distance: Double

    /// The vector of that id at that distance.
    @inlinable
    public init(id: VectorID, distance: Double) {
        self.id = id
        self.distance = distance
    }
}

extension Neighbor: Comparable {
    @inlinable
    public static func < (a: Neighbor, b: Neighbor) -> Bool {
        a.distance < b.distance || (a.distance == b.distance && a.id < b.id)
    }
}
