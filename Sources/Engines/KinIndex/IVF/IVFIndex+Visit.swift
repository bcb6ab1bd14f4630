package import KinCore
import KinLinearAlgebra

extension IVFIndex {
    /// Hands over every vector that is within a radius which the caller shortens meanwhile.
    ///
    /// For searches by something that the index's distance only bounds from below: the caller computes what it really wants of each
    /// vector, keeps the best, and answers how far off, in the index's distance, a better one can still be. Every vector that is
    /// no farther than the radius at the end is handed over; nearer boxes are looked into first.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers.
    ///   - ignored: Coordinates in which all vectors are about equally far from the query, which boxes need not tell; for indexes
    ///     made with ``init(exactlySearched:metric:alongOwnAxes:)``.
    ///   - radius: How far to look at first, in the metric's units; infinity is allowed.
    ///   - capacity: About how many vectors the caller keeps.
    ///   - prefetch: Is told of vectors that may be offered soon, so that memory can be asked for.
    ///   - offer: Is given a vector and its distance, and returns the new radius, which is not longer than before.
    package func visit(
        near query: Span<Float>, ignoring ignored: IgnoredDimensions? = nil, radius: Double, capacity: Int,
        prefetch: (VectorID) -> Void = { _ in }, _ offer: (VectorID, Double) -> Double
    ) {
        precondition(query.count == dimension, "a query has as many numbers as the index dimensions")
        precondition(ignored == nil || !store.frame.isRotated, "coordinates are those of the boxes")
        guard count > 0 else { return }
        let scan = ListScan(store: store)
        let memory = pool.take(for: store)
        defer { pool.giveBack(memory) }
        withoutActuallyEscaping(offer) { offer in
            withoutActuallyEscaping(prefetch) { prefetch in
                unsafe query.withUnsafeBufferPointer { query in
                    unsafe store.layout.withPadded(query.baseAddress!) { padded in
                        var traversal = unsafe ListTraversal(
                            scan: scan, query: padded, memory: memory,
                            collector: OfferingCollector(
                                radius: radius, capacity: capacity, offered: offer, prefetchRow: prefetch),
                            ignored: ignored)
                        traversal.run()
                    }
                }
            }
        }
    }
}

/// Coordinates that a search by boxes leaves out, because what they add to a distance is known beforehand.
///
/// Somebody asks for the nearest by the coordinates that they know, and puts zeros for the others, and every vector is as long in those. Then
/// a box that spans zero there seems nearer than anything in it is.
package struct IgnoredDimensions: Sendable {
    /// Which.
    package let dimensions: [Int]
    /// What they add at least to the squared distance of every vector from the query.
    package let squaredDistance: Double

    package init(dimensions: [Int], squaredDistance: Double) {
        self.dimensions = dimensions
        self.squaredDistance = squaredDistance
    }
}

/// Passes on what is within the radius.
private struct OfferingCollector: Collector {
    var radius: Double
    let capacity: Int
    let offered: (VectorID, Double) -> Double
    let prefetchRow: (VectorID) -> Void

    static var prefetches: Bool { true }

    @inline(__always)
    func prefetch(_ id: VectorID) { prefetchRow(id) }

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) { radius = offered(id, distance) }
}
