import Kin

/// An index as the caller of C sees it: one reference it must give back, and the filter that its searches run under.
final class PeerIndex {
    private var index: VectorIndex
    var filter = SearchFilter.all
    private var nearest: [Neighbor] = []

    /// Takes in vectors whose ids are their row numbers.
    init(_ vectors: Matrix<Float>, metric: Metric, kind: String, threads: Int) throws(KinError) {
        guard kind == "flat" || kind == "ivf" else {
            throw KinError(.invalidArgument, "there is no index '\(kind)'; use flat or ivf")
        }
        index = VectorIndex(dimension: vectors.columns, metric: metric, layout: kind == "flat" ? .flat : .lists)
        try index.append(vectors, threads: threads)
    }

    var dimension: Int { index.dimension }

    /// Searches into memory that is kept from call to call, as a service would.
    func search(
        _ query: Span<Float>, k: Int, mode: SearchMode, threads: Int
    ) throws(KinError) -> ArraySlice<Neighbor> {
        let options = SearchOptions(mode: mode, where: filter, threads: threads)
        guard threads == 1 || !index.layout.isFlat else {
            return try index.search(query.indices.map { query[$0] }, k: k, options: options)[...]
        }
        var memory = nearest
        nearest = []
        defer { nearest = memory }
        if memory.count != k { memory = Array(repeating: Neighbor(id: .none, distance: .infinity), count: k) }
        var places = memory.mutableSpan
        let count = try index.search(query, into: &places, options: options)
        return memory[..<count]
    }

    func search(_ queries: Matrix<Float>, k: Int, mode: SearchMode, threads: Int) throws(KinError) -> NeighborTable {
        try index.search(queries, k: k, options: .init(mode: mode, where: filter, threads: threads))
    }

    /// The name of the kernels in use, which all indexes of a process share.
    static func level() throws(KinError) -> String {
        try VectorIndex(dimension: 1, layout: .flat).explain([0], k: 1).simdLevel
    }
}
