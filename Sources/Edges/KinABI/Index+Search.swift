// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

@c @implementation
public func kin_index_search(
    _ index: OpaquePointer!, _ queries: UnsafePointer<Float>!, _ count: Int, _ stride: Int, _ k: Int,
    _ options: UnsafePointer<kin_search_options>!, _ ids: UnsafeMutablePointer<UInt64>!,
    _ distances: UnsafeMutablePointer<Double>!, _ counts: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
        let search = try unsafe SearchArguments(options)
        let queries = try unsafe Rows(queries, count: count, columns: index.dimension, stride: stride, "queries")
        let results = try unsafe ResultPlaces(queries: count, k: k, ids: ids, distances: distances, counts: counts)
        if count == 1, search.threads == 1 {
            try results.searchOne(index, queries, by: search)
        } else {
            let table = try index.search(queries.matrix(), k: k, by: search)
            for (query, neighbors) in table.enumerated() {
                unsafe neighbors.withUnsafeBufferPointer { unsafe results.write($0, query: query) }
            }
        }
    }
}

@c @implementation
public func kin_index_explain(
    _ index: OpaquePointer!, _ query: UnsafePointer<Float>!, _ k: Int, _ options: UnsafePointer<kin_search_options>!,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
        let search = try unsafe SearchArguments(options)
        let query = try unsafe copy(query, count: index.dimension, "query")
        let place = try unsafe place(json, "json")
        let report = try index.explain(query, k: k, by: search)
        unsafe place.pointee = ownedText(report.json.description)
    }
}

/// Where C wants the results of a search: queries × k places.
@safe
private struct ResultPlaces {
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
                .capacityExceeded, "k is \(UInt(bitPattern: k)): \(queries) times as many results fit in no memory")
        }
        self.k = k
        unsafe self.ids = try places(ids, count: total, "ids")
        unsafe self.distances = distances == nil ? nil : try places(distances, count: total, "distances")
        unsafe self.counts = counts == nil ? nil : try places(counts, count: queries, "counts")
    }

    /// Searches for the one query there is, with the neighbours on the stack when they are few.
    @inline(__always)
    func searchOne(_ index: any ServedIndex, _ queries: Rows<Float>, by search: SearchArguments) throws(KinError) {
        var failure: KinError?
        let width = min(k, index.count)
        unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: width) { memory in
            unsafe memory.initialize(repeating: Neighbor(id: .none, distance: .infinity))
            var span = unsafe MutableSpan(_unsafeElements: memory)
            do throws(KinError) {
                let query = unsafe Span(_unsafeElements: queries.first)
                let found = try index.search(query, into: &span, by: search)
                unsafe write(UnsafeBufferPointer(rebasing: memory[..<found]), query: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the results of one query and fills the places that they leave.
    @inline(__always)
    func write(_ neighbors: UnsafeBufferPointer<Neighbor>, query: Int) {
        let (start, end) = (query * k, query * k + neighbors.count)
        for place in start..<end { unsafe ids[place] = neighbors[place - start].id.rawValue }
        for place in end..<start + k { unsafe ids[place] = VectorID.none.rawValue }
        if let distances = unsafe distances {
            for place in start..<end { unsafe distances[place] = neighbors[place - start].distance }
            for place in end..<start + k { unsafe distances[place] = .infinity }
        }
        if let counts = unsafe counts { unsafe counts[query] = neighbors.count }
    }
}

extension SearchReport {
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("neighbors", .array(neighbors.map { ["id": .id($0.id.rawValue), "distance": .number($0.distance)] })),
            ("plan", .text(plan)), ("rows", .integer(rows)),
        ]
        if let cells {
            members += [("lists", .integer(cells.all)), ("lists_visited", .integer(cells.visited))]
            // The names of release 0.1.0, deprecated.
            members += [("cells", .integer(cells.all)), ("cells_visited", .integer(cells.visited))]
        }
        members += [
            ("blocks_screened", .integer(blocksScreened)), ("survivors", .integer(survivors)),
            ("exact_distances", .integer(exactDistances)), ("bytes_read", .integer(bytesRead)),
            ("simd", .text(simdLevel)), ("code_bits", .integer(codeBits)),
        ]
        return .object(members)
    }
}
