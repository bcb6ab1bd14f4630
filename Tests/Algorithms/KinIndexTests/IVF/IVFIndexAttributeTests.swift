import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Inverted-file search with attributes")
struct IVFIndexAttributeTests {
    private let schema: AttributeSchema

    init() throws { schema = try AttributeSchema(["user": .category, "n": .integer]) }

    @Test("copying the rows of a reused filter does not change its results")
    func repeatedFilter() throws {
        var random = TestSeed().generator
        let n = 20_000
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 8)
        var index = VectorIndex(dimension: 8)
        try index.append(vectors)
        let flat = try VectorIndex(flat: vectors)
        var other = index
        let allowed = Set((0..<UInt64(n)).filter { $0 % 16 == 3 }.map { VectorID($0) })
        let filter = SearchFilter.ids(allowed)
        #expect(filter.memory?.store(for: index.lists.version, budget: index.lists.filterBudget) == nil)
        for q in 0..<200 {
            let query = Array(vectors.row(q * 7))
            #expect(
                try index.search(query, k: 5, options: .init(where: filter))
                    == flat.search(query, k: 5, options: .init(where: filter)), "\(q)")
        }
        let laidOut = try #require(
            filter.memory?.store(for: index.lists.version, budget: index.lists.filterBudget),
            "200 searches pay for 1,250 copies")
        #expect(laidOut.count == allowed.count)
        #expect(
            try index.explain(Array(vectors.row(0)), k: 5, options: .init(where: filter)).lists?.visited ?? 0
                > 0)

        // A different state of the index does not use that copy, and the filter serves both states in turn.
        let (near, far) = (Array(vectors.row(3)), [Float](repeating: 50, count: 8))
        try other.upsert(far, id: 3)
        for _ in 0..<200 {
            #expect(try other.search(far, k: 1, options: .init(where: filter)).first?.id == 3)
            #expect(
                try index.search(near, k: 1, options: .init(where: filter)).first
                    == Neighbor(id: 3, distance: 0))
        }
        other.remove(3)
        #expect(try other.search(far, k: n, options: .init(where: filter)).count == allowed.count - 1)
    }

    @Test("vectors and attributes stay together through merges")
    func together() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 4)
        try index.append(random.uniformMatrix(rows: 95, columns: 4))
        try index.declareAttributes(schema)
        try index.setAttribute("user", to: .category("a"), for: 5)

        var other = VectorIndex(dimension: 4, attributes: try AttributeSchema(["n": .integer, "late": .boolean]))
        try other.upsert(
            random.uniformMatrix(rows: 2, columns: 4), ids: [1_000, 1_001],
            attributes: ["n": .integers([7, nil]), "late": .booleans([nil, true])])
        try index.merge(other)
        #expect(index.attributes.values(for: 1_000) == ["n": .integer(7)])
        #expect(index.attributes.values(for: 1_001) == ["late": .boolean(true)])
        #expect(index.attributes.values(for: 5) == ["user": .category("a")])
        #expect(index.attributes.count == 97)
        let more = VectorIndex(dimension: 4, attributes: try AttributeSchema(["more": .integer]))
        let before = index.attributes
        for (other, threads, code) in [(more, 0, KinError.Code.invalidArgument), (other, 1, .duplicateID)] {
            var other = other
            try other.upsert([1, 1, 1, 1], id: 2_000)
            // Like a call outside any task, without a progress observer.
            let found = ProgressScope.shielded { errorCode { try index.merge(other, threads: threads) } }
            #expect(found == code)
            #expect(index.attributes.schema == before.schema && index.attributes.ids == before.ids)
        }
        index.remove(5)
        #expect(try index.attributes.categoryCount(of: "user") == 1)
        index.compact()
        #expect(try index.attributes.categoryCount(of: "user") == 0, "no vector has the category any more")
        let clash = VectorIndex(dimension: 4, attributes: try AttributeSchema(["n": .number]))
        #expect(errorCode { try index.merge(clash) } == .invalidArgument)
    }
}
