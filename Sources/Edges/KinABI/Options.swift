import CKin
import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

/// A structure of options as C passes it: its first field is its size in bytes.
protocol SizedOptions {
    /// The defaults, with the size of this release.
    static var defaults: Self { get }

    /// The size of the first release that had the structure.
    static var smallestSize: Int { get }
}

extension SizedOptions {
    /// The options that C gave: all the defaults for NULL, and the defaults of fields that its header did not have.
    ///
    /// - Throws: `.invalidArgument` for a size that no release had, or for fields of a later release that are in use.
    @inline(__always)
    static func read(_ pointer: UnsafePointer<Self>?) throws(KinError) -> Self {
        guard let pointer = unsafe pointer else { return defaults }
        guard unsafe pointer.isAligned else { throw unaligned("options") }
        let own = MemoryLayout<Self>.size
        let size = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
        if size == own { return unsafe pointer.pointee }
        return try unsafe read(UnsafeRawBufferPointer(start: pointer, count: checked(size)))
    }

    private static func checked(_ size: Int) throws(KinError) -> Int {
        // Structures of options stay small: more than this is a field that was never set.
        guard size >= smallestSize, size <= 4096 else {
            throw KinError(
                .invalidArgument,
                "the options begin with the size \(UInt(bitPattern: size)); set them up by their initializer, KIN_..._INIT"
            )
        }
        return size
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(KinError) -> Self {
        let own = MemoryLayout<Self>.size
        guard unsafe bytes.dropFirst(own).allSatisfy({ $0 == 0 }) else {
            throw KinError(
                .invalidArgument,
                "the options have fields that this library (\(KIN_VERSION)) does not know; use a newer one")
        }
        var options = defaults
        unsafe withUnsafeMutableBytes(of: &options) { unsafe $0.copyMemory(from: .init(rebasing: bytes.prefix(own))) }
        return options
    }
}

extension kin_search_options: @unsafe SizedOptions {
    static var defaults: kin_search_options {
        unsafe kin_search_options(
            size: MemoryLayout<kin_search_options>.size, filter: nil, threads: 1, recall: 0, probes: 0)
    }

    static var smallestSize: Int { 40 }
}

extension kin_kmeans_options: @unsafe SizedOptions {
    static var defaults: kin_kmeans_options {
        unsafe kin_kmeans_options(
            size: MemoryLayout<kin_kmeans_options>.size, metric: kin_metric(KIN_METRIC_L2), threads: 1, restarts: 1,
            max_iterations: 100, tolerance: 1e-4, seed: 0, start: nil, start_stride: 0, weights: nil)
    }

    static var smallestSize: Int { 80 }
}
