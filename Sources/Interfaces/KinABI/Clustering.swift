// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_kmeans_fit(
    _ points: UnsafePointer<Float>!, _ count: Int, _ dimension: Int, _ stride: Int, _ k: Int,
    _ options: UnsafePointer<kin_kmeans_options>!, _ clustering: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attemptLong(making: clustering, "clustering") { () throws(KinError) in
        let rows = try unsafe Rows(
            points, count: count, columns: checkedDimension(dimension), stride: stride, "points")
        // Before `start` is read, which has k rows.
        guard count > 0 else { throw KinError(.invalidArgument, "there are no points to cluster") }
        guard k >= 1, k <= count else {
            throw KinError(
                .invalidArgument, "k must be 1 to \(count), the number of points, not \(UInt(bitPattern: k))")
        }
        let options = try unsafe kin_kmeans_options.read(options)
        let (isParallel, swaps) = try unsafe (flag(options.parallel, "parallel"), flag(options.swaps, "swaps"))
        var start = isParallel ? KMeans.Start.kMeansParallel() : .plusPlus
        if unsafe options.start != nil {
            guard !isParallel else {
                throw KinError(.invalidArgument, "start and parallel are two starts; leave start NULL or parallel 0")
            }
            let centroids = try unsafe Rows(
                options.start, count: k, columns: dimension, stride: options.start_stride, "start")
            start = .centroids(try centroids.matrix())
        }
        let weights = try unsafe pointWeights(options.weights, count: count)
        let recipe = try unsafe KMeans(
            k: k, metric: Metric(options.metric), start: start, swaps: swaps,
            restarts: options.restarts, maximumIterations: options.max_iterations < 0 ? .max : options.max_iterations,
            tolerance: options.tolerance,
            seed: options.seed,
            threads: threads(options.threads))
        return Boxed(try recipe.fit(rows.matrix(threads: recipe.threads), weights: weights))
    }
}

@c @implementation
public func kin_clustering_create(
    _ centroids: UnsafePointer<Float>!, _ k: Int, _ dimension: Int, _ stride: Int, _ metric: kin_metric,
    _ clustering: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: clustering, "clustering") { () throws(KinError) in
        let rows = try unsafe Rows(
            centroids, count: k, columns: checkedDimension(dimension), stride: stride, "centroids")
        return Boxed(try Clustering(centroids: rows.matrix(), metric: Metric(metric)))
    }
}

/// Requires a number of columns of 1 or more.
func checkedDimension(_ dimension: Int) throws(KinError) -> Int {
    guard dimension >= 1 else {
        throw KinError(.invalidArgument, "dimension must be 1 or more, not \(UInt(bitPattern: dimension))")
    }
    return dimension
}

@c @implementation
public func kin_clustering_free(_ clustering: OpaquePointer!) {
    unsafe release(Boxed<Clustering>.self, clustering)
}

// MARK: - Facts

@c @implementation
public func kin_clustering_k(_ clustering: OpaquePointer!) -> Int { unsafe boxed(Clustering.self, clustering)?.k ?? 0 }

@c @implementation
public func kin_clustering_dimension(_ clustering: OpaquePointer!) -> Int {
    unsafe boxed(Clustering.self, clustering)?.dimension ?? 0
}

@c @implementation
public func kin_clustering_count(_ clustering: OpaquePointer!) -> Int {
    unsafe boxed(Clustering.self, clustering)?.labels.count ?? 0
}

@c @implementation
public func kin_clustering_metric(_ clustering: OpaquePointer!) -> kin_metric {
    unsafe boxed(Clustering.self, clustering)?.metric.constant ?? -1
}

@c @implementation
public func kin_clustering_inertia(_ clustering: OpaquePointer!) -> Double {
    unsafe boxed(Clustering.self, clustering)?.inertia ?? 0
}

@c @implementation
public func kin_clustering_iterations(_ clustering: OpaquePointer!) -> Int {
    unsafe boxed(Clustering.self, clustering)?.iterations ?? 0
}

@c @implementation
public func kin_clustering_distinct(_ clustering: OpaquePointer!) -> Int {
    unsafe boxed(Clustering.self, clustering)?.distinctCount ?? 0
}

@c @implementation
public func kin_clustering_is_converged(_ clustering: OpaquePointer!) -> Int32 {
    unsafe boxed(Clustering.self, clustering)?.isConverged == true ? 1 : 0
}

// MARK: - Arrays

@c @implementation
public func kin_clustering_centroids(
    _ clustering: OpaquePointer!, _ centroids: UnsafeMutablePointer<Float>!, _ stride: Int
) -> kin_status {
    attempt { () throws(KinError) in
        let found = try unsafe boxed(Clustering.self, clustering, "clustering")
        try unsafe Rows(centroids, count: found.k, columns: found.dimension, stride: stride, "centroids")
            .write(found.centroids)
    }
}

@c @implementation
public func kin_clustering_labels(_ clustering: OpaquePointer!, _ labels: UnsafeMutablePointer<Int64>!) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe fill(
            labels, with: boxed(Clustering.self, clustering, "clustering").labels.lazy.map { Int64($0) }, "labels")
    }
}

@c @implementation
public func kin_clustering_sizes(_ clustering: OpaquePointer!, _ sizes: UnsafeMutablePointer<UInt64>!) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe fill(
            sizes, with: boxed(Clustering.self, clustering, "clustering").sizes.lazy.map { UInt64($0) }, "sizes")
    }
}

@c @implementation
public func kin_clustering_weights(
    _ clustering: OpaquePointer!, _ weights: UnsafeMutablePointer<Double>!
) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe fill(weights, with: boxed(Clustering.self, clustering, "clustering").weights, "weights")
    }
}

@c @implementation
public func kin_clustering_assign(
    _ clustering: OpaquePointer!, _ points: UnsafePointer<Float>!, _ count: Int, _ stride: Int, _ threads: Int,
    _ labels: UnsafeMutablePointer<Int64>!, _ distances: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let found = try unsafe boxed(Clustering.self, clustering, "clustering")
        let rows = try unsafe Rows(points, count: count, columns: found.dimension, stride: stride, "points")
        let labels = try unsafe outputs(labels, count: count, "labels")
        let distances = unsafe distances == nil ? nil : try outputs(distances, count: count, "distances")
        let assigned = try found.assign(rows.matrix(), threads: KinABI.threads(threads))
        unsafe labels.write(assigned.labels.lazy.map { Int64($0) })
        unsafe distances?.write(assigned.distances)
    }
}
