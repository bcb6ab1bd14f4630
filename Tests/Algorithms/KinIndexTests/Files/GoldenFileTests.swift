import Foundation
import KinIndex
import Testing

/// `Golden/container-1.0.kin` was written by `SampleFile` when version 1.0 was fixed, and is never rewritten.
@Suite("Section files of version 1.0")
struct GoldenFileTests {
    private func golden() throws -> String {
        try #require(Bundle.module.url(forResource: "Golden/container-1.0", withExtension: "kin")).path
    }

    @Test func theWriterReproducesTheGoldenFile() throws {
        #expect(try contents(of: golden()) == SampleFile.bytes())
    }

    @Test func theReaderReadsTheGoldenFile() throws {
        let path = try golden()
        let file = try SectionFile(mapping: path)
        try file.require("TEST", version: FormatVersion(major: 7, minor: 3), name: "the sample")
        let ids = try file.section("IDS ", requiring: 8, count: 5)
        #expect(ids.array(of: UInt64.self) == SampleFile.ids)
        let vectors = try file.section("VECS", requiring: 64, count: 5)
        let floats = vectors.withBytes { bytes in
            (0..<80).map { unsafe bytes.unsafeLoad(fromByteOffset: 4 * $0, as: Float.self) }
        }
        #expect(floats == SampleFile.vectors)

        let report = try verifySectionFile(at: path)
        #expect(report.isIntact)
        #expect(report.kind == "TEST" && report.version == FormatVersion(major: 1, minor: 0))
        #expect(report.totalBytes == 768)
        #expect(report.sections.map(\.offset) == [64, 384, 448, 448])
        #expect(report.sections.map(\.length) == [320, 40, 0, SampleFile.note.count])
    }
}
