import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

/// Index files with chosen contents and right checksums, and index files with flipped bits.
///
/// KIN_CRAFTED_FILES and KIN_FLIPPED_BITS set the numbers of files; `.ci/trust` tries many under the address sanitizer.
@Suite("Crafted and corrupted index files")
struct CraftedFileTests {
    private let folder = TemporaryFolder()
    private static let dimension = 6

    /// The layouts of the samples.
    static let layouts: [IndexLayout] = [.flat, .lists, .centroids(5)]

    /// An index with attributes, gaps between ids, and several chunks or lists with codes and boxes.
    private func sample(_ layout: IndexLayout, hasNames: Bool) throws -> VectorIndex {
        var random = SeededGenerator(seed: 3)
        let schema = try AttributeSchema([
            "city": .category, "age": .integer, "open": .timeRange, "score": .number, "tags": .tags,
        ])
        var index = VectorIndex(smallListsOf: Self.dimension, partition: layout)
        try index.declareAttributes(schema)
        var ids = (0..<1_500).map { VectorID(UInt64($0) * 7) }
        let vectors = DataShape.correlated.matrix(rows: 1_500, dimension: Self.dimension, random: &random)
        if hasNames {
            ids = try index.upsert(vectors, names: ids.map { "name \($0)" })
        } else {
            try index.upsert(vectors, ids: ids)
        }
        for (i, id) in ids.enumerated() where i % 3 == 0 {
            try index.setAttribute("city", to: .category("city \(i % 11)"), for: id)
            try index.setAttribute("age", to: .integer(Int64(i % 90)), for: id)
            try index.setAttribute("tags", to: .tags(TagSet(["tag \(i % 7)", "tag \(i % 5)"])), for: id)
        }
        return index
    }

    private func bytes(of index: VectorIndex) throws -> [UInt8] {
        try index.save(to: folder.path("sample.kin"))
        return try folder.bytes("sample.kin")
    }

    @Test(
        "a crafted file with valid checksums gives an error or stays within the file", arguments: layouts,
        [false, true])
    func crafted(layout: IndexLayout, hasNames: Bool) throws {
        var random = TestSeed().generator
        let index = try sample(layout, hasNames: hasNames)
        let good = try bytes(of: index)
        let query = try #require(try index.vector(for: 14))
        let file = try unsafe SectionFile(copying: good.span.bytes)
        var opened = 0
        let files = repetitions("KIN_CRAFTED_FILES", standard: 1_800) / (2 * Self.layouts.count)
        for _ in 0..<files {
            var bytes = good
            for _ in 0...random.below(3) { craft(&bytes, file, &random) }
            if useDamaged(bytes, query: query) { opened += 1 }
        }
        #expect(opened > files / 20 && opened < files, "\(opened) of \(files) opened")
    }

    @Test(
        "damage to any section is named by a check and refused by a verified opening", arguments: layouts,
        [false, true])
    func everySection(layout: IndexLayout, hasNames: Bool) throws {
        let good = try bytes(of: try sample(layout, hasNames: hasNames))
        let path = folder.path("sample.kin")
        #expect(throws: Never.self) { try VectorIndex(opening: path, verify: .all) }
        let sections = try VectorIndex.verify(path).sections.filter { $0.length > 0 }
        #expect(sections.contains { $0.name.hasPrefix("CAT") } && sections.contains { $0.name.hasPrefix("ROWS") })
        for section in sections {
            var bad = good
            bad[section.offset + section.length / 2] ^= 0x10
            try FileManager.default.removeItem(atPath: path)
            try Data(bad).write(to: URL(filePath: path))
            let report = try VectorIndex.verify(path)
            #expect(!report.isIntact && report.damage?.section == section.name)
            #expect(errorCode { try VectorIndex(opening: path, verify: .all) } == .corruptFile, "\(section.name)")
        }
    }

    /// Replaces a few bytes of a section, and the checksum of the section.
    private func craft(_ bytes: inout [UInt8], _ file: SectionFile, _ random: inout SeededGenerator) {
        let sections = file.sections.map(\.section)
        // Every tag equally often: most sections hold vectors, so most files would open otherwise.
        let tag = sections[random.below(sections.count)].name.tag
        let tags = Set(sections.map(\.name.tag)).sorted { $0.description < $1.description }
        let wanted = random.below(4) == 0 ? tag : tags[random.below(tags.count)]
        let candidates = sections.indices.filter { sections[$0].name.tag == wanted && sections[$0].length >= 8 }
        guard let number = candidates.isEmpty ? nil : candidates[random.below(candidates.count)] else { return }
        let section = sections[number]
        func place() -> Int { section.offset + random.below(section.length / 4 - 1) * 4 }
        let target = place()
        switch random.below(5) {
        case 0:
            bytes[target + random.below(8)] ^= 1 << UInt8(random.below(8))
        case 1:
            let extremes: [UInt64] = [
                0, 1, 63, 64, 255, 1 << 31, 1 << 32, .max, .max - 1, 1 << 63, 0x7FF8_0000_7FC0_0000,
            ]
            bytes.replaceSubrange(target..<target + 8, with: littleEndian(extremes[random.below(extremes.count)]))
        case 2:
            let source = place()
            bytes.replaceSubrange(target..<target + 8, with: bytes[source..<source + 8])
        case 3:
            let number = littleEndian(UInt32(random.below(4_000)))
            bytes.replaceSubrange(target..<target + 4, with: number)
        default:
            for i in 0..<8 { bytes[target + i] = UInt8(random.below(256)) }
        }
        file.correctChecksum(ofEntry: number, in: &bytes)
    }

    /// The answers of an index to one query, which reads few lists, or to questions of every kind.
    private func answers(_ index: VectorIndex, queries: Matrix<Float>, isNarrow: Bool) throws(KinError) -> [String] {
        let query = Array(queries.row(0))
        var answers = ["\(index.count) \(index.ids.reduce(0) { $0 &* 31 &+ $1.rawValue })"]
        answers.append("\(try index.search(query, k: 3)) \(try index.vector(for: 7) ?? [])")
        answers.append("\(index.name(of: 7) ?? "") \(index.id(of: "name 98") ?? 0) \(try index.names() ?? [])")
        if isNarrow { return answers }
        let expression = try FilterExpression(parsing: "city = 'city 3' or age < 9 or tags contains 'tag 2'")
        answers.append("\(try index.search(query, k: 4, options: .init(where: .ids([7, 14, 700]))))")
        answers.append("\(try index.search(query, k: 4, options: .init(where: .matching(expression))))")
        answers.append("\(try index.rangeSearch(query, radius: 0.3))")
        answers.append("\(try index.recommend(.init(positive: [.id(14), .vector(query)], diversity: 0.2), k: 4))")
        answers.append("\(try index.search(queries, k: 3))")
        for id in [700, 7_000] as [VectorID] {
            answers.append("\(try index.vector(for: id) ?? [])\(index.attributes.values(for: id) ?? [:])")
        }
        return answers
    }

    @Test(
        "a flipped bit is found by a full check and before its section is used", arguments: layouts, [false, true])
    func flipped(layout: IndexLayout, hasNames: Bool) throws {
        var random = TestSeed().generator
        let index = try sample(layout, hasNames: hasNames)
        let good = try bytes(of: index)
        let queries = DataShape.correlated.matrix(rows: 40, dimension: Self.dimension, random: &random)
        let expected = try [false, true].map { try answers(index, queries: queries, isNarrow: $0) }
        let path = folder.path("flipped.kin")
        let sections = try SectionFile(mapping: folder.path("sample.kin")).sections.map(\.section)
        var (refused, answered) = (0, 0)
        let flips = repetitions("KIN_FLIPPED_BITS", standard: 180) / (2 * Self.layouts.count)
        for _ in 0..<flips {
            var bytes = good
            // Half of the bits in vectors and codes, which take most of the file; the others anywhere else.
            let isContent = random.below(2) == 0
            let chosen = sections.filter { $0.length > 0 && ContentCheck.deferred.contains($0.name.tag) == isContent }
            let section = chosen[random.below(chosen.count)]
            bytes[section.offset + random.below(section.length)] ^= 1 << UInt8(random.below(8))
            try Data(bytes).write(to: URL(filePath: path))
            #expect(errorCode { try VectorIndex(opening: path, verify: .all) } == .corruptFile)
            do throws(KinError) {
                let opened = try VectorIndex(opening: path, verify: .onUse)
                let isNarrow = random.below(2) == 0
                let found = try answers(opened, queries: queries, isNarrow: isNarrow)
                #expect(found == expected[isNarrow ? 1 : 0], "\(section.name)")
                answered += 1
                // Saving notices damage in unused sections before it writes them with a right checksum.
                #expect(errorCode { try opened.save(to: folder.path("laundered.kin")) } == .corruptFile)
            } catch {
                #expect(error.code == .corruptFile && error.description.contains(path), "\(error)")
                refused += 1
            }
        }
        #expect(refused > 0 && (answered > 0 || layout.isFlat), "\(refused) refused, \(answered) answered")
    }
}
