import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Attribute filters")
struct FilterEvaluationTests {
    @Test("every expression allows the rows of a naive evaluator")
    func randomExpressions() throws {
        var random = TestSeed().generator
        let inOrder = (0..<700).map { VectorID(UInt64($0)) }
        let spread = (0..<500).map { VectorID(UInt64($0) * 2) }.shuffled(using: &random)
        let farApart = (0..<9).map { VectorID(UInt64($0) << 40) }
        for ids in [inOrder, spread, farApart] {
            let sample = SampleRows(ids, using: &random)
            let table = try sample.table()
            for _ in 0..<500 {
                let condition = NaiveCondition.random(&random, depth: 3)
                let expression = try FilterExpression(parsing: condition.text)
                let expected = zip(ids, sample.rows).filter { condition.holds($0, $1) }.map(\.0)
                let note = "\(condition.text)"
                #expect(try table.ids(where: expression) == expected, "\(note)")
                #expect(try table.count(where: expression) == expected.count, "\(note)")
                let again = try FilterExpression(parsing: expression.description)
                #expect(again == expression, "\(note): \(expression)")
                let some = Int(random.next() % UInt64(ids.count))
                let isAllowed = try table.allows(ids[some], where: expression)
                #expect(isAllowed == condition.holds(ids[some], sample.rows[some]), "\(note), id \(ids[some])")
                let isStrangerAllowed = try table.allows(999_999, where: expression)
                #expect(isStrangerAllowed == condition.holds(999_999, [:]), "\(note)")
            }
        }
    }

    @Test("large tables give the same rows on several threads")
    func threads() throws {
        var random = TestSeed().generator
        let sample = SampleRows((0..<40_000).map { VectorID(UInt64($0) + 5) }, using: &random)
        let table = try sample.table()
        for _ in 0..<8 {
            let condition = NaiveCondition.random(&random, depth: 3)
            let bound = try BoundFilter(try FilterExpression(parsing: condition.text), table)
            let mask = bound.mask(table.store)
            #expect(bound.mask(table.store, threads: 3) == mask, "\(condition.text)")
            let expected = zip(sample.ids, sample.rows).filter { condition.holds($0, $1) }.map(\.0)
            #expect(AttributeSelection(table, mask: mask).ids == expected, "\(condition.text)")
            let selection = AttributeSelection(table, mask: mask)
            #expect(selection.bitmap.map { Array($0) } == expected)
            #expect(expected.prefix(100).allSatisfy { selection.contains($0) } && !selection.contains(3))
        }
    }

    @Test("integers and floating-point numbers are compared exactly")
    func exactComparisons() throws {
        var table = AttributeTable(schema: try AttributeSchema(["n": .integer, "x": .number]))
        let integers: [Int64?] = [.min, -1, 0, 1 << 53, (1 << 53) + 1, .max, nil]
        let numbers: [Double?] = [-.greatestFiniteMagnitude, -0.5, -0.0, 0x1p53, 0x1p53 + 2, 1e300, nil]
        try table.upsert(["n": .integers(integers), "x": .numbers(numbers)], ids: (0..<7).map { VectorID($0) })
        func ids(_ text: String) throws -> [UInt64] {
            try table.ids(where: FilterExpression(parsing: text)).map(\.rawValue)
        }
        #expect(try ids("n = 9007199254740993") == [4])
        #expect(try ids("n > 9007199254740992.0") == [4, 5])
        #expect(try ids("n < -9223372036854775807") == [0])
        #expect(try ids("n < -9223372036854775808") == [])
        #expect(try ids("n >= -99999999999999999999") == [0, 1, 2, 3, 4, 5])
        #expect(try ids("n != 1.5") == [0, 1, 2, 3, 4, 5])
        #expect(try ids("n between -1.5 and 0.5") == [1, 2])
        #expect(try ids("n in (0, 0.5, -1.0, 99999999999999999999)") == [1, 2])
        #expect(try ids("x = 9007199254740993") == [])
        #expect(try ids("x > 9007199254740993") == [4, 5])
        #expect(try ids("x < 9007199254740993") == [0, 1, 2, 3])
        #expect(try ids("x <= 9007199254740993") == [0, 1, 2, 3])
        #expect(try ids("x = 0") == [2])
        #expect(try ids("x in (-0.0, 9007199254740993)") == [2])
        #expect(try ids("x < -1e308") == [0])
        #expect(try ids("x > 170141183460469231731687303715884105727") == [5])
        #expect(try ids("id = 18446744073709551614") == [])
        #expect(try ids("id < 99999999999999999999 and id > -1 and id != 2.5 and not id < 2") == [2, 3, 4, 5, 6])
        for condition in ["id = -5", "id != -5", "id in (1, -5)"] {
            #expect(throws: KinError.self, "\(condition)") { try ids(condition) }
        }
    }

    @Test("up to 200 joined conditions agree, row by row and as a whole", arguments: [2, 63, 64, 65, 200])
    func manyConditions(count: Int) throws {
        var random = TestSeed().generator
        let table = try SampleRows([1, 2, 3], using: &random).table()
        let others = (0..<count - 1).map { FilterExpression.equals("id", .integer(Int128($0) + 100)) }
        let any = FilterExpression.joined(others + [.equals("id", 2)], isAnd: false)
        let all = FilterExpression.joined([.equals("id", 2)] + others.map { !$0 }, isAnd: true)
        for expression in [any, all] {
            #expect(try table.ids(where: expression) == [2])
            let allowed = try [1, 2, 3].filter { try table.allows($0, where: expression) }
            #expect(allowed == [2])
        }
    }
}
