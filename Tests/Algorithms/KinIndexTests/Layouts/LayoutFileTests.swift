import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Files of every layout")
struct LayoutFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("removed vectors and attributes leave no trace in the file", arguments: IndexLayout.eachKind)
    func removedVectorsLeaveNoTrace(layout: IndexLayout) throws {
        var random = TestSeed().generator
        let schema = try AttributeSchema(["user": .category, "visits": .integer])
        var index = VectorIndex(smallListsOf: 16, partition: layout)
        try index.declareAttributes(schema)
        try index.append(random.uniformMatrix(rows: 700, columns: 16))
        let (id, visits, user) = (UInt64(0xDEAD_BEEF_F00D), Int64(0x5EC2_E75E_C2E7), "a name that nobody else has")
        let secret = (0..<16).map { 0.3 + Float($0) / 64 }
        try index.upsert(
            Matrix(rows: [secret, secret]), ids: [VectorID(id), 7],
            attributes: ["user": .categories([user, user + "!"]), "visits": .integers([visits, 1])])
        try index.append(random.uniformMatrix(rows: 50, columns: 16))
        let traces = [littleEndian(id), littleEndian(visits), Array(user.utf8), littleEndian(secret[3].bitPattern)]
        func found() throws -> [Bool] {
            try index.save(to: path("a.kin"))
            let bytes = try Data(folder.bytes("a.kin"))
            return traces.map { bytes.range(of: Data($0)) != nil }
        }
        #expect(try found() == [true, true, true, true])
        index.remove([VectorID(id)])
        try index.upsert([Float](repeating: 0.5, count: 16), id: 7)
        try index.setAttribute("user", to: nil, for: 7)
        #expect(try found() == [false, false, false, false])
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
