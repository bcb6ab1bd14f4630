import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Flat search with attributes")
struct FlatIndexAttributeTests {
    private let schema: AttributeSchema

    init() throws { schema = try AttributeSchema(["user": .category, "n": .integer]) }

    /// An index whose `n` is the row's number, so that `n < x` allows exactly x rows.
    private func index(
        _ vectors: Matrix<Float>, ids: [VectorID], metric: Metric
    ) throws -> VectorIndex {
        var index = VectorIndex(dimension: vectors.columns, metric: metric, layout: .flat, attributes: schema)
        let users = ids.indices.map { Optional("u\($0 % 7)") }
        try index.upsert(
            vectors, ids: ids,
            attributes: ["n": .integers(ids.indices.map { Int64($0) }), "user": .categories(users)])
        return index
    }

    @Test(
        "filtered search returns the exact nearest rows at every selectivity", arguments: Metric.allCases,
        [UInt64(1), 37, 1 << 34])
    func everyShare(metric: Metric, spacing: UInt64) throws {
        let seed = TestSeed()
        var random = seed.generator
        let n = 20_000
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 16)
        let ids = (0..<n).map { VectorID(UInt64($0) * spacing) }
        // The numbers are shuffled, so that the allowed rows are spread over the index.
        var order = Array(0..<n)
        order.shuffle(using: &random)
        var index = try index(vectors, ids: ids, metric: metric)
        try index.setAttributes(["n": .integers(order.map { Int64($0) })], ids: ids)
        let number = Dictionary(uniqueKeysWithValues: zip(ids, order))
        let oracle = NearestNeighborOracle(vectors, ids: ids, metric: metric)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 2, columns: 16)
        for allowed in [n / 2, n / 10, n / 100, n / 1_000, 3, 0] {
            let filter = SearchFilter.matching(.compare("n", .less, .integer(Int128(allowed))))
            let prepared = try index.prepare(filter)
            let batch = try index.search(queries, k: 10, options: .init(where: filter, threads: 2))
            for q in 0..<2 {
                let query = Array(queries.row(q))
                let expected = oracle.nearest(to: query, k: 10) { number[$0]! < allowed }
                let note = "\(seed), \(allowed) allowed"
                #expect(expected.count == min(10, allowed))
                expectNear(Array(batch[q]), expected, note)
                #expect(
                    try index.search(query, k: 10, options: .init(where: filter)) == Array(batch[q]), "\(note)")
                #expect(
                    try index.search(query, k: 10, options: .init(where: prepared, threads: 2))
                        == Array(batch[q]), "\(note)")
                #expect(
                    try index.explain(query, k: 10, options: .init(where: filter)).neighbors == Array(batch[q]),
                    "\(note)")
                let radius = expected.last?.distance ?? 1
                let within = oracle.within(radius.nextUp, of: query) { number[$0]! < allowed }
                let found = try index.rangeSearch(query, radius: radius.nextUp, where: filter)
                #expect(abs(found.count - within.count) <= 1, "\(note)")
            }
        }
    }

    /// The oracle sums in a different order than the kernels: ids must be equal, and distances equal to the last
    /// digits.
    private func expectNear(_ found: [Neighbor], _ expected: [Neighbor], _ note: String) {
        #expect(found.map(\.id) == expected.map(\.id), "\(note)")
        for (a, b) in zip(found, expected) {
            #expect(abs(a.distance - b.distance) <= 1e-12 * max(1, abs(b.distance)), "\(note)")
        }
    }

    @Test("conditions on ids need no attributes")
    func idsAlone() throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 5_000, columns: 8)
        var index = VectorIndex(dimension: 8, layout: .flat)
        try index.append(vectors)
        let oracle = NearestNeighborOracle(vectors, metric: .squaredL2)
        let query = Array(vectors.row(17))
        let cases: [(String, (VectorID) -> Bool)] = [
            ("id in (1, 2, 3, 9999)", { [1, 2, 3].contains($0) }), ("id = 17", { $0 == 17 }),
            ("id < 100", { $0.rawValue < 100 }), ("id != 17", { $0 != 17 }),
            (
                "id < 100 and not id in (5, 6) or id > 4990",
                {
                    $0.rawValue < 100 && ![5, 6].contains($0) || $0.rawValue > 4_990
                }
            ),
            ("id is missing", { _ in false }), ("id is present", { _ in true }),
        ]
        for (text, isAllowed) in cases {
            let filter = SearchFilter.matching(try FilterExpression(parsing: text))
            let expected = oracle.nearest(to: query, k: 7, where: isAllowed).map(\.id)
            #expect(
                try index.search(query, k: 7, options: .init(where: filter)).map(\.id) == expected, "\(text)")
            let prepared = try index.prepare(filter)
            #expect(
                try index.search(query, k: 7, options: .init(where: prepared)).map(\.id) == expected, "\(text)")
        }
        let filter = try index.prepare(.matching(FilterExpression(parsing: "id >= 5000")))
        #expect(try index.search(query, k: 3, options: .init(where: filter)).isEmpty)
        try index.append(Matrix(rows: 1, columns: 8, elements: query))
        #expect(
            try index.search(query, k: 3, options: .init(where: filter)).map(\.id) == [5_000],
            "no attributes saw the change")
        let unknown = SearchFilter.matching(.equals("user", "x"))
        #expect(errorCode { try index.search(query, k: 1, options: .init(where: unknown)) } == .invalidArgument)
        #expect(errorCode { try index.prepare(unknown) } == .invalidArgument)
    }
}
