import CKin
import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

/// What the options of a search come to.
struct SearchArguments {
    let filter: Filter
    let threads: Int
    let mode: SearchMode

    /// - Throws: `.invalidArgument` for options that ask for two ways at once, or for a number out of its range.
    @inline(__always)
    init(_ options: UnsafePointer<kin_search_options>?) throws(KinError) {
        let options = try unsafe kin_search_options.read(options)
        unsafe filter = object(FilterHandle.self, options.filter)?.filter ?? .all
        threads = try unsafe KinABI.threads(options.threads)
        mode =
            unsafe options.recall == 0 && options.probes == 0
            ? .exact : try Self.mode(recall: options.recall, probes: options.probes)
    }

    @inline(never)
    private static func mode(recall: Double, probes: Int) throws(KinError) -> SearchMode {
        guard recall == 0 || probes == 0 else {
            throw KinError(.invalidArgument, "recall and probes are two ways to search; leave one of them 0")
        }
        guard recall != 0 else { return .probes(probes < 0 ? .max : probes) }
        guard recall > 0, recall <= 1 else {
            throw KinError(.invalidArgument, "recall is \(recall); it is above 0 and at most 1, or 0 for exact")
        }
        return .recall(recall)
    }
}
