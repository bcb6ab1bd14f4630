import Foundation
import KinCore
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Files of every layout")
struct LayoutFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    @Test("removed vectors leave no trace in the file", arguments: IndexLayout.eachKind)
    func removedVectorsLeaveNoTrace(layout: IndexLayout) throws {
        var random = TestSeed().generator
        var index =
            layout.isFlat
            ? VectorIndex(dimension: 16, layout: layout) : VectorIndex(smallListsOf: 16, partition: layout)
        try index.append(random.uniformMatrix(rows: 700, columns: 16))
        let secret = (0..<16).map { 0.3 + Float($0) / 64 }
        try index.upsert(secret, id: 0xDEAD_BEEF_F00D)
        try index.append(random.uniformMatrix(rows: 50, columns: 16))
        let vector = Data(secret.flatMap { number in (0..<4).map { UInt8(number.bitPattern >> (8 * $0) & 255) } })
        let id = Data((0..<8).map { UInt8(UInt64(0xDEAD_BEEF_F00D) >> (8 * $0) & 255) })
        try index.save(to: path("before.kin"))
        #expect(try bytes("before.kin").range(of: id) != nil)
        index.remove(0xDEAD_BEEF_F00D)
        try index.save(to: path("a.kin"))
        #expect(try bytes("a.kin").range(of: vector.prefix(16)) == nil)
        #expect(try bytes("a.kin").range(of: id) == nil)
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
        let error = #expect(throws: KinError.self) { try VectorIndex(opening: path("other.kin")) }
        #expect(error?.code == .unsupportedFormat && error?.description.contains("other.kin") == true)
        try Data("not a Kin file, just some words that are longer than a header would be, one hopes".utf8)
            .write(to: URL(filePath: path("words.kin")))
        let words = #expect(throws: KinError.self) { try VectorIndex(opening: path("words.kin")) }
        #expect(words?.description.contains("words.kin") == true)
        #expect(words?.context.filter { $0.name == "file" }.count == 1)
    }
}
