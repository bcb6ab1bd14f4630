import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Tags")
struct TagTests {
    private func ids(_ table: AttributeTable, _ text: String) throws -> [VectorID] {
        try table.ids(where: FilterExpression(parsing: text))
    }

    @Test("a set has each tag once, in the order of bytes")
    func sets() throws {
        let set = try TagSet(["red", "ünï", "a b", "red", "u\u{308}nï"])
        #expect(set.tags.map { Array($0.utf8) } == ["a b", "red", "u\u{308}nï", "ünï"].map { Array($0.utf8) })
        #expect(try set == TagSet(set.tags.reversed()) && set.description == "a b, red, u\u{308}nï, ünï")
        #expect(try TagSet([String]()).tags == [] && TagSet(separated: "").tags == [])
        #expect(try TagSet(separated: "b\u{1F}a").tags == ["a", "b"])
        for wrong in ["", "a\u{1F}b", "\n", "\u{7F}", "a\u{0}"] {
            #expect(kinError { _ = try TagSet(["fine", wrong]) }.says("control characters", code: .invalidArgument))
        }
        #expect(throws: KinError.self) { try TagSet(separated: "a\u{1F}\u{1F}b") }
    }

    @Test("a filter finds the tags of its own snapshot")
    func snapshots() throws {
        var table = AttributeTable(schema: try AttributeSchema(["tags": .tags]))
        try table.upsert(["tags": .tags([try TagSet(["a"]), try TagSet(["b"])])], ids: [1, 2])
        for isCompact in [false, true] {
            if isCompact { table.compact() }
            var (first, second) = (table, table)
            try first.set("tags", to: .tags(TagSet(["x", "a"])), for: 2)
            try second.set("tags", to: .tags(TagSet(["y"])), for: 1)
            #expect(try ids(first, "tags contains a") == [1, 2] && ids(first, "tags contains x") == [2])
            #expect(try ids(first, "tags contains y") == [] && ids(second, "tags contains y") == [1])
            #expect(try ids(second, "tags contains x") == [] && ids(second, "tags contains b") == [2])
            #expect(try ids(table, "tags contains a") == [1] && ids(table, "tags overlaps (x, y)") == [])
            first.compact()
            #expect(try ids(first, "tags contains b") == [] && ids(first, "tags contains x") == [2])
        }
    }

    @Test("searches, updates and merges of both layouts follow the tags", arguments: [IndexLayout.flat, .lists])
    func searches(layout: IndexLayout) throws {
        var random = TestSeed().generator
        let schema = try AttributeSchema(["tags": .tags])
        func index(_ ids: [VectorID]) throws -> (VectorIndex, [VectorID: TagSet]) {
            let vectors: Matrix<Float> = random.uniformMatrix(rows: ids.count, columns: 4)
            let sets = try ids.map { _ in try TagSet((0..<3).map { _ in "t\(random.below(12))" }) }
            var index = VectorIndex(dimension: 4, layout: layout, attributes: schema)
            try index.upsert(vectors, ids: ids, attributes: ["tags": .tags(sets)])
            return (index, Dictionary(uniqueKeysWithValues: zip(ids, sets)))
        }
        var (whole, sets) = try index((0..<1_200).map { VectorID($0) })
        let (other, more) = try index((5_000..<5_300).map { VectorID($0) })
        func check(_ index: VectorIndex, _ step: String) throws {
            for tag in ["t0", "t7", "t11", "none"] {
                let filter = SearchFilter.matching(.contains("tags", .text(tag)))
                let expected = sets.filter { $0.value.tags.contains(tag) }.map(\.key).sorted()
                #expect(try index.ids(where: filter) == expected, "\(step), \(tag)")
                let found = try index.search([0.5, 0.5, 0.5, 0.5], k: 2_000, options: .init(where: filter))
                #expect(found.map(\.id).sorted() == expected, "\(step), \(tag)")
            }
        }
        try check(whole, "built")
        whole.remove((0..<200).map { VectorID($0 * 3) })
        for id in 0..<200 { sets[VectorID(UInt64(id) * 3)] = nil }
        try whole.setAttribute("tags", to: .tags(TagSet(["t7", "new"])), for: 1)
        sets[1] = try TagSet(["t7", "new"])
        try check(whole, "changed")
        try whole.merge(other)
        sets.merge(more) { _, new in new }
        try check(whole, "merged")
        let folder = TemporaryFolder()
        try whole.save(to: folder.path("tags.kin"))
        var opened = try VectorIndex(opening: folder.path("tags.kin"), verify: .onUse)
        #expect(opened.attributes.values(for: 1) == ["tags": .tags(try TagSet(["new", "t7"]))])
        try check(opened, "opened")
        try opened.setAttribute("tags", to: .tags(TagSet(["t0"])), for: 4)
        sets[4] = try TagSet(["t0"])
        try check(opened, "changed in place")
        opened.compact()
        try check(opened, "compacted")
    }
}
