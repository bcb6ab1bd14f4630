import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Damaged inverted-file indexes")
struct IVFHostileFileTests {
    private let folder = TemporaryFolder()

    /// A small index with everything that a file can contain: a rotated frame, codes with outliers, boxes, gaps between
    /// ids.
    private func sample(_ partition: IndexLayout) throws -> (index: VectorIndex, bytes: [UInt8]) {
        var random = SeededGenerator(seed: 3)
        var index = VectorIndex(smallListsOf: 6, partition: partition)
        let vectors = DataShape.correlated.matrix(rows: 1_500, dimension: 6, random: &random)
        try index.upsert(vectors, ids: (0..<1_500).map { VectorID(UInt64($0) * 7) })
        // Just far enough below the grid of a list's codes in one dimension to be an outlier, and inside the grid of
        // its boxes.
        for (c, id) in [5, 700].enumerated() {
            let list = index.lists.store.lists[c]
            let rows = (0..<list.count).map { index.lists.store.vector(at: index.lists.store.slot(list: c, row: $0)) }
            let widest = (0..<6).map { j in rows.map { $0[j] }.max()! - rows.map { $0[j] }.min()! }.max()!
            var vector = rows.min { $0[2] < $1[2] }!
            for _ in 0..<20
            where index.lists.store.lists.count(where: { $0.chunk.coding?.outliers.isEmpty == false }) <= c {
                vector[2] -= 0.03 * widest
                try index.upsert(vector, id: VectorID(UInt64(id)))
            }
        }
        try index.save(to: folder.path("sample.kin"))
        return (index, try folder.bytes("sample.kin"))
    }

    /// The contents of the golden file, from when version 1.0 was fixed. The division of an index may change between
    /// releases, so it is not rebuilt here: the vectors must match, and a save must write the same bytes.
    @Test("a version 1.0 file opens and is rewritten byte for byte")
    func golden() throws {
        var random = SeededGenerator(seed: 42)
        let vectors = DataShape.correlated.matrix(rows: 300, dimension: 4, random: &random)
        let golden = try goldenFile("ivf-v1")
        let opened = try VectorIndex(opening: golden)
        #expect(opened.lists.store.boxes != nil && opened.lists.store.lists.allSatisfy { $0.boxes != nil })
        #expect(
            opened.count == 529 && opened.listCount == 3 && opened.lists.store.frame.isRotated
                && opened.brokenInvariant() == nil)
        #expect(opened.lists.store.lists.contains { $0.chunk.coding != nil })
        #expect(try (0..<300).allSatisfy { try opened.vector(for: VectorID(UInt64($0) * 2)) == Array(vectors.row($0)) })
        var flat = VectorIndex(dimension: 4, layout: .flat)
        for id in opened.ids { try flat.upsert(#require(try opened.vector(for: id)), id: id) }
        let found = try opened.search(vectors, k: 5)
        let expected = try flat.search(vectors, k: 5)
        for q in 0..<vectors.rows { expectSame(found[q], expected[q], "query \(q)") }
        #expect(try VectorIndex.verify(golden).isIntact)
        try opened.save(to: folder.path("again.kin"))
        #expect(try folder.bytes("again.kin") == contents(of: golden))
    }

    @Test("the sample has every kind of section")
    func sampleIsComplete() throws {
        let (tree, _) = try sample(.lists)
        let file = try SectionFile(mapping: folder.path("sample.kin"))
        #expect(Set(file.sections.map(\.name.tag)).count == 17, "\(file.sections.map(\.name))")
        #expect(tree.lists.store.frame.isRotated && tree.brokenInvariant() == nil)
        let (lists, _) = try sample(.centroids(5))
        #expect(lists.lists.partition.centroidLists != nil)
    }

    @Test("an index with non-finite rows can still be changed", arguments: 0..<2, [Float.nan, .infinity])
    func rowsWithoutNumbers(partition: Int, value: Float) throws {
        var (_, bytes) = try sample(partition == 0 ? .lists : .centroids(5))
        var random = TestSeed().generator
        let file = try unsafe SectionFile(copying: bytes.span.bytes)
        for rows in file.sections where rows.name.tag == IndexSections.rows {
            for place in stride(from: rows.section.offset, to: rows.section.end, by: 4) where random.below(3) > 0 {
                bytes.replaceSubrange(place..<place + 4, with: littleEndian(value.bitPattern))
            }
        }
        var index = try unsafe VectorIndex(file: SectionFile(copying: bytes.span.bytes))
        let query = [Float](repeating: 0.5, count: 6)
        _ = try index.search(query, k: 10)
        index.remove((0..<200).map { VectorID(UInt64($0) * 7) })
        for i in 0..<400 {
            try index.upsert((0..<6).map { _ in Float(random.gaussian()) }, id: VectorID(UInt64(1 << 40 + i)))
        }
        // Rebuilds the whole index.
        let fresh: Matrix<Float> = random.gaussianMatrix(rows: 2_000, columns: 6)
        try index.append(fresh)
        #expect(index.count == 3_701 && Set(index.ids).count == 3_701)
        #expect(try index.search(Array(fresh.row(5)), k: 1).first?.distance == 0)
        index.remove(index.ids)
        #expect(index.isEmpty)
    }

    @Test("recommending from an id without a vector is an error, not an overread")
    func foundWithoutVector() throws {
        let (index, good) = try sample(.lists)
        let query = try #require(try index.vector(for: 14))
        let file = try unsafe SectionFile(copying: good.span.bytes)
        var bytes = good
        // Every id becomes one that is not in the table.
        for ids in file.sections where ids.name.tag == IndexSections.ids {
            for place in stride(from: ids.section.offset, to: ids.section.end, by: 8) { bytes[place + 6] = 0x7F }
        }
        let damaged = try unsafe VectorIndex(file: SectionFile(copying: resealed(bytes).span.bytes))
        #expect(try damaged.search(query, k: 3).count == 3)
        let wanted = Recommendation(positive: [.vector(query)], diversity: 0.3)
        #expect(errorCode { try damaged.recommend(wanted, k: 5) } == .corruptFile)
    }

    @Test("list entries out of range and invalid boxes are refused")
    func entries() throws {
        let (index, good) = try sample(.lists)
        let file = try unsafe SectionFile(copying: good.span.bytes)
        let coded = try #require(index.lists.store.lists.firstIndex { $0.chunk.coding != nil })
        let boxed = try #require(index.lists.store.lists.firstIndex { $0.boxes != nil })
        func count(_ tag: FourCharacterCode) throws -> UInt64 { UInt64(try #require(file.section(tag)).section.count) }
        let changes: [(tag: FourCharacterCode, byte: Int, bytes: [UInt8], mentions: String)] = [
            ("CELL", 48 * coded + 16, littleEndian(try count("GRID")), "GRID"),
            ("CELL", 48 * boxed + 24, littleEndian(try count("BOXS")), "BOXS"),
            ("CBOX", 0, littleEndian(Float.nan.bitPattern), "CBOX"),
            ("CBOX", 0, littleEndian(Float.infinity.bitPattern), "CBOX"),
        ]
        for change in changes {
            let section = try #require(file.section(change.tag)).section
            let path = try folder.file(
                "bad.kin", file.replacing(change.bytes, at: change.byte, of: section, in: good))
            #expect(kinError { try VectorIndex(opening: path) }.says(change.mentions, code: .corruptFile))
        }
    }

    @Test("verification finds wrong values with valid checksums")
    func contradictions() throws {
        let (index, good) = try sample(.lists)
        let file = try unsafe SectionFile(copying: good.span.bytes)
        let coded = try #require(index.lists.store.lists.firstIndex { $0.chunk.coding != nil })
        let boxed = try #require(index.lists.store.lists.firstIndex { $0.boxes != nil })
        let table = index.lists.store.lists[..<boxed].count { $0.boxes != nil }
        let blockBytes = index.lists.store.layout.blockBytes
        // Each change writes a number at a byte of a section.
        let changes: [(name: String, tag: FourCharacterCode, number: Int, byte: Int, bytes: [UInt8])] = [
            ("ROWS", "ROWS", 0, 4, littleEndian(Float.nan.bitPattern)),
            ("CODE", "CODE", coded, 7, [3]),
            ("IDS ", "IDS ", 0, 0, littleEndian(UInt64.max)),
            ("IDS ", "IDS ", 1, 0, littleEndian(UInt64(14))),
            ("CBOX", "CBOX", 0, 0, littleEndian(index.lists.store.lists[0].high[0].bitPattern)),
            ("BOXS", "BOXS", 0, 2 * blockBytes * table, [255]),
            ("TLOW", "TLOW", 0, 0, [255]),
            ("CELL", "CELL", 0, 48 * coded + 32, littleEndian((1e-9).bitPattern)),
            // The largest existing id.
            ("META", "META", 0, 32, littleEndian(UInt64(1_499 * 7))),
        ]
        for change in changes {
            let section = try #require(file.section(change.tag, UInt32(change.number))).section
            let bytes = file.replacing(change.bytes, at: change.byte, of: section, in: good)
            let report = try VectorIndex.verify(folder.file("bad.kin", bytes))
            #expect(report.damage?.section?.hasPrefix(change.name) == true, "\(change.name): \(report.damage as Any)")
        }
    }

    @Test("rows outside the grid must be in their chunk and in ascending order")
    func outliers() throws {
        var random = TestSeed().generator
        var vectors: Matrix<Float> = random.gaussianMatrix(rows: 600, columns: 6)
        for row in [80, 200] { vectors[row, 2] = 1e6 * Float(row) }
        var index = VectorIndex(dimension: 6, layout: .flat)
        try index.append(vectors)
        let path = folder.path("far.kin")
        try index.save(to: path)
        let good = try contents(of: path)
        let file = try unsafe SectionFile(copying: good.span.bytes)
        let section = try #require(file.section("EXCP")).section
        #expect(section.count == 2)
        // The row after the last one, the same row twice, and the wrong order.
        for (place, row) in [(1, 600), (0, 200), (0, 201)] as [(Int, UInt32)] {
            let bad = file.replacing(littleEndian(row), at: 4 * place, of: section, in: good)
            try writeCarelessly(bad, to: path)
            #expect(kinError { try VectorIndex(opening: path) }.says("EXCP", code: .corruptFile))
        }
    }
}
