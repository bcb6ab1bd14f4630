import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Searches by groups")
struct GroupSearchTests {
    private static let schema: KeyValuePairs<String, AttributeKind> = [
        "document": .category, "page": .integer, "score": .number,
    ]

    /// An index whose vectors belong to documents of very different lengths; some belong to none.
    private func index(_ layout: IndexLayout, _ random: inout SeededGenerator) throws -> VectorIndex {
        let n = 3_000
        var index = VectorIndex(dimension: 4, layout: layout, attributes: try AttributeSchema(Self.schema))
        // Vectors of a document are close together, so that one document fills the front of an answer.
        var vectors: Matrix<Float> = random.uniformMatrix(rows: n, columns: 4)
        let documents = (0..<n).map { row -> String? in
            if row % 100 == 0 { return nil }
            return row % 3 > 0 ? "long" : ["ünï", "u\u{308}nï", "a", "b"][row % 4] + "\(row % 25)"
        }
        for (row, document) in documents.enumerated() where document == "long" {
            for column in 0..<4 { vectors[row, column] *= 0.2 }
        }
        let pages = (0..<n).map { $0 % 7 == 0 ? nil : Int64($0 % 40) - 20 }
        try index.upsert(
            vectors, ids: (0..<n).map { VectorID(UInt64($0) * 2) },
            attributes: ["document": .categories(documents), "page": .integers(pages)])
        return index
    }

    /// The nearest vector of each group among all vectors, in the plainest way.
    private func expected(
        _ all: [Neighbor], _ index: VectorIndex, _ name: String, k: Int
    ) throws -> [Neighbor] {
        var groups: Set<[UInt8]> = []
        return Array(
            try all.filter { neighbor in
                guard let value = try index.attributes.value(of: name, for: neighbor.id) else { return true }
                return groups.insert(Array(value.description.utf8)).inserted
            }.prefix(k))
    }

    @Test("the nearest of each group equal those of a search for all vectors", arguments: [IndexLayout.flat, .lists])
    func againstAll(layout: IndexLayout) throws {
        var random = TestSeed().generator
        let index = try index(layout, &random)
        let queries: Matrix<Float> = random.uniformMatrix(rows: 6, columns: 4)
        let filters = try [
            SearchFilter.all, .matching(FilterExpression(parsing: "page > 0 or document is missing")),
            .ids((0..<500).map { VectorID(UInt64($0) * 5) }),
        ]
        for (name, filter) in ["document", "page"].flatMap({ name in filters.map { (name, $0) } }) {
            for radius in [Double.infinity, 0.2] {
                for k in [0, 1, 7, 60, 5_000] {
                    let options = SearchOptions(where: filter, radius: radius, groupBy: name)
                    let table = try index.search(queries, k: k, options: options)
                    for row in 0..<queries.rows {
                        let query = Array(queries.row(row))
                        let all = try index.search(
                            query, k: index.count, options: .init(where: filter, radius: radius))
                        let right = try expected(all, index, name, k: k)
                        let note = "\(name), k \(k), radius \(radius)"
                        #expect(try index.search(query, k: k, options: options) == right, "\(note)")
                        #expect(Array(table[row]) == right, "\(note)")
                        var slots = [Neighbor](repeating: Neighbor(id: .none, distance: 0), count: k)
                        var span = slots.mutableSpan
                        let count = try index.search(query.span, into: &span, options: options)
                        #expect(Array(slots.prefix(count)) == right, "\(note)")
                    }
                }
            }
        }
        let own = SearchOptions(
            filters: [filters[1]] + Array(repeating: .all, count: queries.rows - 1), groupBy: "page")
        let table = try index.search(queries, k: 9, options: own)
        for row in 0..<queries.rows {
            let filter = row == 0 ? filters[1] : .all
            let all = try index.search(Array(queries.row(row)), k: index.count, options: .init(where: filter))
            #expect(Array(table[row]) == (try expected(all, index, "page", k: 9)))
        }
    }

    @Test("vectors with names and without groups are found once")
    func names() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 2, layout: .flat, attributes: try AttributeSchema(["page": .integer]))
        let ids = try index.upsert(
            random.uniformMatrix(rows: 300, columns: 2), names: (0..<300).map { "name \($0)" })
        let pages = ids.indices.map { $0 % 10 == 0 ? nil : Int64($0 % 4) }
        try index.setAttributes(["page": .integers(pages)], ids: ids)
        let all = try index.search([0.5, 0.5], k: 300)
        for k in [1, 5, 20, 34, 300] {
            let found = try index.search([0.5, 0.5], k: k, options: .init(groupBy: "page"))
            #expect(try found == expected(all, index, "page", k: k), "\(k)")
        }
    }

    @Test("an approximate search finds different groups")
    func approximate() throws {
        var random = TestSeed().generator
        let index = try index(.lists, &random)
        for mode in [SearchMode.recall(0.9), .probes(2)] {
            let found = try index.search(
                [0.1, 0.1, 0.1, 0.1], k: 20, options: .init(mode: mode, groupBy: "document"))
            #expect(found.count == 20 && found.map(\.distance) == found.map(\.distance).sorted(), "\(mode)")
            #expect(try expected(found, index, "document", k: 20) == found, "\(mode)")
        }
    }

    @Test("the attribute must be an integer or a category")
    func errors() throws {
        var random = TestSeed().generator
        let index = try index(.flat, &random)
        let query: [Float] = [0, 0, 0, 0]
        for (name, message) in [("documnt", "did you mean document?"), ("score", "score is a number")] {
            for k in [0, 3] {
                let error = #expect(throws: KinError.self) {
                    _ = try index.search(query, k: k, options: .init(groupBy: name))
                }
                #expect(error?.code == .invalidArgument && error?.message.contains(message) == true, "\(error as Any)")
            }
        }
        #expect(errorCode { try index.explain(query, k: 3, options: .init(groupBy: "page")) } == .invalidArgument)
        let empty = VectorIndex(dimension: 4, attributes: try AttributeSchema(Self.schema))
        #expect(try empty.search(query, k: 3, options: .init(groupBy: "page")) == [])
    }
}
