import Kin

/// An index as the caller of C sees it: one reference it must give back, and the filter that its searches run under.
final class PeerIndex {
    /// The two indexes, by the names that C gives them.
    enum Kind {
        case flat(FlatIndex)
        case ivf(IVFIndex)
    }

    let kind: Kind
    var filter = SearchFilter.all
    private var nearest: [Neighbor] = []

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

    /// Searches into memory that is kept from call to call, as a service would.
    func search(
        _ query: Span<Float>, k: Int, mode: SearchMode, threads: Int
    ) throws(KinError) -> ArraySlice<Neighbor> {
        var memory = nearest
        nearest = []
        defer { nearest = memory }
        if memory.count != k { memory = Array(repeating: Neighbor(id: .none, distance: .infinity), count: k) }
        let count: Int
        switch kind {
        case .flat(let index):
            guard threads == 1 else {
                let values = query.indices.map { query[$0] }
                return try index.search(values, k: k, where: filter, threads: threads)[...]
            }
            var places = memory.mutableSpan
            count = try index.search(query, into: &places, where: filter)
        case .ivf(let index):
            var places = memory.mutableSpan
            count = try index.search(query, into: &places, mode: mode, where: filter)
        }
        return memory[..<count]
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
