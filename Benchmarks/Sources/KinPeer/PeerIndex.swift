import Kin

/// An index as the caller of C sees it: one reference it must give back, and the filter that its searches run under.
final class PeerIndex {
    /// The two indexes, by the names that C gives them.
    enum Kind {
        case flat(FlatIndex)
        case ivf(IVFIndex)
    }

    let kind: Kind
    var filter = Filter.all

    /// Takes in vectors whose ids are their row numbers.
    init(_ vectors: Matrix<Float>, metric: Metric, kind: String, threads: Int) throws(KinError) {
        switch kind {
        case "flat":
            var index = FlatIndex(dimension: vectors.columns, metric: metric)
            _ = try index.append(vectors)
            self.kind = .flat(index)
        case "ivf":
            var index = IVFIndex(dimension: vectors.columns, metric: metric)
            _ = try index.append(vectors, threads: threads)
            self.kind = .ivf(index)
        default:
            throw KinError(.invalidArgument, "there is no index '\(kind)'; use flat or ivf")
        }
    }

    var dimension: Int {
        switch kind {
        case .flat(let index): index.dimension
        case .ivf(let index): index.dimension
        }
    }

    func search(_ query: [Float], k: Int, mode: SearchMode, threads: Int) throws(KinError) -> [Neighbor] {
        switch kind {
        case .flat(let index): try index.search(query, k: k, where: filter, threads: threads)
        case .ivf(let index): try index.search(query, k: k, mode: mode, where: filter)
        }
    }

    func search(_ queries: Matrix<Float>, k: Int, mode: SearchMode, threads: Int) throws(KinError) -> NeighborTable {
        switch kind {
        case .flat(let index): try index.search(queries, k: k, where: filter, threads: threads)
        case .ivf(let index): try index.search(queries, k: k, mode: mode, where: filter, threads: threads)
        }
    }

    /// The name of the kernels in use, which all indexes of a process share.
    static func level() throws(KinError) -> String { try FlatIndex(dimension: 1).explain([0], k: 1).simdLevel }
}
