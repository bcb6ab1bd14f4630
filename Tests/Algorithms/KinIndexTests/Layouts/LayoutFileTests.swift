import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Files of every layout")
struct LayoutFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    private func index(_ dimension: Int, metric: Metric = .squaredL2, _ layout: IndexLayout) -> VectorIndex {
        layout.isFlat
            ? VectorIndex(dimension: dimension, metric: metric, layout: layout)
            : VectorIndex(smallListsOf: dimension, metric: metric, partition: layout)
    }

    @Test(
        "an opened index equals the saved one", arguments: Metric.allCases,
        [IndexLayout.flat, .lists, .medianSplits, .centroids(5)])
    func roundTrip(metric: Metric, layout: IndexLayout) throws {
        var random = TestSeed().generator
        let sizes = [(0, DataShape.uniform), (1, .uniform), (64, .uniform), (300, .clustered), (2_500, .correlated)]
        for (count, shape) in layout.isFlat ? sizes + [(9_000, .uniform)] : sizes {
            let vectors = shape.matrix(rows: count, dimension: 5, random: &random)
            let ids = (0..<count).map { VectorID(UInt64($0) * 5 + 3) }.shuffled(using: &random)
            var index = index(5, metric: metric, layout)
            try index.upsert(vectors, ids: ids)
            try index.save(to: path("a.kin"))
            let opened = try VectorIndex(opening: path("a.kin"))
            #expect(opened.count == count && opened.metric == metric && opened.dimension == 5)
            #expect(opened.layout == layout && opened.ids == index.ids && Set(opened.ids) == Set(ids))
            #expect(try ids.prefix(50).allSatisfy { try opened.vector(for: $0) == index.vector(for: $0) })
            #expect(!opened.contains(4))
            if layout.isFlat {
                #expect(opened.ids == ids)
            } else {
                #expect(opened.listCount == index.listCount)
                #expect(opened.lists.store.frame == index.lists.store.frame)
                #expect(opened.brokenInvariant() == nil)
            }
            let queries: Matrix<Float> = random.gaussianMatrix(rows: 4, columns: 5)
            #expect(try opened.search(queries, k: 10) == index.search(queries, k: 10))
            let report = try VectorIndex.verify(path("a.kin"))
            #expect(report.isIntact, "\(String(describing: report.damage))")

            try opened.save(to: path("b.kin"))
            #expect(try folder.bytes("a.kin") == folder.bytes("b.kin"), "the same index gives the same bytes")
        }
    }

    @Test("removed vectors leave no trace in the file", arguments: IndexLayout.eachKind)
    func removedVectorsLeaveNoTrace(layout: IndexLayout) throws {
        var random = TestSeed().generator
        var index = index(16, layout)
        try index.append(random.uniformMatrix(rows: 700, columns: 16))
        let secret = (0..<16).map { 0.3 + Float($0) / 64 }
        try index.upsert(secret, id: 0xDEAD_BEEF_F00D)
        try index.append(random.uniformMatrix(rows: 50, columns: 16))
        let vector = Data(secret.flatMap { number in (0..<4).map { UInt8(number.bitPattern >> (8 * $0) & 255) } })
        let id = Data((0..<8).map { UInt8(UInt64(0xDEAD_BEEF_F00D) >> (8 * $0) & 255) })
        try index.save(to: path("before.kin"))
        #expect(try Data(folder.bytes("before.kin")).range(of: id) != nil)
        index.remove(0xDEAD_BEEF_F00D)
        try index.save(to: path("a.kin"))
        #expect(try Data(folder.bytes("a.kin")).range(of: vector.prefix(16)) == nil)
        #expect(try Data(folder.bytes("a.kin")).range(of: id) == nil)
    }

    @Test("the header determines the kind of a file", arguments: [(IndexLayout.flat, "FLAT"), (.lists, "IVF ")])
    func kinds(layout: IndexLayout, kind: String) throws {
        try VectorIndex(dimension: 3, layout: layout).save(to: path("a.kin"))
        #expect(try VectorIndex(opening: path("a.kin")).layout == layout)
        #expect(try VectorIndex.verify(path("a.kin")).kind == kind)
        #expect(
            errorCode { try VectorIndex(dimension: 3, layout: layout).save(to: path("no/such/folder/a.kin")) }
                == .inputOutput)
    }

    @Test("errors of opening have the cause and the file")
    func errors() throws {
        #expect(errorCode { try VectorIndex(opening: path("none.kin")) } == .inputOutput)
        try SectionFileWriter.write(
            to: path("other.kin"), kind: "ELSE", kindVersion: FormatVersion(major: 1, minor: 0)
        ) { _ in }
        #expect(kinError { try VectorIndex(opening: path("other.kin")) }.says("other.kin", code: .unsupportedFormat))
        try Data("not a Kin file, just some words that are longer than a header would be, one hopes".utf8)
            .write(to: URL(filePath: path("words.kin")))
        let words = #expect(throws: KinError.self) { try VectorIndex(opening: path("words.kin")) }
        #expect(words?.description.contains("words.kin") == true)
        #expect(words?.context.filter { $0.name == "file" }.count == 1)
    }
}
