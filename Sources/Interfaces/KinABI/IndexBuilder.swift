// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Synchronization

/// The object of a `kin_index_builder` handle: a lock around a build, which is nil once it has ended.
private final class BuilderHandle: Sendable {
    private let state: Mutex<IndexBuilder?>

    init(_ builder: consuming IndexBuilder) { state = Mutex(consume builder) }

    /// Changes the build under the lock; the build remains if the change throws.
    ///
    /// - Throws: The error of the change; `.invalidArgument` if the build has ended.
    func update<Result: Sendable>(
        _ change: (inout IndexBuilder) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try state.withLock { (builder) throws(KinError) in
            guard var current = builder.take() else { throw Self.ended }
            do throws(KinError) {
                let result = try change(&current)
                builder = consume current
                return result
            } catch {
                builder = consume current
                throw error
            }
        }
    }

    /// Moves the build out of the handle, which is empty afterwards.
    ///
    /// - Throws: `.invalidArgument` if the build has ended.
    func take() throws(KinError) -> IndexBuilder {
        let taken = state.withLock { $0.take() }
        guard let taken else { throw Self.ended }
        return taken
    }

    private static var ended: KinError {
        KinError(.invalidArgument, "the build has ended; start a new one with kin_index_builder_create")
    }
}

@c @implementation
public func kin_index_builder_create(
    _ path: UnsafePointer<CChar>!, _ dimension: Int, _ metric: kin_metric, _ lists: Int, _ memory: Int,
    _ builder: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe kin_index_builder_create_with(path, dimension, metric, lists, memory, nil, builder)
}

@c @implementation
public func kin_index_builder_create_with(
    _ path: UnsafePointer<CChar>!, _ dimension: Int, _ metric: kin_metric, _ lists: Int, _ memory: Int,
    _ options: UnsafePointer<kin_file_options>!, _ builder: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: builder, "builder") { () throws(KinError) in
        let path = try unsafe text(path, "path")
        let budget = memory == 0 ? IndexBuilder.defaultMemory : memory < 0 ? .max : memory
        let overwrite = try unsafe flag(kin_file_options.checked(options).overwrite, "overwrite")
        return try withOverwriting(overwrite) { () throws(KinError) in
            BuilderHandle(
                try IndexBuilder(
                    path: path, dimension: indexed(dimension), metric: Metric(metric),
                    layout: IndexLayout(lists: lists), memory: budget))
        }
    }
}

@c @implementation
public func kin_index_builder_append(
    _ builder: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ ids: UnsafePointer<UInt64>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(BuilderHandle.self, builder, "builder")
        let dimension = try handle.update { $0.dimension }
        let rows = try unsafe Rows(vectors, count: count, columns: dimension, stride: stride, "vectors")
        let matrix = try rows.matrix()
        let given = try unsafe ids == nil ? nil : vectorIDs(ids, count: count)
        try handle.update { (builder) throws(KinError) in try builder.append(matrix, ids: given) }
    }
}

@c @implementation
public func kin_index_builder_append_named(
    _ builder: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ names: UnsafePointer<UnsafePointer<CChar>?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(BuilderHandle.self, builder, "builder")
        let dimension = try handle.update { $0.dimension }
        let matrix = try unsafe Rows(vectors, count: count, columns: dimension, stride: stride, "vectors").matrix()
        let names = try unsafe textList(names, count: count, "names")
        try handle.update { (builder) throws(KinError) in try builder.append(matrix, names: names) }
    }
}

@c @implementation
public func kin_index_builder_finish(
    _ builder: OpaquePointer!, _ threads: Int, _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let handle = try unsafe object(BuilderHandle.self, builder, "builder")
        let threads = try KinABI.threads(threads)
        let output = try unsafe index == nil ? nil : output(index, "index")
        let built = try handle.take().finish(threads: threads)
        unsafe output?.pointee = KinABI.handle(IndexHandle(built))
    }
}

@c @implementation
public func kin_index_builder_free(_ builder: OpaquePointer!) { unsafe release(BuilderHandle.self, builder) }
