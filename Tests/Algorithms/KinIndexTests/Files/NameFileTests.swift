import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Names in files")
struct NameFileTests {
    private let folder = TemporaryFolder()

    private func index(_ layout: IndexLayout) throws -> VectorIndex {
        var random = SeededGenerator(seed: 54)
        var index = VectorIndex(dimension: 4, layout: layout)
        let names = (0..<100).map { "document-\($0 * 37 % 100)/é" }
        try index.upsert(random.gaussianMatrix(rows: 100, columns: 4), names: names)
        index.remove(names: ["document-3/é", "document-77/é"])
        return index
    }

    /// `Golden/flat-v1.2.kin` and `lists-v1.2.kin` were written when version 1.2 was fixed, and are never rewritten.
    @Test("saving reproduces the committed files, which open", arguments: ["flat", "lists"])
    func golden(layout: String) throws {
        let index = try index(layout == "flat" ? .flat : .lists)
        try index.save(to: folder.path("golden.kin"))
        let golden = try goldenFile("\(layout)-v1.2")
        let isSame = try contents(of: golden) == folder.bytes("golden.kin")
        #expect(isSame, "FORMAT.md says when a format may change, and how its version is raised")
        let opened = try VectorIndex(opening: golden)
        #expect(try opened.names()?.sorted() == index.names()?.sorted())
        let report = try VectorIndex.verify(golden)
        #expect(report.isIntact && report.kindVersion == FormatVersion(major: 1, minor: 2))
        #expect(report.facts.last?.name == "ids")
    }

    @Test("removed names leave no trace in the file")
    func removedNamesLeaveNoTrace() throws {
        var index = try index(.flat)
        let secret = "a name that only one vector has"
        try index.upsert([1, 2, 3, 4], name: secret)
        try index.save(to: folder.path("a.kin"))
        #expect(try Data(folder.bytes("a.kin")).range(of: Data(secret.utf8)) != nil)
        for var index in [index, try VectorIndex(opening: folder.path("a.kin"))] {
            index.remove(names: [secret])
            try index.save(to: folder.path("b.kin"))
            #expect(try Data(folder.bytes("b.kin")).range(of: Data(secret.utf8)) == nil)
        }
    }

    /// A file with one section replaced, and its checksum with it.
    private func crafted(_ tag: FourCharacterCode, _ change: (inout [UInt8]) -> Void) throws -> String {
        try index(.flat).save(to: folder.path("a.kin"))
        let file = try SectionFile(mapping: folder.path("a.kin"))
        let path = folder.path("crafted.kin")
        try SectionFileWriter.write(to: path, kind: file.header.kind, kindVersion: file.header.kindVersion) {
            writer throws(KinError) in
            for view in file.sections {
                var bytes = view.array(of: UInt8.self)
                if view.name.tag == tag { change(&bytes) }
                try writer.begin(view.name.tag, view.name.number, stride: view.stride)
                try writer.append(bytes.span)
            }
        }
        return path
    }

    @Test("verification finds names that contradict each other, their rules or the vectors")
    func verify() throws {
        let changes: [(FourCharacterCode, String, (inout [UInt8]) -> Void)] = [
            ("NAME", "NAME 0", { $0.replaceSubrange(0..<8, with: littleEndian(UInt64(1 << 40))) }),
            ("NAMB", "NAME 0", { $0[0] = 0xFF }),
            ("NAMB", "NAME 0", { $0[0] = UInt8(ascii: "z") }),
            ("NAMB", "NAMB 0", { $0[0] = 0x07 }),
            ("NAMI", "NAMO 0", { $0.replaceSubrange(0..<8, with: $0[8..<16]) }),
            ("NAMI", "NAMO 0", { $0.replaceSubrange(8..<16, with: littleEndian(UInt64(1 << 40))) }),
            ("NAMO", "NAMO 0", { $0.replaceSubrange(0..<4, with: littleEndian(UInt32(98))) }),
            ("NAMO", "NAMO 0", { $0.replaceSubrange(0..<4, with: $0[4..<8]) }),
        ]
        for (number, (tag, section, change)) in changes.enumerated() {
            let report = try VectorIndex.verify(crafted(tag, change))
            #expect(report.damage?.section == section, "\(number): \(String(describing: report.damage))")
        }
        // An id that no vector has, still in ascending order.
        let last = try #require(try index(.flat).ids.max()).rawValue
        let path = try crafted("NAMI") { bytes in
            let place = stride(from: 0, to: bytes.count, by: 8).first {
                littleEndian(last) == Array(bytes[$0..<$0 + 8])
            }
            bytes.replaceSubrange(place!..<place! + 8, with: littleEndian(last + 5))
        }
        #expect(try VectorIndex.verify(path).damage?.section == "NAMI 0")
        #expect(errorCode { try VectorIndex(opening: crafted("NAMI") { $0.removeLast(8) }) } == .corruptFile)
        #expect(errorCode { try VectorIndex(opening: crafted("NAMO") { $0.removeLast(4) }) } == .corruptFile)
        #expect(errorCode { try VectorIndex(opening: crafted("NAME") { $0.removeLast(8) }) } == .corruptFile)
        #expect(try VectorIndex.verify(crafted("NAMB") { _ in }).isIntact)
    }
}
