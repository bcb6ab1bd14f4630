import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Combinations of filters")
struct FilterAlgebraTests {
    private static let layouts: [IndexLayout] = [.flat, .lists]

    /// A filter, and whether it allows an id.
    private struct Case {
        let filter: SearchFilter
        let allows: (UInt64) -> Bool
    }

    /// An index of rows with ids 0, step, 2 · step … and a name for each if it has names.
    private func index(
        _ layout: IndexLayout, _ rows: Matrix<Float>, step: UInt64, isNamed: Bool
    ) throws -> (index: VectorIndex, ids: [VectorID]) {
        var index = VectorIndex(smallListsOf: 4, partition: layout, shift: 6)
        let ids = (0..<rows.rows).map { VectorID(UInt64($0) * step) }
        if isNamed {
            let given = try index.upsert(rows, names: ids.map { "name \($0)" })
            return (index, given)
        }
        try index.upsert(rows, ids: ids)
        return (index, ids)
    }

    /// A random combination of sets, functions, conditions on ids and, if there is an attribute, on it.
    private func combination(
        _ ids: [VectorID], in index: VectorIndex, depth: Int, _ random: inout SeededGenerator
    ) throws -> Case {
        if depth > 0, random.below(4) > 0 {
            let a = try combination(ids, in: index, depth: depth - 1, &random)
            let b = try combination(ids, in: index, depth: depth - 1, &random)
            switch random.below(3) {
            case 0: return Case(filter: a.filter && b.filter) { a.allows($0) && b.allows($0) }
            case 1: return Case(filter: a.filter || b.filter) { a.allows($0) || b.allows($0) }
            default: return Case(filter: !a.filter) { !a.allows($0) }
            }
        }
        let some = Set(ids.shuffled(using: &random).prefix(1 + random.below(ids.count)).map(\.rawValue))
        switch random.below(7) {
        case 0: return Case(filter: .all) { _ in true }
        case 1: return Case(filter: .ids(some.map { VectorID($0) } + [777_777_777]), allows: some.contains)
        case 2:
            let odd = UInt64(1 + random.below(5))
            return Case(filter: .predicate { $0.rawValue % (odd + 1) == 0 }) { $0 % (odd + 1) == 0 }
        case 3 where some.allSatisfy { $0 < 100_000 }:
            return Case(filter: .bitmap(IDBitmap(some.map { VectorID($0) })), allows: some.contains)
        case 4 where index.hasNames:
            let names = some.compactMap { index.name(of: VectorID($0)) }
            return Case(filter: .names(names + ["nobody"]), allows: some.contains)
        case 5 where !index.hasNames:
            let limit = ids[ids.count / 2].rawValue
            return Case(filter: .matching(.compare("id", .less, .id(VectorID(limit))))) { $0 < limit }
        default:
            guard !index.attributes.schema.isEmpty else { return Case(filter: .ids([]), allows: { _ in false }) }
            let step = ids[1].rawValue
            let plain = SearchFilter.matching(.equals("third", 1))
            return Case(filter: random.below(2) == 0 ? plain : try index.prepare(plain)) { ($0 / step) % 3 == 1 }
        }
    }

    @Test("allow what sets and functions allow", arguments: layouts, [false, true])
    func algebra(layout: IndexLayout, isNamed: Bool) throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.gaussianMatrix(rows: 700, columns: 4)
        for (step, hasAttributes) in [(UInt64(1), true), (1, false), (5_000_011, true), (5_000_011, false)] {
            var (index, ids) = try index(layout, rows, step: isNamed ? 1 : step, isNamed: isNamed)
            if hasAttributes {
                try index.declareAttributes(AttributeSchema(["third": .integer]))
                try index.setAttributes(["third": .integers(ids.indices.map { Int64($0 % 3) })], ids: ids)
            }
            for round in 0..<60 {
                let made = try combination(ids, in: index, depth: 4, &random)
                let comment: Comment = "\(layout), step \(step), round \(round)"
                let expected = index.ids.filter { made.allows($0.rawValue) }.sorted()
                #expect(try index.ids(where: made.filter) == expected, comment)
                let query = Array(rows.row(random.below(700)))
                let set = SearchFilter.ids(expected)
                let neighbors = try index.search(query, k: 9, options: .init(where: set))
                for filter in [made.filter, try index.prepare(made.filter)] {
                    #expect(try index.search(query, k: 9, options: .init(where: filter)) == neighbors, comment)
                    let table = try index.search(
                        Matrix(rows: 1, columns: 4, elements: query), k: 9, options: .init(where: filter))
                    #expect(Array(table[0]) == neighbors, comment)
                }
                // A prepared filter stays correct after a change.
                let prepared = try index.prepare(made.filter)
                if round % 20 == 19 { #expect(index.remove([ids[round]]) == 1) }
                let rest = index.ids.filter { made.allows($0.rawValue) }.sorted()
                #expect(try index.ids(where: prepared) == rest, comment)
            }
        }
    }

    @Test("few ids limit the rows that are tested")
    func candidates() throws {
        let table = AttributeTable(schema: try AttributeSchema(["n": .integer]))
        func candidates(_ filter: SearchFilter, atMost limit: Int = 10) throws -> Set<VectorID>? {
            guard case .expression(let expression) = filter.kind else { return nil }
            return try BoundFilter(expression, table).candidates(atMost: limit).map { Set($0) }
        }
        let n = SearchFilter.matching(.equals("n", 1))
        #expect(try candidates(.ids([1, 2]) && n) == [1, 2])
        #expect(try candidates(.ids([1, 2]) && .ids([2]) && n) == [2])
        #expect(try candidates((.ids([1, 2]) || .ids([9])) && n) == [1, 2, 9])
        #expect(try candidates(.ids([1, 2]) || n) == nil)
        #expect(try candidates(!.ids([1, 2])) == nil)
        #expect(try candidates(.ids([1, 2]) && n, atMost: 1) == nil)
        #expect(try candidates(.ids([1, 2]) || .ids([3]), atMost: 2) == nil)
        #expect(try candidates(n) == nil)
    }

    @Test("ids that are texts are compared by equality", arguments: layouts)
    func textIDs(layout: IndexLayout) throws {
        var (index, ids) = try index(
            layout, Matrix(rows: [[0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0]]), step: 1, isNamed: true)
        func found(_ text: String) throws -> [VectorID] {
            try index.ids(where: .matching(FilterExpression(parsing: text)))
        }
        #expect(try found("id = 'name 1'") == [ids[1]])
        #expect(try found("id != 'name 1'") == [ids[0], ids[2]])
        #expect(try found("id != nobody") == ids && found("id = nobody") == [])
        #expect(try found("id in ('name 2', nobody, 'name 0')") == [ids[0], ids[2]])
        #expect(try found("id not in ('name 2') and id is present") == [ids[0], ids[1]])
        for (text, words) in [
            ("id = 5", "ids of this index are texts"), ("id in ('name 1', true)", "write \"true\""),
            ("id < 'b'", "have no order"), ("id between 1 and 5", "have no order"),
        ] {
            #expect(kinError { _ = try found(text) }.says(words, code: .invalidArgument), "\(text)")
        }
        // A name that returns after its removal has a new id.
        index.remove([ids[1]])
        #expect(try found("id = 'name 1'") == [])
        let again = try index.upsert([1, 1, 1, 1], name: "name 1")
        #expect(again != ids[1])
        #expect(try found("id = 'name 1'") == [again])
        let numbers = try self.index(layout, Matrix(rows: [[0, 0, 0, 0]]), step: 1, isNamed: false).index
        for filter in [SearchFilter.names(["a"]), .matching(.compare("id", .less, "a")), !.names(["a"])] {
            let error = #expect(throws: KinError.self) { _ = try numbers.ids(where: filter) }
            #expect(error?.message.contains("id is an integer and cannot be compared with the text a") ?? false)
        }
        // An index without vectors accepts both.
        let empty = VectorIndex(dimension: 4, layout: layout)
        #expect(try empty.ids(where: .names(["a"]) || .matching(.equals("id", 5))) == [])
    }

    @Test("a wrong filter of a batch is refused with its row")
    func filtersOfABatch() throws {
        let index = VectorIndex(dimension: 4, layout: .flat)
        let queries = Matrix<Float>(rows: 9, columns: 4, repeating: 1)
        func error(_ filters: [SearchFilter], _ queries: Matrix<Float>) -> KinError? {
            kinError { _ = try index.search(queries, k: 3, options: .init(filters: filters)) }
        }
        #expect(error([.all], queries)?.code == .invalidArgument)
        let one = errorCode { try index.search([1, 1, 1, 1], k: 3, options: .init(filters: [.all])) }
        #expect(one == .invalidArgument)
        let wrong = Array(repeating: SearchFilter.all, count: 7) + [.matching(.equals("city", "Rome")), .all]
        #expect("\(try #require(error(wrong, queries)))".contains("row 7"))
    }

    @Test("a column has the values of the given ids, in their order")
    func columns() throws {
        var random = TestSeed().generator
        let sample = SampleRows((0..<90).map { VectorID(UInt64($0) * 3) }, using: &random)
        let table = try sample.table()
        let ids = [VectorID.none, 4] + sample.ids.shuffled(using: &random).prefix(20)
        for (name, kind) in SampleRows.schema {
            let expected = ids.map { id in sample.ids.firstIndex(of: id).flatMap { sample.rows[$0][name] } }
            #expect(try table.column(name, of: ids) == AttributeColumn(kind, expected), "\(name)")
        }
        #expect(errorCode { try table.column("nobody", of: ids) } == .invalidArgument)
    }
}
