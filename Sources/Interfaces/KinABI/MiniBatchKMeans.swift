// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The object of a `kin_minibatch_kmeans` handle.
typealias MiniBatchKMeansHandle = Locked<MiniBatchKMeans>

extension Locked<MiniBatchKMeans> {
    /// The number of dimensions, which a stream created by C always has.
    var dimension: Int { snapshot.dimension ?? 0 }
}

/// The object of a handle.
///
/// - Throws: `.invalidArgument` for NULL, and in a handler of the stream's own work, which holds the lock.
private func stream(_ handle: OpaquePointer?) throws(KinError) -> MiniBatchKMeansHandle {
    let stream = try unsafe object(MiniBatchKMeansHandle.self, handle, "stream")
    try ProgressScope.requireNoHandler(of: stream)
    return stream
}

/// The weights of points; nil for NULL.
func pointWeights(_ weights: UnsafePointer<Double>?, count: Int) throws(KinError) -> [Double]? {
    try unsafe weights == nil ? nil : copy(weights, count: count, "weights")
}

@c @implementation
public func kin_minibatch_kmeans_create(
    _ k: Int, _ dimension: Int, _ options: UnsafePointer<kin_minibatch_kmeans_options>!,
    _ stream: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: stream, "stream") { () throws(KinError) in
        let options = try unsafe kin_minibatch_kmeans_options.read(options)
        let dimension = try checkedDimension(dimension)
        var made = try MiniBatchKMeans(
            k: k, metric: Metric(options.metric), reassignmentRatio: options.reassignment_ratio, seed: options.seed,
            threads: threads(options.threads))
        // A batch without points validates the parameters and sets the dimension.
        try made.partialFit(Matrix(rows: 0, columns: dimension))
        return MiniBatchKMeansHandle(made)
    }
}

@c @implementation
public func kin_minibatch_kmeans_decode(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ threads: Int, _ stream: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: stream, "stream") { () throws(KinError) in
        let threads = try KinABI.threads(threads)
        let decoded = try unsafe MiniBatchKMeans(decoding: copy(bytes, count: count, "bytes"), threads: threads)
        guard decoded.dimension != nil else {
            throw KinError(.invalidArgument, "the stream has had no batch, so that its dimension is not known")
        }
        return MiniBatchKMeansHandle(decoded)
    }
}

@c @implementation
public func kin_minibatch_kmeans_encode(
    _ stream: OpaquePointer!, _ bytes: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe write(KinABI.stream(stream).snapshot.encoded(), to: bytes, capacity: capacity, count: count)
    }
}

@c @implementation
public func kin_minibatch_kmeans_copy(
    _ stream: OpaquePointer!, _ copy: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: copy, "copy") { () throws(KinError) in
        try unsafe MiniBatchKMeansHandle(KinABI.stream(stream).snapshot)
    }
}

@c @implementation
public func kin_minibatch_kmeans_free(_ stream: OpaquePointer!) {
    unsafe release(MiniBatchKMeansHandle.self, stream)
}

@c @implementation
public func kin_minibatch_kmeans_partial_fit(
    _ stream: OpaquePointer!, _ points: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ weights: UnsafePointer<Double>!
) -> kin_status {
    unsafe attemptLong(on: stream) { () throws(KinError) in
        let stream = try unsafe KinABI.stream(stream)
        let rows = try unsafe Rows(points, count: count, columns: stream.dimension, stride: stride, "points")
        guard count > 0 else { return }
        let (points, weights) = try unsafe (rows.matrix(), pointWeights(weights, count: count))
        try stream.update { (stream) throws(KinError) in try stream.partialFit(points, weights: weights) }
    }
}

@c @implementation
public func kin_minibatch_kmeans_k(_ stream: OpaquePointer!) -> Int {
    unsafe (try? KinABI.stream(stream))?.snapshot.k ?? 0
}

@c @implementation
public func kin_minibatch_kmeans_dimension(_ stream: OpaquePointer!) -> Int {
    unsafe (try? KinABI.stream(stream))?.dimension ?? 0
}

@c @implementation
public func kin_minibatch_kmeans_metric(_ stream: OpaquePointer!) -> kin_metric {
    unsafe (try? KinABI.stream(stream))?.snapshot.metric.constant ?? -1
}

@c @implementation
public func kin_minibatch_kmeans_count(_ stream: OpaquePointer!) -> UInt64 {
    unsafe UInt64((try? KinABI.stream(stream))?.snapshot.pointCount ?? 0)
}

@c @implementation
public func kin_minibatch_kmeans_inertia(_ stream: OpaquePointer!) -> Double {
    unsafe (try? KinABI.stream(stream))?.snapshot.latestInertia ?? 0
}

@c @implementation
public func kin_minibatch_kmeans_centroids(
    _ stream: OpaquePointer!, _ centroids: UnsafeMutablePointer<Float>!, _ stride: Int
) -> kin_status {
    attempt { () throws(KinError) in
        let stream = try unsafe KinABI.stream(stream)
        let snapshot = stream.snapshot
        guard let found = snapshot.centroids else {
            throw KinError(
                .invalidArgument,
                "\(snapshot.pointCount) points are held back; there are centroids from 3 k on, k being \(snapshot.k)")
        }
        try unsafe Rows(centroids, count: found.rows, columns: found.columns, stride: stride, "centroids").write(found)
    }
}

@c @implementation
public func kin_minibatch_kmeans_clustering(
    _ stream: OpaquePointer!, _ points: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ weights: UnsafePointer<Double>!, _ clustering: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attemptLong(making: clustering, "clustering") { () throws(KinError) in
        let stream = try unsafe KinABI.stream(stream)
        let rows = try unsafe Rows(points, count: count, columns: stream.dimension, stride: stride, "points")
        return Boxed(
            try stream.snapshot.clustering(of: rows.matrix(), weights: unsafe pointWeights(weights, count: count)))
    }
}
