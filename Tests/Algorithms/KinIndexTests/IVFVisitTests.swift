import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Visits within a shrinking radius")
struct IVFVisitTests {
    /// Points whose last three coordinates have length 0.6, like the blocks of a group that a person lacks.
    private func points(_ count: Int, _ generator: inout SeededGenerator) throws -> Matrix<Float> {
        var elements: [Float] = []
        for _ in 0..<count {
            elements += (0..<3).map { _ in Float(generator.uniform()) }
            let rest = (0..<3).map { _ in generator.normalDeviate() }
            let length = rest.reduce(0) { $0 + $1 * $1 }.squareRoot()
            elements += rest.map { Float(0.6 * $0 / length) }
        }
        return try Matrix(rows: count, columns: 6, elements: elements)
    }

    @Test("every vector within the radius is visited, with or without ignored coordinates", arguments: 1...2)
    func nothingIsMissed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let points = try points(30_000, &generator)
        var index = VectorIndex(exactlySearched: 6, metric: .squaredL2, alongOwnAxes: true)
        try index.upsert(points, ids: (0..<30_000).map { VectorID(UInt64($0)) })
        let ignored = IgnoredDimensions(dimensions: Array(3..<6), squaredDistance: 0.36 - 0x1p-20)
        let oracle = LaneOracle(points, metric: .squaredL2)
        for _ in 0..<5 {
            let query = (0..<3).map { _ in Float(generator.uniform()) } + [0, 0, 0]
            // Finds the five nearest as a matcher does: the radius is the fifth distance so far.
            var distances: [Double] = []
            var blocks: [[UInt64]] = []
            for ignored in [nil, ignored] {
                var best: [(Double, UInt64)] = []
                index.visit(near: query.span, ignoring: ignored, radius: .infinity, capacity: 6) { id, distance in
                    best.append((distance, id.rawValue))
                    best.sort { $0 < $1 }
                    if best.count > 5 { best.removeLast() }
                    return best.count < 5 ? .infinity : best[4].0
                }
                distances = best.map(\.0)
                blocks.append(best.map(\.1))
            }
            let nearest = oracle.ranking(of: query).prefix(5)
            let ids = nearest.map(\.id.rawValue)
            #expect(blocks == [ids, ids], "seed \(seed)")
            #expect(zip(distances, nearest).allSatisfy { abs($0 - $1.distance) < 1e-6 }, "seed \(seed)")
        }
    }

    /// Queries that visit together: one list with few blocks, one with more, several lists. Some queries begin without
    /// a radius.
    @Test("queries that visit together receive the same vectors as each alone", arguments: [1, 40, 600, 30_000])
    func nothingIsMissedTogether(count: Int) throws {
        let seed = UInt64(count)
        var generator = SeededGenerator(seed: seed)
        let points = try points(count, &generator)
        var index = VectorIndex(exactlySearched: 6, metric: .squaredL2, alongOwnAxes: true)
        try index.upsert(points, ids: (0..<count).map { VectorID(UInt64($0)) })
        let ignored = IgnoredDimensions(dimensions: Array(3..<6), squaredDistance: 0.36 - 0x1p-20)
        let oracle = LaneOracle(points, metric: .squaredL2)
        for queries in [3, 70] {
            let rows = (0..<queries).map { _ in (0..<3).map { _ in Float(generator.uniform()) } + [0, 0, 0] }
            let nearest = rows.map { oracle.ranking(of: $0).prefix(10) }
            for ignored in [nil, ignored] {
                let radii = (0..<queries).map { $0 % 5 == 0 ? .infinity : 1.2 * nearest[$0].last!.distance }
                var best = [[(Double, UInt64)]](repeating: [], count: queries)
                index.visit(
                    nearEach: try Matrix(rows: rows), ignoring: ignored, radii: radii, capacity: 6, prefetch: { _ in }
                ) { q, id, distance in
                    best[q].append((distance, id.rawValue))
                    best[q].sort { $0 < $1 }
                    if best[q].count > 5 { best[q].removeLast() }
                    return best[q].count < 5 ? radii[q] : min(radii[q], best[q][4].0)
                }
                for q in 0..<queries {
                    #expect(best[q].map(\.1) == nearest[q].prefix(5).map(\.id.rawValue), "seed \(seed), query \(q)")
                }
            }
        }
    }

    @Test("boxes that ignore shared coordinates let fewer vectors through")
    func fewerAreCompared() throws {
        var generator = SeededGenerator(seed: 9)
        let points = try points(30_000, &generator)
        var index = VectorIndex(exactlySearched: 6, metric: .squaredL2, alongOwnAxes: true)
        try index.upsert(points, ids: (0..<30_000).map { VectorID(UInt64($0)) })
        let query = [Float](repeating: 0.5, count: 3) + [0, 0, 0]
        func blocks(_ ignored: IgnoredDimensions?) -> Int {
            unsafe query.withUnsafeBufferPointer { query in
                unsafe index.lists.store.layout.withPadded(query.baseAddress!) { padded in
                    ListScan.with(index.lists.store) { scan, memory in
                        var traversal = unsafe ListTraversal(
                            scan: scan, query: padded, memory: memory, collector: RangeCollector(radius: 0.37),
                            ignored: ignored)
                        traversal.run()
                        return traversal.counters.blocksScreened
                    }
                }
            }
        }
        let seen = blocks(IgnoredDimensions(dimensions: Array(3..<6), squaredDistance: 0.36 - 0x1p-20))
        #expect(seen * 3 < blocks(nil) * 2)
    }
}
