import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Search within radii equals the double-precision ranking cut at each radius")
struct SearchRadiusTests {
    @Test("a radius never makes a search with recall miss nearer vectors")
    func recall() throws {
        var random = TestSeed().generator
        let vectors = DataShape.uniform.matrix(rows: 20_000, dimension: 8, random: &random)
        let queries = DataShape.uniform.matrix(rows: 100, dimension: 8, random: &random)
        var index = VectorIndex(dimension: 8)
        try index.append(vectors)
        let plain = try index.search(queries, k: 10, options: .init(mode: .recall(0.8)))
        let radii = plain.map { Array($0)[6].distance }
        let found = try index.search(queries, k: 10, options: .init(mode: .recall(0.8), radii: radii))
        for q in 0..<100 {
            #expect(found[q].allSatisfy { $0.distance <= radii[q] }, "query \(q)")
            #expect(found[q].count >= 7, "query \(q)")
            // The search may find more vectors; then the seventh is nearer.
            #expect(zip(found[q], plain[q].prefix(7)).allSatisfy { $0.distance <= $1.distance }, "query \(q)")
        }
        let unlimited = [Double](repeating: .infinity, count: 100)
        for mode in [SearchMode.recall(0.8), .probes(2)] {
            let (with, without) = try (
                index.search(queries, k: 10, options: .init(mode: mode, radii: unlimited)),
                index.search(queries, k: 10, options: .init(mode: mode))
            )
            #expect(with == without)
        }
    }

    @Test("a radius shorter than the distance to the nearest box reads no list")
    func savedWork() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(DataShape.uniform.matrix(rows: 3_000, dimension: 4, random: &random))
        let far: [Float] = [9, 9, 9, 9]
        #expect(try index.explain(far, k: 3).lists?.visited != 0)
        let report = try index.explain(far, k: 3, options: .init(radius: 1))
        #expect(report.lists?.visited == 0 && report.neighbors.isEmpty)
    }

    @Test("a NaN radius and a wrong number of radii are refused")
    func refusals() throws {
        let two = Matrix<Float>(rows: [[1], [2]], columns: 1)
        var places = [Neighbor](repeating: Neighbor(id: .none, distance: -1), count: 1)
        var span = places.mutableSpan
        for layout in [IndexLayout.flat, .lists] {
            var index = VectorIndex(dimension: 1, layout: layout)
            try index.append(two)
            let options = SearchOptions(radius: .nan)
            #expect(errorCode { try index.search([1], k: 1, options: options) } == .notFinite)
            #expect(errorCode { try index.search([Float(1)].span, into: &span, options: options) } == .notFinite)
            #expect(errorCode { try index.explain([1], k: 1, options: options) } == .notFinite)
            #expect(errorCode { try index.search(two, k: 1, options: .init(radii: [1, .nan])) } == .notFinite)
            for radii in [[], [1], [1, 2, 3]] as [[Double]] {
                #expect(errorCode { try index.search(two, k: 1, options: .init(radii: radii)) } == .invalidArgument)
            }
        }
    }
}
