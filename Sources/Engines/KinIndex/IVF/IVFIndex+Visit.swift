package import KinCore
import KinLinearAlgebra

extension IVFIndex {
    /// Hands over every vector that is within a reach which the caller shortens meanwhile.
    ///
    /// For searches by something that the index's distance only bounds from below: the caller computes what it really wants of each
    /// vector, keeps the best, and answers how far off, in the index's distance, a better one can still be. Every vector that is
    /// no farther than the reach at the end is handed over; nearer boxes are looked into first.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers.
    ///   - reach: How far to look at first, in the metric's units; infinity is allowed.
    ///   - capacity: About how many vectors the caller keeps.
    ///   - offer: Is given a vector and its distance, and returns the new reach, which is not longer than before.
    package func visit(
        near query: Span<Float>, reach: Double, capacity: Int, _ offer: (VectorID, Double) -> Double
    ) {
        precondition(query.count == dimension, "a query has as many numbers as the index dimensions")
        guard count > 0 else { return }
        let scan = CellScan(store: store)
        let memory = pool.take(for: store)
        defer { pool.giveBack(memory) }
        withoutActuallyEscaping(offer) { offer in
            unsafe query.withUnsafeBufferPointer { query in
                unsafe store.layout.withPadded(query.baseAddress!) { padded in
                    var walk = unsafe CellWalk(
                        scan: scan, query: padded, memory: memory,
                        collector: OfferingCollector(reach: reach, capacity: capacity, offered: offer))
                    walk.run()
                }
            }
        }
    }
}

/// Passes on what is within reach.
private struct OfferingCollector: Collector {
    var reach: Double
    let capacity: Int
    let offered: (VectorID, Double) -> Double

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) { reach = offered(id, distance) }
}
