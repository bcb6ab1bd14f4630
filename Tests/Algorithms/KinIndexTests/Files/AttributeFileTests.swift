import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Attributes in files")
struct AttributeFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    /// An index of sample rows.
    private func index(
        _ ids: [VectorID], _ random: inout SeededGenerator, hasTags: Bool = true
    ) throws -> (VectorIndex, SampleRows) {
        let sample = SampleRows(ids, using: &random, hasTags: hasTags)
        var schema = AttributeSchema()
        for (name, kind) in SampleRows.schema where hasTags || kind != .tags { try schema.append(name, kind) }
        var index = VectorIndex(dimension: 5, layout: .flat, attributes: schema)
        try index.upsert(
            random.gaussianMatrix(rows: ids.count, columns: 5), ids: ids,
            attributes: sample.columns(0..<ids.count).filter { schema[$0.key] != nil })
        return (index, sample)
    }

    @Test("an opened index equals the saved one", arguments: [0, 1, 64, 300, 9_000], [UInt64(1), 5])
    func roundTrip(count: Int, spacing: UInt64) throws {
        var random = TestSeed().generator
        var (index, sample) = try index((0..<UInt64(count)).map { VectorID($0 * spacing) }, &random)
        try index.save(to: path("a.kin"))
        let opened = try VectorIndex(opening: path("a.kin"))
        #expect(opened.attributes.schema == index.attributes.schema)
        #expect(opened.attributes.ids == sample.ids)
        #expect(zip(sample.ids, sample.rows).allSatisfy { opened.attributes.values(for: $0) == $1 })
        for _ in 0..<30 {
            let expression = try FilterExpression(parsing: NaiveCondition.random(&random, depth: 2).text)
            let found = try opened.attributes.ids(where: expression)
            #expect(try found == index.attributes.ids(where: expression), "\(expression)")
            let query: [Float] = [0, 0, 0, 0, 1]
            #expect(
                try opened.search(query, k: 5, options: .init(where: .matching(expression)))
                    == index.search(query, k: 5, options: .init(where: .matching(expression))),
                "\(expression)")
        }
        let report = try VectorIndex.verify(path("a.kin"))
        #expect(report.isIntact, "\(String(describing: report.damage))")
        #expect(report.kindVersion == FormatVersion(major: 1, minor: 2))
        #expect(report.facts.last?.name == "attributes")

        try opened.save(to: path("b.kin"))
        let first = try folder.bytes("a.kin")
        #expect(try folder.bytes("b.kin") == first, "the same index gives the same bytes")
        index.compact()
        try index.save(to: path("b.kin"))
        #expect(try folder.bytes("b.kin") == first, "compacting changes nothing in the file")
    }

    /// `Golden/flat-v1.1.kin` and `tags-v1.2.kin` were written when their versions were fixed, and are never rewritten.
    @Test("saving reproduces the committed files, which open", arguments: [("flat-v1.1", false), ("tags-v1.2", true)])
    func golden(name: String, hasTags: Bool) throws {
        var random = SeededGenerator(seed: 43)
        let (index, sample) = try index((0..<100).map { VectorID($0 * 7 % 300) }, &random, hasTags: hasTags)
        try index.save(to: path("golden.kin"))
        let golden = try goldenFile(name)
        let isSame = try contents(of: golden) == folder.bytes("golden.kin")
        #expect(isSame, "FORMAT.md says when a format may change, and how its version is raised")
        let opened = try VectorIndex(opening: golden)
        #expect(zip(sample.ids, sample.rows).allSatisfy { opened.attributes.values(for: $0) == $1 })
        #expect(try VectorIndex.verify(golden).isIntact)
    }

    @Test("a set of tags out of order and an unknown kind are refused")
    func invalidTags() throws {
        var index = VectorIndex(dimension: 1, layout: .flat, attributes: try AttributeSchema(["tags": .tags]))
        try index.upsert(
            Matrix(rows: 2, columns: 1, repeating: 0), ids: [1, 2],
            attributes: ["tags": .tags([try TagSet(["b", "a"]), nil])])
        try index.save(to: path("a.kin"))
        let good = try folder.bytes("a.kin")
        let file = try SectionFile(mapping: path("a.kin"))
        func changed(_ tag: FourCharacterCode, _ bytes: [UInt8]) throws -> [UInt8] {
            let section = try #require(file.sections.first { $0.name.tag == tag }).section
            return file.replacing(bytes, at: 0, of: section, in: good)
        }
        #expect(try VectorIndex.verify(path("a.kin")).isIntact)
        for set in ["b\u{1F}a", "a\u{1F}a", "a\u{1F}\u{1F}", "\u{1F}ab", "a\u{1}b"] {
            let bytes = try changed(AttributeFile.categories.bytes, Array(set.utf8))
            let report = try VectorIndex.verify(folder.file("b.kin", bytes))
            let damage = try #require(report.damage, "\(set.debugDescription)")
            #expect("\(damage)".contains("string 0 is not a set of tags"), "\(damage)")
        }
        let newer = try changed(AttributeFile.attributes, littleEndian(UInt32(AttributeFile.kinds.count)))
        let error = kinError { try VectorIndex(file: unsafe SectionFile(copying: newer.span.bytes)) }
        #expect(error.says("a newer release wrote it", code: .corruptFile))
    }
}
