import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Attribute tables")
struct AttributeTableTests {
    @Test("random changes leave the same contents as a dictionary")
    func againstDictionary() throws {
        var random = TestSeed().generator
        var table = AttributeTable(schema: try AttributeSchema(SampleRows.schema))
        var expected: [VectorID: [String: AttributeValue]] = [:]
        var snapshots: [(AttributeTable, [VectorID: [String: AttributeValue]])] = []
        for step in 0..<400 {
            switch random.below(5) {
            case 0, 1:
                let ids = Set((0..<random.below(120)).map { _ in VectorID(UInt64(random.below(3_000))) })
                let sample = SampleRows(ids.shuffled(using: &random), using: &random)
                let columns = sample.columns(0..<sample.ids.count)
                let named = columns.filter { _ in random.below(4) > 0 }
                try table.upsert(named, ids: sample.ids)
                for (id, row) in zip(sample.ids, sample.rows) {
                    var values = expected[id] ?? [:]
                    for name in named.keys { values[name] = row[name] }
                    expected[id] = values
                }
            case 2:
                for _ in 0..<random.below(80) {
                    let id = VectorID(UInt64(random.below(3_000)))
                    #expect(table.remove(id) == (expected.removeValue(forKey: id) != nil))
                }
            case 3:
                guard let id = expected.keys.min() else { continue }
                let value: AttributeValue? = random.below(2) == 0 ? nil : .category("set \(step)")
                try table.set("user", to: value, for: id)
                expected[id]?["user"] = value
            default:
                if random.below(4) == 0 { table.compact() }
                if snapshots.count < 6 { snapshots.append((table, expected)) }
            }
            #expect(table.count == expected.count)
        }
        for (table, expected) in snapshots + [(table, expected)] {
            let ids = Array(expected.keys)
            var copy = AttributeTable(schema: table.schema)
            try copy.upsert(table.columns(of: ids), ids: ids)
            #expect(expected.allSatisfy { copy.values(for: $0.key) == $0.value })
            #expect(Set(table.ids) == Set(expected.keys))
            #expect(expected.allSatisfy { table.values(for: $0.key) == $0.value })
            #expect(table.store.strays == (0..<table.count).count { table.store.id(at: $0).rawValue != UInt64($0) })
            #expect(table.ids.allSatisfy { $0.rawValue <= table.store.idBound })
        }
    }

    @Test("a write after a snapshot copies one chunk and shares the rest")
    func sharing() throws {
        var table = AttributeTable(schema: try AttributeSchema(["n": .integer]))
        let n = 5 * AttributeLayout.chunkRows
        try table.upsert(["n": .integers((0..<n).map { Int64($0) })], ids: (0..<UInt64(n)).map { VectorID($0) })
        let snapshot = table
        try table.set("n", to: .integer(-1), for: 10_000)
        let shared = zip(table.store.chunks, snapshot.store.chunks).map { $0 === $1 }
        #expect(shared == [true, false, true, true, true])
        #expect(try snapshot.value(of: "n", for: 10_000) == .integer(10_000))
        #expect(try table.value(of: "n", for: 10_000) == .integer(-1))
    }

    @Test("a failed call changes nothing")
    func allOrNothing() throws {
        var random = TestSeed().generator
        let sample = SampleRows((0..<50).map { VectorID(UInt64($0)) }, using: &random)
        var table = try sample.table()
        let ids: [VectorID] = [7, 8, 100]
        let bad: [([String: AttributeColumn], [VectorID], KinError.Code)] = [
            (["score": .numbers([1, .nan, 2])], ids, .notFinite),
            (["score": .numbers([1, 2])], ids, .invalidArgument),
            (["score": .integers([1, 2, 3])], ids, .invalidArgument),
            (["scroe": .numbers([1, 2, 3])], ids, .invalidArgument),
            (["score": .numbers([1, 2, 3])], [7, 8, 7], .duplicateID),
            (["score": .numbers([1, 2, 3])], [7, 8, .none], .invalidArgument),
        ]
        for (columns, ids, code) in bad {
            #expect(errorCode { try table.upsert(columns, ids: ids) } == code)
        }
        #expect(errorCode { try table.set("user", to: .category("x"), for: 99) } == .unknownID)
        #expect(errorCode { try table.set("user", to: .integer(1), for: 9) } == .invalidArgument)
        #expect(errorCode { try table.value(of: "usr", for: 9) } == .invalidArgument)
        #expect(table.count == 50)
        #expect(zip(sample.ids, sample.rows).allSatisfy { table.values(for: $0) == $1 })
        let error = #expect(throws: KinError.self) { try table.upsert(bad[0].0, ids: ids) }
        #expect(error?.description == "attribute score, row 1: the number is nan; leave the value out instead")
    }

    @Test("removed values are wiped, and unused categories are forgotten")
    func forgetting() throws {
        var table = AttributeTable(schema: try AttributeSchema(["user": .category, "n": .integer]))
        try table.upsert(
            ["user": .categories(["a", "secret", "b"]), "n": .integers([1, 77_777, 3])], ids: [0, 9_999, 2])
        table.remove(9_999)
        let chunk = try #require(table.store.chunks.first)
        let bytes = unsafe UnsafeRawBufferPointer(start: chunk.memory, count: chunk.byteCount)
        let words = unsafe bytes.bindMemory(to: UInt64.self)
        #expect(unsafe !words.contains(77_777) && !words.contains(9_999))
        #expect(try table.categoryCount(of: "user") == 3)
        table.compact()
        #expect(try table.categoryCount(of: "user") == 2)
        #expect(table.values(for: 2) == ["user": .category("b"), "n": .integer(3)])
        #expect(try table.ids(where: .equals("user", "b")) == [2])
        #expect(try table.ids(where: .equals("user", "secret")) == [])
        try table.upsert(["user": .categories(["c"])], ids: [5])
        #expect(try table.ids(where: .isIn("user", ["c", "b"])) == [2, 5])
    }

    @Test("categories are compared byte for byte")
    func bytes() throws {
        var table = AttributeTable(schema: try AttributeSchema(["user": .category]))
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        try table.upsert(["user": .categories([composed, decomposed])], ids: [1, 2])
        for _ in 0..<2 {
            #expect(try table.ids(where: .equals("user", .text(composed))) == [1])
            #expect(try table.ids(where: .equals("user", .text(decomposed))) == [2])
            table.compact()
        }
    }

    @Test("attributes can be declared later but not changed")
    func declaring() throws {
        var table = AttributeTable(schema: try AttributeSchema(["n": .integer]))
        try table.upsert(["n": .integers([1, 2])], ids: [5, 6])
        let before = table
        try table.declare(try AttributeSchema(["n": .integer, "user": .category, "stay": .timeRange]))
        #expect(table.schema.attributes.map(\.name) == ["n", "user", "stay"])
        try table.set("user", to: .category("a"), for: 6)
        #expect(table.values(for: 6) == ["n": .integer(2), "user": .category("a")])
        #expect(table.values(for: 5) == ["n": .integer(1)])
        #expect(before.schema.attributes.count == 1 && before.values(for: 6) == ["n": .integer(2)])
        #expect(errorCode { try table.declare(try AttributeSchema(["x": .number, "n": .time])) } == .invalidArgument)
        #expect(table.schema["x"] == nil)
        for name in ["", "id", "ID", "a.b", "a\"b", "a\nb", String(repeating: "x", count: 129)] {
            #expect(errorCode { try AttributeSchema([name: .integer]) } == .invalidArgument, "\(name)")
        }
        #expect(errorCode { try AttributeSchema(["a": .integer, "a": .integer]) } == .invalidArgument)
    }

    @Test("filter categories without rows are reported with the nearest match")
    func unknownCategories() throws {
        var table = AttributeTable(schema: try AttributeSchema(["city": .category, "visits": .integer, "tags": .tags]))
        try table.upsert(
            [
                "city": .categories(["Berlin", "Rome", nil]), "visits": .integers([1, 2, 3]),
                "tags": .tags([try TagSet(["garden", "quiet"]), nil, try TagSet([String]())]),
            ],
            ids: [VectorID(1), VectorID(2), VectorID(3)])
        func unknown(_ text: String) throws -> [String] {
            try table.unknownCategories(in: FilterExpression(parsing: text)).map(\.description)
        }
        #expect(try unknown("city = Berlin and visits > 7 or city is missing").isEmpty)
        #expect(try unknown("city = Berln") == [#"no row has city = "Berln"; did you mean "Berlin"?"#])
        #expect(
            try unknown("not (city in (Rome, Oslo)) and city != 'Rom'")
                == [#"no row has city = "Oslo""#, #"no row has city = "Rom"; did you mean "Rome"?"#])
        #expect(try unknown("tags contains garden and tags overlaps (quiet)").isEmpty)
        #expect(
            try unknown("tags overlaps (gardn, quiet)") == [#"no row has tags with "gardn"; did you mean "garden"?"#])
        table.compact()
        #expect(try unknown("tags contains gardn") == [#"no row has tags with "gardn"; did you mean "garden"?"#])
        #expect(throws: KinError.self) { try unknown("town = Rome") }
    }
}
