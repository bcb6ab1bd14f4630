// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The object of a `kin_matches` handle: the results of a range search, at fixed addresses until release.
@safe
final class Matches: Sendable {
    // Written once, before the object is shared.
    nonisolated(unsafe) let offsets: UnsafeMutablePointer<Int>
    nonisolated(unsafe) let ids: UnsafeMutablePointer<UInt64>
    nonisolated(unsafe) let distances: UnsafeMutablePointer<Double>
    private let arena = Arena()

    init(_ found: [[Neighbor]]) {
        let total = found.reduce(0) { $0 + $1.count }
        unsafe offsets = arena.allocate(found.count + 1)
        unsafe ids = arena.allocate(total)
        unsafe distances = arena.allocate(total)
        var end = 0
        unsafe offsets.initialize(to: 0)
        for (query, neighbors) in found.enumerated() {
            for neighbor in neighbors {
                unsafe (ids + end).initialize(to: neighbor.id.rawValue)
                unsafe (distances + end).initialize(to: neighbor.distance)
                end += 1
            }
            unsafe (offsets + query + 1).initialize(to: end)
        }
    }
}

@c @implementation
public func kin_index_range_search(
    _ index: OpaquePointer!, _ queries: UnsafePointer<Float>!, _ count: Int, _ stride: Int, _ radius: Double,
    _ options: UnsafePointer<kin_search_options>!, _ matches: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attemptLong(reading: index) { (index) throws(KinError) in
        let search = try unsafe SearchOptions(options, queries: nil)
        let queries = try unsafe Rows(queries, count: count, columns: index.dimension, stride: stride, "queries")
            .matrix()
        let output = try unsafe output(matches, "matches")
        func neighbors(ofQuery row: Int) throws(KinError) -> [Neighbor] {
            try index.rangeSearch(
                Array(queries.row(row)), radius: radius, where: search.filter, threads: search.threads)
        }
        let found: [[Neighbor]]
        if queries.rows == 1 {
            found = [try neighbors(ofQuery: 0)]
        } else {
            let work = LongWork(of: queries.rows)
            // Single searches report no progress; the loop does.
            found = try ProgressScope.shielded { () throws(KinError) in
                try eachRow(of: queries.rows) { row throws(KinError) in
                    let neighbors = try neighbors(ofQuery: row)
                    try work.step()
                    return neighbors
                }
            }
        }
        unsafe output.pointee = handle(Matches(found))
    }
}

@c @implementation
public func kin_matches_offsets(_ matches: OpaquePointer!) -> UnsafePointer<Int>! {
    unsafe object(Matches.self, matches).map { unsafe UnsafePointer($0.offsets) }
}

@c @implementation
public func kin_matches_ids(_ matches: OpaquePointer!) -> UnsafePointer<UInt64>! {
    unsafe object(Matches.self, matches).map { unsafe UnsafePointer($0.ids) }
}

@c @implementation
public func kin_matches_distances(_ matches: OpaquePointer!) -> UnsafePointer<Double>! {
    unsafe object(Matches.self, matches).map { unsafe UnsafePointer($0.distances) }
}

@c @implementation
public func kin_matches_free(_ matches: OpaquePointer!) { unsafe release(Matches.self, matches) }
