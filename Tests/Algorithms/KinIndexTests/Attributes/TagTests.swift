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
}
