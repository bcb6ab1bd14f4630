// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import KinJSON

@c @implementation
public func kin_index_search(
    _ index: OpaquePointer!, _ queries: UnsafePointer<Float>!, _ count: Int, _ stride: Int, _ k: Int,
    _ options: UnsafePointer<kin_search_options>!, _ ids: UnsafeMutablePointer<UInt64>!,
    _ distances: UnsafeMutablePointer<Double>!, _ counts: UnsafeMutablePointer<Int>!
) -> kin_status {
    func search(_ index: VectorIndex) throws(KinError) {
        let queries = try unsafe Rows(queries, count: count, columns: index.dimension, stride: stride, "queries")
        let search = try unsafe SearchOptions(options, queries: count)
        let results = try unsafe ResultArrays(queries: count, k: k, ids: ids, distances: distances, counts: counts)
        if count == 1, search.threads == 1 {
            try results.searchOne(index, queries, by: search)
        } else {
            let table = try index.search(queries.matrix(), k: k, options: search)
            for (query, neighbors) in table.enumerated() {
                unsafe neighbors.withUnsafeBufferPointer { unsafe results.write($0, query: query) }
            }
        }
    }
    // A single query is short and reports no progress.
    return count == 1 ? unsafe attempt(reading: index, search) : unsafe attemptLong(reading: index, search)
}

@c @implementation
public func kin_index_explain(
    _ index: OpaquePointer!, _ query: UnsafePointer<Float>!, _ k: Int, _ options: UnsafePointer<kin_search_options>!,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let search = try unsafe SearchOptions(options, queries: 1)
        let query = try unsafe copy(query, count: index.dimension, "query")
        let output = try unsafe output(json, "json")
        let report = try index.explain(query, k: k, options: search)
        unsafe output.pointee = ownedText(report.json(naming: index.name(of:)))
    }
}

@c @implementation
public func kin_index_recommend(
    _ index: OpaquePointer!, _ wanted: UnsafePointer<kin_recommendation>!, _ k: Int,
    _ options: UnsafePointer<kin_search_options>!, _ ids: UnsafeMutablePointer<UInt64>!,
    _ distances: UnsafeMutablePointer<Double>!, _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    unsafe attemptLong(reading: index) { (index) throws(KinError) in
        let search = try unsafe SearchOptions(options, queries: nil)
        let wanted = try unsafe Recommendation(kin_recommendation.read(wanted), dimension: index.dimension)
        let results = try unsafe ResultArrays(queries: 1, k: k, ids: ids, distances: distances, counts: count)
        let list = try index.recommend(wanted, k: k, where: search.filter, threads: search.threads)
        unsafe list.withUnsafeBufferPointer { unsafe results.write($0, query: 0) }
    }
}

extension Recommendation {
    /// Reads the request of C.
    fileprivate init(_ wanted: kin_recommendation, dimension: Int) throws(KinError) {
        let positive = try unsafe Rows(
            wanted.positive, count: wanted.positive_count, columns: dimension, stride: wanted.positive_stride,
            "positive")
        let negative = try unsafe Rows(
            wanted.negative, count: wanted.negative_count, columns: dimension, stride: wanted.negative_stride,
            "negative")
        let positiveIDs = try unsafe array(wanted.positive_ids, count: wanted.positive_id_count, "positive_ids")
        let negativeIDs = try unsafe array(wanted.negative_ids, count: wanted.negative_id_count, "negative_ids")
        let excluded = try unsafe array(wanted.excluded, count: wanted.excluded_count, "excluded")
        try requireRoom(for: excluded.count, elementsOf: 32, "excluded")
        var limit: CategoryLimit?
        if unsafe wanted.category != nil {
            let name = try unsafe text(wanted.category, "category")
            limit = unsafe CategoryLimit(attribute: name, count: wanted.per_category)
        } else if unsafe wanted.per_category != 0 {
            throw KinError(.invalidArgument, "per_category needs a category, but category is NULL")
        }
        unsafe self.init(
            positive: try Self.examples(positive, positiveIDs), negative: try Self.examples(negative, negativeIDs),
            negativeWeight: wanted.negative_weight, diversity: wanted.diversity, perCategory: limit,
            excluded: Set(excluded.lazy.map { VectorID($0) }))
    }

    private static func examples(
        _ rows: Rows<Float>, _ ids: UnsafeBufferPointer<UInt64>
    ) throws(KinError) -> [Example] {
        let vectors = try rows.matrix()
        try requireRoom(for: ids.count, elementsOf: 4 * MemoryLayout<Example>.stride, "the ids of examples")
        return unsafe (0..<vectors.rows).map { .vector(Array(vectors.row($0))) } + ids.map { .id(VectorID($0)) }
    }
}

/// The output arrays of a search: queries × k ids and distances, and counts.
@safe
private struct ResultArrays {
    private let k: Int
    private let ids: UnsafeMutableBufferPointer<UInt64>
    private let distances: UnsafeMutableBufferPointer<Double>?
    private let counts: UnsafeMutableBufferPointer<Int>?

    @inline(__always)
    init(
        queries: Int, k: Int, ids: UnsafeMutablePointer<UInt64>?, distances: UnsafeMutablePointer<Double>?,
        counts: UnsafeMutablePointer<Int>?
    ) throws(KinError) {
        let (total, overflow) = queries.multipliedReportingOverflow(by: k)
        guard k >= 0, !overflow else {
            throw KinError(
                .capacityExceeded,
                "k is too large, \(UInt(bitPattern: k)): the memory for \(queries) × k results cannot be addressed")
        }
        self.k = k
        unsafe self.ids = try outputs(ids, count: total, "ids")
        unsafe self.distances = distances == nil ? nil : try outputs(distances, count: total, "distances")
        unsafe self.counts = counts == nil ? nil : try outputs(counts, count: queries, "counts")
    }

    /// Searches for a single query with its neighbours on the stack.
    @inline(__always)
    func searchOne(_ index: VectorIndex, _ queries: Rows<Float>, by search: SearchOptions) throws(KinError) {
        var failure: KinError?
        let width = min(k, index.count)
        unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: width) { memory in
            unsafe memory.initialize(repeating: Neighbor(id: .none, distance: .infinity))
            var span = unsafe MutableSpan(_unsafeElements: memory)
            do throws(KinError) {
                let query = unsafe Span(_unsafeElements: queries.first)
                let found = try index.search(query, into: &span, options: search)
                unsafe write(UnsafeBufferPointer(rebasing: memory[..<found]), query: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the results of one query and fills the rest of its row.
    @inline(__always)
    func write(_ neighbors: UnsafeBufferPointer<Neighbor>, query: Int) {
        let (start, end) = (query * k, query * k + neighbors.count)
        for slot in start..<end { unsafe ids[slot] = neighbors[slot - start].id.rawValue }
        for slot in end..<start + k { unsafe ids[slot] = VectorID.none.rawValue }
        if let distances = unsafe distances {
            for slot in start..<end { unsafe distances[slot] = neighbors[slot - start].distance }
            for slot in end..<start + k { unsafe distances[slot] = .infinity }
        }
        if let counts = unsafe counts { unsafe counts[query] = neighbors.count }
    }
}

extension SearchReport {
    fileprivate func json(naming name: (VectorID) -> String?) -> String {
        JSONWriter.object { writer in
            writer.objects("neighbors", neighbors) { neighbor, writer in
                writer.member("id", neighbor.id.rawValue)
                if let name = name(neighbor.id) { writer.member("name", name) }
                writer.member("distance", neighbor.distance)
            }
            writer.member("plan", plan)
            writer.member("rows", rows)
            if let lists {
                writer.member("lists", lists.all)
                writer.member("lists_visited", lists.visited)
            }
            writer.member("blocks_screened", blocksScreened)
            writer.member("survivors", survivors)
            writer.member("exact_distances", exactDistances)
            writer.member("bytes_read", bytesRead)
            writer.member("simd", simdLevel)
            writer.member("code_bits", codeBits)
        }
    }
}
