/// A query in the pruning frame, the coordinate system of the boxes, ready to be coded for any box table.
@safe
struct FramedQuery {
    /// The coordinates and their padding, stride floats.
    let coordinates: UnsafeMutablePointer<Float>
    /// A bound on the error of each coordinate.
    let uncertainty: Float
    let metric: Metric
    /// Dimensions excluded from the box bound.
    let ignored: IgnoredDimensions?

    /// Codes the query for boxes.
    ///
    /// - Parameter codes: Receives 2 × 4 · groups codes or, for inner products, weights.
    @inline(__always)
    func code(for boxes: BoxTableView, into codes: UnsafeMutablePointer<UInt8>) -> BoxQuery {
        if metric.comparesProducts {
            return unsafe BoxQuery(
                product: coordinates, on: boxes,
                weights: UnsafeMutableRawPointer(codes).assumingMemoryBound(to: Int8.self))
        }
        guard let ignored else {
            return unsafe BoxQuery(squared: coordinates, uncertainty: uncertainty, on: boxes, codes: codes)
        }
        return unsafe BoxQuery(
            squared: coordinates, uncertainty: uncertainty, ignoring: ignored.dimensions, on: boxes, codes: codes)
    }
}
