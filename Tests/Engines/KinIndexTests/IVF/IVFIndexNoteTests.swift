import KinCore
import KinIndex
import KinTestSupport
import Testing

@Suite("The note in an index file")
struct IVFIndexNoteTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("index.kin") }

    private func index() throws -> IVFIndex {
        var index = IVFIndex(dimension: 3)
        try index.upsert([1, 2, 3], id: 7)
        return index
    }

    @Test func aNoteComesBackAndOtherReadersPassItOver() throws {
        let index = try index()
        for note in [[UInt8]("change 17".utf8), [0], []] {
            try index.save(to: path, note: note, files: SystemFiles())
            let opened = try IVFIndex.openNoted(path, files: SystemFiles())
            #expect(opened.note == note)
            #expect(opened.index.vector(for: 7) == [1, 2, 3])
            #expect(try IVFIndex(mapping: path).vector(for: 7) == [1, 2, 3])
            #expect(try IVFIndex.verify(path).isIntact)
        }
        // Without a note, the file is the one that saving always made.
        let without = try contents(of: path)
        try index.save(to: path)
        #expect(try contents(of: path) == without)
    }

    @Test func aDamagedFileIsNotOpened() throws {
        try index().save(to: path, note: [1, 2, 3], files: SystemFiles())
        let good = try contents(of: path)
        for place in good.indices {
            var bytes = good
            bytes[place] ^= 4
            try writeCarelessly(bytes, to: path)
            let code = errorCode { try IVFIndex.openNoted(path, files: SystemFiles()) }
            #expect(code == .corruptFile || code == .unsupportedFormat, "byte \(place)")
        }
    }
}
