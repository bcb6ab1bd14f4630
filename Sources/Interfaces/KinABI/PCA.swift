// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_pca_fit(
    _ data: UnsafePointer<Float>!, _ count: Int, _ dimension: Int, _ stride: Int, _ components: Int, _ threads: Int,
    _ pca: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attemptLong(making: pca, "pca") { () throws(KinError) in
        let rows = try unsafe Rows(data, count: count, columns: checkedDimension(dimension), stride: stride, "data")
        let threads = try KinABI.threads(threads)
        let k = components == 0 ? min(count, dimension) : components
        // A scatter matrix for each thread, the covariance and its eigenvectors. The fit checks the order first.
        let order = PCA.order(rows: count, columns: dimension, components: k)
        if order <= 1 << 16 {
            let bytes = (threads + 3) * order * MemoryLayout<Double>.size
            try requireRoom(for: dimension, elementsOf: bytes, "dimension")
        }
        return Boxed(try PCA(fitting: rows.matrix(), components: k, threads: threads))
    }
}

@c @implementation
public func kin_pca_create(
    _ mean: UnsafePointer<Double>!, _ components: UnsafePointer<Double>!, _ variance: UnsafePointer<Double>!,
    _ totalVariance: Double, _ count: Int, _ dimension: Int, _ pca: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: pca, "pca") { () throws(KinError) in
        let rows = try unsafe Rows(
            components, count: count, columns: checkedDimension(dimension), stride: 0, "components")
        return try unsafe Boxed(
            PCA(
                mean: copy(mean, count: dimension, "mean"), components: rows.matrix(),
                explainedVariance: copy(variance, count: count, "explained_variance"),
                totalVariance: totalVariance))
    }
}

@c @implementation
public func kin_pca_free(_ pca: OpaquePointer!) { unsafe release(Boxed<PCA>.self, pca) }

// MARK: - Facts

@c @implementation
public func kin_pca_dimension(_ pca: OpaquePointer!) -> Int { unsafe boxed(PCA.self, pca)?.dimension ?? 0 }

@c @implementation
public func kin_pca_count(_ pca: OpaquePointer!) -> Int { unsafe boxed(PCA.self, pca)?.components.rows ?? 0 }

@c @implementation
public func kin_pca_total_variance(_ pca: OpaquePointer!) -> Double { unsafe boxed(PCA.self, pca)?.totalVariance ?? 0 }

@c @implementation
public func kin_pca_mean(_ pca: OpaquePointer!, _ mean: UnsafeMutablePointer<Double>!) -> kin_status {
    attempt { () throws(KinError) in try unsafe fill(mean, with: boxed(PCA.self, pca, "pca").mean, "mean") }
}

@c @implementation
public func kin_pca_components(_ pca: OpaquePointer!, _ components: UnsafeMutablePointer<Double>!) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe fill(components, with: boxed(PCA.self, pca, "pca").components.elements, "components")
    }
}

@c @implementation
public func kin_pca_explained_variance(_ pca: OpaquePointer!, _ variance: UnsafeMutablePointer<Double>!) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe fill(variance, with: boxed(PCA.self, pca, "pca").explainedVariance, "variance")
    }
}

// MARK: - Mapping

@c @implementation
public func kin_pca_transform(
    _ pca: OpaquePointer!, _ data: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ coordinates: UnsafeMutablePointer<Float>!, _ coordinatesStride: Int
) -> kin_status {
    attempt { () throws(KinError) in
        let found = try unsafe boxed(PCA.self, pca, "pca")
        let from = try unsafe Rows(data, count: count, columns: found.dimension, stride: stride, "data")
        let to = try unsafe Rows(
            coordinates, count: count, columns: found.components.rows, stride: coordinatesStride, "coordinates")
        to.write(try found.transform(from.matrix()))
    }
}

@c @implementation
public func kin_pca_inverse_transform(
    _ pca: OpaquePointer!, _ coordinates: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ data: UnsafeMutablePointer<Float>!, _ dataStride: Int
) -> kin_status {
    attempt { () throws(KinError) in
        let found = try unsafe boxed(PCA.self, pca, "pca")
        let from = try unsafe Rows(
            coordinates, count: count, columns: found.components.rows, stride: stride, "coordinates")
        let to = try unsafe Rows(data, count: count, columns: found.dimension, stride: dataStride, "data")
        to.write(try found.inverseTransform(from.matrix()))
    }
}
