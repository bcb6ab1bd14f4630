import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Attributes in every layout")
struct LayoutAttributeTests {
    private let schema: AttributeSchema

    init() throws { schema = try AttributeSchema(["user": .category, "n": .integer]) }

    @Test("a prepared condition on ids sees a vector added later", arguments: IndexLayout.eachKind)
    func idsAlone(layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 2, layout: layout)
        try index.append(Matrix(rows: 500, columns: 2, repeating: 1))
        let filter = try index.prepare(.matching(FilterExpression(parsing: "id >= 500")))
        #expect(try index.search([1, 1], k: 3, options: .init(where: filter)).isEmpty)
        try index.append(Matrix(rows: 1, columns: 2, repeating: 1))
        #expect(
            try index.search([1, 1], k: 3, options: .init(where: filter)).map(\.id) == [500],
            "no attributes saw the change")
    }

    @Test(
        "a prepared filter matches the unprepared one on every copy and after every change",
        arguments: IndexLayout.eachKind, ["user = u3", "id < 700"])
    func prepared(layout: IndexLayout, text: String) throws {
        var random = TestSeed().generator
        let n = 6_000
        var index = VectorIndex(dimension: 4, layout: layout, attributes: schema)
        try index.upsert(
            random.uniformMatrix(rows: n, columns: 4), ids: (0..<n).map { VectorID(UInt64($0)) },
            attributes: ["user": .categories((0..<n).map { Optional("u\($0 % 7)") })])
        let filter = SearchFilter.matching(try FilterExpression(parsing: text))
        let prepared = try index.prepare(filter)
        let query: [Float] = [0.5, 0.5, 0.5, 0.5]
        let snapshot = index
        let before = try snapshot.search(query, k: 5, options: .init(where: filter))
        #expect(try index.search(query, k: 5, options: .init(where: prepared)) == before)

        var other = index
        for step in 0..<3 {
            let first = try index.search(query, k: 1, options: .init(where: filter))[0].id
            switch step {
            case 0: index.remove(first)
            case 1: try index.setAttribute("user", to: nil, for: first)
            default:
                try index.upsert(query, id: 9)
                try index.setAttribute("user", to: .category("u3"), for: 9)
            }
            try other.setAttribute("user", to: .category("u3"), for: VectorID(UInt64(step * 7 + 1)))
            for index in [index, other, snapshot] {
                let expected = try index.search(query, k: 5, options: .init(where: filter))
                for again in [prepared, try index.prepare(prepared)] {
                    #expect(try index.search(query, k: 5, options: .init(where: again)) == expected, "step \(step)")
                }
            }
        }
        #expect(try snapshot.search(query, k: 5, options: .init(where: prepared)) == before)
        let unknown = SearchFilter.matching(.equals("usr", "x"))
        #expect(errorCode { try index.search(query, k: 1, options: .init(where: unknown)) } == .invalidArgument)
        #expect(errorCode { try index.prepare(unknown) } == .invalidArgument)
        #expect(errorCode { try index.prepare(filter, threads: 0) } == .invalidArgument)
        #expect(errorCode { try index.prepare(.ids([1]), threads: 0) } == .invalidArgument)
    }

    @Test("a refused change of vectors and attributes changes neither", arguments: IndexLayout.eachKind)
    func refused(layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 4, layout: layout, attributes: schema)
        try index.append(Matrix(rows: 100, columns: 4, repeating: 1))
        let before = index
        let refused: [(Float, AttributeColumn, KinError.Code)] = [
            (.nan, .integers([1]), .notFinite), (0, .numbers([1]), .invalidArgument),
        ]
        for (value, column, code) in refused {
            let row = Matrix<Float>(rows: 1, columns: 4, repeating: value)
            #expect(errorCode { try index.upsert(row, ids: [1], attributes: ["n": column]) } == code)
        }
        #expect(errorCode { try index.setAttributes(["n": .integers([1, 2])], ids: [60, 500]) } == .unknownID)
        #expect(errorCode { try index.setAttributes(["n": .integers([1, 2])], ids: [60, 60]) } == .duplicateID)
        #expect(index.ids == before.ids && index.attributes.values(for: 60) == [:])
    }
}
