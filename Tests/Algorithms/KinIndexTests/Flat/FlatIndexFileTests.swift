import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Saving and opening a flat index")
struct FlatIndexFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("reserved memory without vectors is not in the file")
    func reserved() throws {
        var index = VectorIndex(dimension: 5, layout: .flat)
        try index.save(to: path("none.kin"))
        index.reserveCapacity(1_000)
        try index.save(to: path("a.kin"))
        #expect(try Data(contentsOf: URL(filePath: path("a.kin"))) == Data(contentsOf: URL(filePath: path("none.kin"))))
        #expect(try VectorIndex.verify(path("a.kin")).isIntact)
        var opened = try VectorIndex(opening: path("a.kin"))
        try opened.upsert([1, 2, 3, 4, 5], id: 7)
        #expect(opened.ids == [7])
    }

    @Test("a mapped index can be changed and then replace its unchanged file")
    func changeMapped() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 20_000, columns: 16)
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(vectors)
        try index.save(to: path("a.kin"))
        let bytes = try Data(contentsOf: URL(filePath: path("a.kin")))

        var opened = try VectorIndex(opening: path("a.kin"))
        opened.remove([3, 19_999, 8_192])
        try opened.upsert(Array(vectors.row(0)), id: 77)
        let fresh = try opened.append(Matrix(rows: 1, columns: 16, repeating: 0.5))
        #expect(fresh == 20_000)
        #expect(try Data(contentsOf: URL(filePath: path("a.kin"))) == bytes)
        #expect(try opened.search(Array(vectors.row(0)), k: 2).map(\.id) == [0, 77])

        let reader = try VectorIndex(opening: path("a.kin"))
        try opened.save(to: path("a.kin"))
        #expect(try VectorIndex.verify(path("a.kin")).isIntact)
        #expect(reader.contains(3), "who has the old file open keeps it")
        let again = try VectorIndex(opening: path("a.kin"))
        #expect(!again.contains(3) && again.contains(20_000) && again.count == 19_998)
    }

    /// Row codes may differ between releases, because the choice of their grid may. The format and the search results
    /// may not.
    @Test("a version 1.0 file opens and is rewritten byte for byte")
    func golden() throws {
        var random = SeededGenerator(seed: 42)
        var index = VectorIndex(dimension: 6, metric: .squaredL2, layout: .flat)
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 300, columns: 6)
        try index.upsert(vectors, ids: (0..<300).map { VectorID(UInt64($0) * 7 % 1_000) })
        try index.save(to: path("golden.kin"))
        let golden = try #require(
            Bundle.module.url(forResource: "flat-v1", withExtension: "kin", subdirectory: "Golden"))
        let expected = try Data(contentsOf: golden)
        let written = try Data(contentsOf: URL(filePath: path("golden.kin")))
        #expect(
            written.count == expected.count && written.prefix(32) == expected.prefix(32),
            "FORMAT.md says when a format may change, and how its version is raised")
        let opened = try VectorIndex(opening: golden.path)
        try opened.save(to: path("again.kin"))
        #expect(try Data(contentsOf: URL(filePath: path("again.kin"))) == expected)
        #expect(opened.ids == index.ids)
        #expect(try opened.search(vectors, k: 5) == index.search(vectors, k: 5))
        #expect(try VectorIndex.verify(golden.path).isIntact)
    }

    @Test("damaged tables give an error or an index that stays within the file")
    func hostileBytes() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 6, layout: .flat)
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 300, columns: 6)
        try index.upsert(vectors, ids: (0..<300).map { VectorID(UInt64($0) * 7) })
        try index.save(to: path("a.kin"))
        let good = [UInt8](try Data(contentsOf: URL(filePath: path("a.kin"))))
        let file = try SectionFile(mapping: path("a.kin"))
        // Sections that are read when the file is opened: every bit of these is flipped, with the checksums corrected.
        for tag in [IndexSections.settings, FlatFile.chunks, FlatFile.grid] {
            let section = try #require(file.section(tag)).section
            for byte in section.offset..<section.end {
                for bit in 0..<8 {
                    var bytes = good
                    bytes[byte] ^= 1 << UInt8(bit)
                    useDamaged(bytes, query: Array(vectors.row(0)))
                }
            }
        }
        // Ids of the rows and of the lookup table.
        let ids = file.sections.filter { $0.name.tag.description.hasPrefix("MAP") || $0.name.tag == IndexSections.ids }
        for _ in 0..<400 {
            var bytes = good
            let section = ids[random.below(ids.count)].section
            bytes[section.offset + random.below(section.length)] ^= 1 << UInt8(random.below(8))
            useDamaged(bytes, query: Array(vectors.row(0)))
        }
        #expect(ids.count > 1)
        for _ in 0..<400 {
            var bytes = good
            for _ in 0..<8 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            useDamaged(bytes, query: Array(vectors.row(0)))
        }
    }

    @Test("verification finds a flipped bit and names its section")
    func verify() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(random.uniformMatrix(rows: 1_000, columns: 16))
        try index.save(to: path("a.kin"))
        let url = URL(filePath: path("a.kin"))
        let good = try Data(contentsOf: url)
        for section in try VectorIndex.verify(path("a.kin")).sections {
            var bad = good
            bad[section.offset + section.length / 2] ^= 0x10
            try bad.write(to: url)
            let report = try VectorIndex.verify(path("a.kin"))
            #expect(!report.isIntact && report.damage?.section == section.name)
        }
    }
}
