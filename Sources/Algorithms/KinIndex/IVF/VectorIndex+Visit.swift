extension VectorIndex {
    private var listStore: ListStore {
        guard let file = rows.lists else { preconditionFailure("only lists have boxes to visit") }
        return file.store
    }

    /// Offers every vector within a radius that the caller reduces during the search.
    ///
    /// For searches by a score that the index's distance bounds. The caller computes the score of each offered vector,
    /// stores the best, and returns the distance, in the index's metric, within which a better vector is still
    /// possible. Every vector within the final radius is offered. Nearer boxes are visited first.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers.
    ///   - ignored: Dimensions excluded from the box bound; for indexes made with
    ///     ``init(exactlySearched:metric:alongOwnAxes:)``.
    ///   - radius: The initial radius, in the metric's units; infinity is allowed.
    ///   - capacity: The approximate number of vectors that the caller stores.
    ///   - prefetch: Called with ids that may be offered soon, so that the caller can prefetch its own memory.
    ///   - offer: Called with an id and its distance; returns the new radius, which must not be larger than before.
    package func visit(
        near query: Span<Float>, ignoring ignored: IgnoredDimensions? = nil, radius: Double, capacity: Int,
        prefetch: (VectorID) -> Void = { _ in }, _ offer: (VectorID, Double) -> Double
    ) {
        precondition(query.count == dimension, "a query has as many numbers as the index dimensions")
        let store = listStore
        precondition(ignored == nil || !store.frame.isRotated, "coordinates are those of the boxes")
        guard count > 0 else { return }
        withoutActuallyEscaping(offer) { offer in
            withoutActuallyEscaping(prefetch) { prefetch in
                unsafe query.withUnsafeBufferPointer { query in
                    ListScan.with(store) { scan, memory in
                        unsafe scan.layout.withPadded(query.baseAddress!) { padded in
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

    /// Offers each of several queries every vector within its radius; see
    /// ``visit(near:ignoring:radius:capacity:prefetch:_:)`` for one query.
    ///
    /// The queries visit lists together. This is for queries near each other whose radii are only slightly larger than
    /// the final radii.
    ///
    /// - Parameters:
    ///   - queries: n × ``dimension``, finite.
    ///   - ignored: As for one query.
    ///   - radii: The initial radius of each query.
    ///   - capacity: As for one query.
    ///   - prefetch: As for one query.
    ///   - offer: Called with the number of a query, an id and its distance; returns the query's new radius.
    package func visit(
        nearEach queries: Matrix<Float>, ignoring ignored: IgnoredDimensions? = nil, radii: [Double], capacity: Int,
        prefetch: (VectorID) -> Void, _ offer: (Int, VectorID, Double) -> Double
    ) {
        precondition(queries.columns == dimension, "a query has as many numbers as the index dimensions")
        let store = listStore
        precondition(ignored == nil || !store.frame.isRotated, "coordinates are those of the boxes")
        guard count > 0 else { return }
        let stride = store.layout.stride
        let padded = stride == dimension ? queries : queries.padded(toColumns: stride)
        withoutActuallyEscaping(offer) { offer in
            withoutActuallyEscaping(prefetch) { prefetch in
                unsafe padded.withUnsafeBufferPointer { rows in
                    store.withView { store in
                        let group = QueryGroup<OfferingCollector>(scan: ListScan(store: store), capacity: queries.rows)
                        for q in 0..<queries.rows {
                            let collector = OfferingCollector(
                                radius: radii[q], capacity: capacity, offered: { offer(q, $0, $1) },
                                prefetchRow: prefetch)
                            unsafe group.beginTogether(
                                rows.baseAddress! + q * stride, collector: collector, ignoring: ignored)
                        }
                        group.visitDeferred()
                        // The closures must not end before the collectors that hold them.
                        group.removeAll()
                    }
                }
            }
        }
    }
}

/// Dimensions excluded from the box bound, and the minimum squared distance that they add for every vector.
///
/// For queries that are zero in these dimensions, if all vectors have the same length there. A box that spans zero
/// would give a bound of zero, although all distances are larger.
package struct IgnoredDimensions: Sendable {
    /// The numbers of the dimensions.
    package let dimensions: [Int]
    /// The smallest squared distance of any vector from the query in these dimensions.
    package let squaredDistance: Double

    package init(dimensions: [Int], squaredDistance: Double) {
        self.dimensions = dimensions
        self.squaredDistance = squaredDistance
    }
}

/// A collector that calls the caller's closures for rows within the radius.
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
