import CKin
import Kin
import KinABI
import KinSamples
import Measuring

/// One index behind both interfaces, with queries for it.
@safe
final class Interfaces {
    private static let dimension = 16
    private static let k = 10

    private let swift: VectorIndex
    private let c: OpaquePointer
    private let queries: Matrix<Float>

    init(vectors: Int, queries: Int) throws {
        let data = try Profiles(.uniform, rows: vectors, queries: queries, dimension: Self.dimension, seed: 1)
        let rows = data.vectors
        self.queries = data.queries
        var index = VectorIndex(dimension: Self.dimension, layout: .flat)
        try index.append(rows)
        swift = index
        var handle: OpaquePointer?
        try unsafe Self.check(kin_index_create_flat(Self.dimension, kin_metric(KIN_METRIC_L2), &handle))
        unsafe c = handle!
        try unsafe Self.check(kin_index_append(c, rows.elements, vectors, 0, 1, nil))
    }

    deinit { unsafe kin_index_free(c) }

    /// Seconds of a search from Swift and from C: the best of alternating rounds, so that both run under the same
    /// conditions. The results are compared first.
    func compare(queries count: Int, seconds: Double) throws -> (swift: Double, c: Double) {
        let some = try queries.firstRows(count)
        var places = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: Self.k)
        var table: NeighborTable?
        func fromSwift() throws {
            guard count == 1 else { return table = try swift.search(some, k: Self.k) }
            var span = places.mutableSpan
            _ = try swift.search(some.span, into: &span)
        }
        var ids = [UInt64](repeating: 0, count: count * Self.k)
        var distances = [Double](repeating: 0, count: count * Self.k)
        func fromC() throws {
            try unsafe Self.check(
                kin_index_search(c, some.elements, count, 0, Self.k, nil, &ids, &distances, nil))
        }
        try fromSwift()
        try fromC()
        let found = table.map { $0.flatMap { $0.map(\.id.rawValue) } } ?? places.prefix(swift.count).map(\.id.rawValue)
        precondition(Array(ids.prefix(found.count)) == found, "C and Swift must find the same ids")

        // The number of calls per round that take about a millisecond.
        let once = try Self.seconds(1, fromSwift)
        let calls = max(1, Int(1e-3 / once))
        var best = (swift: Double.infinity, c: Double.infinity)
        var spent = 0.0
        while spent < seconds {
            let swiftRound = try Self.seconds(calls, fromSwift)
            let cRound = try Self.seconds(calls, fromC)
            spent += swiftRound + cRound
            best = (min(best.swift, swiftRound / Double(calls)), min(best.c, cRound / Double(calls)))
        }
        return best
    }

    private static func seconds(_ calls: Int, _ work: () throws -> Void) rethrows -> Double {
        try Timing.seconds { for _ in 0..<calls { try work() } }
    }

    private static func check(_ status: kin_status) throws {
        guard status == kin_status(KIN_OK) else {
            throw KinError(.init(rawValue: status), unsafe String(cString: kin_last_error()))
        }
    }
}
