import KinIndex
import KinTestSupport
import Testing

@Suite("Section files survive a round trip")
struct RoundTripTests {
    @Test func theBytesMatchTheFormat() throws {
        #expect(try SampleFile.bytes() == SampleFile.byHand.bytes)
    }

    /// `SampleFile` wrote the file when version 1.0 was fixed, and it is never rewritten.
    @Test func theWriterReproducesTheFileOfVersion1() throws {
        #expect(try contents(of: goldenFile("container-1.0")) == SampleFile.bytes())
    }

    @Test func sectionsSurviveARoundTripMappedAndCopied() throws {
        let folder = TemporaryFolder()
        let path = folder.path("sample.kin")
        try SampleFile.write(to: path)
        for file in [try SectionFile(mapping: path), try SectionFile(copyOf: contents(of: path))] {
            #expect(file.header.kind == "TEST")
            #expect(file.header.kindVersion == FormatVersion(major: 7, minor: 3))
            #expect(file.header.version == FormatVersion(major: 1, minor: 0))
            #expect(file.sections.map(\.name.description) == ["VECS 0", "IDS  0", "VECS 1", "NOTE 9"])
            #expect(file.sections.map(\.count) == [5, 5, 0, SampleFile.note.count])

            let vectors = try file.section("VECS", requiring: 64, count: 5)
            let floats = vectors.withBytes { bytes in
                (0..<80).map { unsafe bytes.unsafeLoad(fromByteOffset: 4 * $0, as: Float.self) }
            }
            #expect(floats == SampleFile.vectors)
            let ids = try file.section("IDS ", requiring: 8)
            #expect(ids.array(of: UInt64.self) == SampleFile.ids)
            let note = try #require(file.section("NOTE", 9))
            #expect(note.array(of: UInt8.self) == SampleFile.note)
            #expect(try file.section("VECS", 1, requiring: 64).withBytes { $0.isEmpty })
            #expect(file.section("VECS", 2) == nil)
        }
    }

    @Test func everySectionIsAlignedInMemory() throws {
        let folder = TemporaryFolder()
        try SampleFile.write(to: folder.path("sample.kin"))
        for view in try SectionFile(mapping: folder.path("sample.kin")).sections {
            #expect(unsafe Int(bitPattern: view.unsafeBytes.baseAddress) % 64 == 0)
        }
        for view in try SectionFile(copyOf: SampleFile.bytes()).sections {
            #expect(unsafe Int(bitPattern: view.unsafeBytes.baseAddress) % 64 == 0)
        }
    }

    @Test func viewsKeepTheBytesAlive() throws {
        let folder = TemporaryFolder()
        try SampleFile.write(to: folder.path("sample.kin"))
        let view = try #require(try SectionFile(mapping: folder.path("sample.kin")).section("NOTE", 9))
        #expect(view.array(of: UInt8.self) == SampleFile.note)
    }

    @Test func aFileWithoutSectionsIsValid() throws {
        let folder = TemporaryFolder()
        let path = folder.path("none.kin")
        try SectionFileWriter.write(to: path, kind: "NONE", kindVersion: FormatVersion(major: 1, minor: 0)) { _ in }
        #expect(try contents(of: path).count == 64)
        #expect(try SectionFile(mapping: path).sections.isEmpty)
        #expect(try verifySectionFile(at: path).isIntact)
    }

    /// A payload of several pieces, appended in parts of every size around the piece size, gives the same bytes as one
    /// append.
    @Test func cutsOfAPayloadDoNotChangeTheFile() throws {
        let folder = TemporaryFolder()
        var random = SeededGenerator(seed: 11)
        let payload = (0..<700_001).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let whole = folder.path("whole.kin")
        try write(payload, cuts: [payload.count], to: whole)
        let expected = try contents(of: whole)
        #expect(expected.count == 64 + 700_032 + 64)
        #expect(try verifySectionFile(at: whole).isIntact)
        for size in [997, 65_536, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 600_000] {
            let path = folder.path("cut.kin")
            try write(payload, cuts: Array(repeating: size, count: payload.count / size + 1), to: path)
            #expect(try contents(of: path) == expected, "cuts of \(size)")
        }
    }

    private func write(_ payload: [UInt8], cuts: [Int], to path: String) throws(KinError) {
        try SectionFileWriter.write(to: path, kind: "CUTS", kindVersion: FormatVersion(major: 1, minor: 0)) {
            writer throws(KinError) in
            try writer.begin("DATA", stride: 1)
            var start = 0
            for size in cuts {
                let end = min(payload.count, start + size)
                try writer.append(payload.span.extracting(start..<end))
                start = end
            }
        }
    }

    @Test func missingSectionsAreErrors() throws {
        let file = try SectionFile(copyOf: SampleFile.bytes())
        #expect(kinError { try file.section("VECS", 5, requiring: 64) }.says("VECS 5", code: .corruptFile))
        #expect(kinError { try file.section("VECS", requiring: 32) }.says("5 elements of 64", code: .corruptFile))
        #expect(kinError { try file.section("VECS", requiring: 64, count: 6) }.says("6 elements", code: .corruptFile))
        #expect(
            kinError { try file.require("FLAT", version: FormatVersion(major: 1, minor: 0), name: "a flat index") }
                .says("not a flat index", code: .unsupportedFormat))
        #expect(
            kinError { try file.require("TEST", version: FormatVersion(major: 6, minor: 9), name: "a test") }.says(
                "version 7.3", code: .unsupportedFormat))
        try file.require("TEST", version: FormatVersion(major: 7, minor: 0), name: "a test")
    }
}
