/// A structure of options in C, which starts with its size in bytes.
package protocol SizedOptions {
    /// The default options, with the size of this release.
    static var defaults: Self { get }

    /// The size of the structure in its first release, in bytes.
    static var smallestSize: Int { get }
}

extension SizedOptions {
    /// Reads the options of a call, with defaults for NULL and for fields that the caller's header did not have.
    ///
    /// - Throws: `.invalidArgument` for an impossible size, or for fields of a later release that are not zero.
    @inline(__always)
    package static func read(_ pointer: UnsafePointer<Self>?) throws(KinError) -> Self {
        guard let pointer = unsafe pointer else { return defaults }
        guard unsafe pointer.isAligned else { throw unaligned("options") }
        let own = MemoryLayout<Self>.size
        let size = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
        if size == own { return unsafe pointer.pointee }
        return try unsafe read(UnsafeRawBufferPointer(start: pointer, count: checked(size)))
    }

    private static func checked(_ size: Int) throws(KinError) -> Int {
        // A larger size is an uninitialized field. A size that is not a multiple of the alignment belongs to no
        // structure, and would cut a field.
        guard size >= smallestSize, size <= 4096, size % MemoryLayout<Self>.alignment == 0 else {
            throw KinError(
                .invalidArgument,
                "the options begin with the size \(UInt(bitPattern: size)); initialize them with KIN_..._INIT"
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
    package static var defaults: kin_search_options { unsafe kin_search_options_defaults() }
    package static var smallestSize: Int { 40 }
}

extension kin_recommendation: @unsafe SizedOptions {
    package static var defaults: kin_recommendation { unsafe kin_recommendation_defaults() }
    package static var smallestSize: Int { 136 }
}

extension kin_kmeans_options: @unsafe SizedOptions {
    package static var defaults: kin_kmeans_options { unsafe kin_kmeans_options_defaults() }
    package static var smallestSize: Int { 80 }
}

extension kin_minibatch_kmeans_options: SizedOptions {
    package static var defaults: kin_minibatch_kmeans_options { kin_minibatch_kmeans_options_defaults() }
    package static var smallestSize: Int { 40 }
}

extension SearchOptions {
    /// Reads the options of a search.
    ///
    /// - Parameter queries: The number of queries; nil for a call without radii.
    /// - Throws: `.invalidArgument` if both recall and probes are given, a number is out of range, or the call has no
    ///   radii; otherwise as ``copy(_:count:_:)``.
    @inline(__always)
    init(_ options: UnsafePointer<kin_search_options>?, queries: Int?) throws(KinError) {
        let options = try unsafe kin_search_options.read(options)
        try unsafe self.init(
            mode: options.recall == 0 && options.probes == 0
                ? .exact : Self.mode(recall: options.recall, probes: options.probes),
            where: boxed(SearchFilter.self, options.filter) ?? .all, threads: KinABI.threads(options.threads),
            radii: options.radii == nil ? nil : Self.radii(options.radii, queries: queries))
        if unsafe options.filters != nil { try unsafe setFilters(options, queries: queries) }
        if unsafe options.group_by != nil { try unsafe setGroups(options, queries: queries) }
    }

    @inline(never)
    private mutating func setFilters(_ options: kin_search_options, queries: Int?) throws(KinError) {
        guard let queries else {
            throw KinError(.invalidArgument, "this call takes one filter for all its queries; leave filters NULL")
        }
        guard unsafe options.filter == nil else {
            throw KinError(.invalidArgument, "filter and filters exclude each other; leave one of them NULL")
        }
        let handles = try unsafe array(options.filters, count: queries, "filters")
        let each = unsafe handles.map { unsafe boxed(SearchFilter.self, $0) ?? .all }
        if each.count == 1 { filter = each[0] } else { filters = each }
    }

    @inline(never)
    private mutating func setGroups(_ options: kin_search_options, queries: Int?) throws(KinError) {
        guard queries != nil else {
            throw KinError(.invalidArgument, "this call finds no groups; leave group_by NULL")
        }
        groupBy = try unsafe text(options.group_by, "group_by")
    }

    @inline(never)
    private static func radii(_ radii: UnsafePointer<Double>, queries: Int?) throws(KinError) -> [Double] {
        guard let queries else {
            throw KinError(.invalidArgument, "this call takes no radii for its queries; leave radii NULL")
        }
        return try unsafe copy(radii, count: queries, "radii")
    }

    @inline(never)
    private static func mode(recall: Double, probes: Int) throws(KinError) -> SearchMode {
        guard recall == 0 || probes == 0 else {
            throw KinError(.invalidArgument, "recall and probes are two ways to search; leave one of them 0")
        }
        guard recall != 0 else { return .probes(probes < 0 ? .max : probes) }
        guard recall > 0, recall <= 1 else {
            throw KinError(.invalidArgument, "recall must be above 0 and at most 1, or 0 for exact, not \(recall)")
        }
        return .recall(recall)
    }
}

/// The truth of a flag, which is 0 or 1.
package func flag(_ value: Int32, _ name: String) throws(KinError) -> Bool {
    guard value == 0 || value == 1 else { throw KinError(.invalidArgument, "\(name) must be 0 or 1, not \(value)") }
    return value == 1
}

/// Requires a number of threads from 1 to 65,536; returns 1 in a child of a process that used several threads.
@inline(__always)
func threads(_ wanted: Int) throws(KinError) -> Int {
    guard wanted != 1 else { return 1 }
    guard wanted > 1, wanted <= mostThreads else {
        throw KinError(.invalidArgument, "threads must be 1 to \(mostThreads), not \(UInt(bitPattern: wanted))")
    }
    return wanted
}

/// The largest accepted number of threads.
let mostThreads = 1 << 16
