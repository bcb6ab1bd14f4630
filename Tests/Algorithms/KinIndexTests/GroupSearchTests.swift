import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Searches by groups")
struct GroupSearchTests {
    private static let schema: KeyValuePairs<String, AttributeKind> = [
        "document": .category, "page": .integer, "score": .number,
    ]

    /// An index whose vectors belong to documents of very different lengths; some belong to none.
    private func index(_ layout: IndexLayout) throws -> VectorIndex {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 4, layout: layout, attributes: try AttributeSchema(Self.schema))
        let documents = (0..<3_000).map { $0 % 100 == 0 ? nil : $0 % 3 > 0 ? "long" : "document \($0 % 99)" }
        try index.upsert(
            random.uniformMatrix(rows: 3_000, columns: 4), ids: (0..<3_000).map { VectorID(UInt64($0)) },
            attributes: ["document": .categories(documents)])
        return index
    }

    @Test("an approximate search finds different groups")
    func approximate() throws {
        let index = try index(.lists)
        for mode in [SearchMode.recall(0.9), .probes(2)] {
            let found = try index.search(
                [0.1, 0.1, 0.1, 0.1], k: 20, options: .init(mode: mode, groupBy: "document"))
            #expect(found.count == 20 && found.map(\.distance) == found.map(\.distance).sorted(), "\(mode)")
            let documents = try found.compactMap { try index.attributes.value(of: "document", for: $0.id) }
            #expect(Set(documents.map(\.description)).count == documents.count, "\(mode)")
        }
    }

    @Test("the attribute must be an integer or a category")
    func errors() throws {
        let index = try index(.flat)
        let query: [Float] = [0, 0, 0, 0]
        for (name, message) in [("documnt", "did you mean document?"), ("score", "score is a number")] {
            for k in [0, 3] {
                let error = kinError { try index.search(query, k: k, options: .init(groupBy: name)) }
                #expect(error.says(message, code: .invalidArgument))
            }
        }
        #expect(errorCode { try index.explain(query, k: 3, options: .init(groupBy: "page")) } == .invalidArgument)
        let empty = VectorIndex(dimension: 4, attributes: try AttributeSchema(Self.schema))
        #expect(try empty.search(query, k: 3, options: .init(groupBy: "page")) == [])
    }
}
