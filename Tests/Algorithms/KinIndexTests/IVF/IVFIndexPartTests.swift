import KinIndex
import KinTestSupport
import Testing

@Suite("Index sections in a larger file")
struct IVFIndexPartTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("index.kin") }

    private func index(_ id: VectorID = 7) throws -> VectorIndex {
        var index = VectorIndex(dimension: 3)
        try index.upsert([1, 2, 3], id: id)
        return index
    }

    private func save(
        kind: FourCharacterCode = IVFFile.kind, _ body: (inout SectionFileWriter) throws(KinError) -> Void
    ) throws {
        try SectionFileWriter.write(to: path, kind: kind, kindVersion: IVFFile.version, body)
    }

    @Test func readersOfAnIndexIgnoreOtherSections() throws {
        let index = try index()
        try save { writer throws(KinError) in
            try index.write(to: &writer)
            try writer.write([UInt8]("change 17".utf8).span, to: "NOTE")
        }
        #expect(try VectorIndex(opening: path).vector(for: 7) == [1, 2, 3])
        #expect(try VectorIndex.verify(path).isIntact)
        let file = try SectionFile(verifying: path, files: SystemFiles())
        #expect(file.section("NOTE")?.array(of: UInt8.self) == [UInt8]("change 17".utf8))
        // Without other parts, the file equals a saved one.
        try save { writer throws(KinError) in try index.write(to: &writer) }
        let without = try contents(of: path)
        try index.save(to: path)
        #expect(try contents(of: path) == without)
    }

    @Test func aFileHasSeveralIndexesAndTexts() throws {
        let texts = ["", "a", "é and 猫", "", String(repeating: "long ", count: 1000)]
        let indexes = try (1...3).map { try index(VectorID(UInt64($0))) }
        try save(kind: "TEST") { writer throws(KinError) in
            for (number, index) in indexes.enumerated() {
                try writer.writePart(UInt8(number) * 100 + 1) { writer throws(KinError) in try index.write(to: &writer)
                }
            }
            try writer.write(texts: texts.map { Array($0.utf8) }, to: ("TXTB", "TXTE"))
        }
        let file = try SectionFile(verifying: path, files: SystemFiles())
        for number in 0..<3 {
            let found = try VectorIndex(listsOf: file.part(UInt8(number) * 100 + 1))
            #expect(found.ids == indexes[number].ids)
        }
        #expect(errorCode { try VectorIndex(listsOf: file.part(2)) } == .corruptFile)
        #expect(errorCode { try VectorIndex(opening: path) } == .unsupportedFormat)
        let found = try SavedTexts(file, ("TXTB", "TXTE"), count: texts.count)
        #expect((0..<found.count).map { found[$0] } == texts)
        #expect(errorCode { try SavedTexts(file, ("TXTB", "TXTE"), count: 2) } == .corruptFile)
    }

    @Test func aDamagedFileIsNotOpened() throws {
        try index().save(to: path)
        let good = try contents(of: path)
        for place in good.indices {
            var bytes = good
            bytes[place] ^= 4
            try writeCarelessly(bytes, to: path)
            let code = errorCode { try SectionFile(verifying: path, files: SystemFiles()) }
            #expect(code == .corruptFile || code == .unsupportedFormat, "byte \(place)")
        }
    }
}
