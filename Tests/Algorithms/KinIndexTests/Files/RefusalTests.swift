import KinIndex
import KinTestSupport
import Testing

/// One fault at a time, with valid checksums, so each rule has to catch its own fault.
@Suite("Violations of the format are refused")
struct RefusalTests {
    private func refuse(
        _ code: KinError.Code,
        mentions text: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout HandmadeFile) -> Void
    ) {
        var file = SampleFile.byHand
        change(&file)
        let bytes = file.bytes
        #expect(kinError { try SectionFile(copyOf: bytes) }.says(text, code: code), sourceLocation: sourceLocation)
        #expect(
            kinError { try verifySectionFile(reading: FileImage(copyOf: bytes)) }.says(text, code: code),
            sourceLocation: sourceLocation)
    }

    @Test func invalidHeadersAreRefused() {
        refuse(.unsupportedFormat, mentions: "not a Kin file") { $0.magic[3] = UInt8(ascii: "e") }
        refuse(.unsupportedFormat, mentions: "byte order") { $0.byteOrderMark = 0x0403_0201 }
        refuse(.unsupportedFormat, mentions: "use a newer release") { $0.version = (2, 0) }
        refuse(.unsupportedFormat, mentions: "write the file again") { $0.version = (0, 9) }
        refuse(.corruptFile, mentions: "kind of file") { $0.kind = "A\u{7}CD" }
        refuse(.corruptFile, mentions: "reserved bytes 48 to 59") { $0.reserved[11] = 1 }
        refuse(.corruptFile, mentions: "cut short") { $0.fileLength = 1 << 60 }
        refuse(.corruptFile, mentions: "was written") { $0.fileLength = 640 }
    }

    @Test func invalidPlacesAreRefused() {
        for offset in [0, 1, 63, 65, 128, 1 << 32, 1 << 63, .max - 63, .max] as [UInt64] {
            refuse(.corruptFile, mentions: "table") { $0.tableOffset = offset }
        }
        for count in [0, 3, 5, 1 << 26, 1 << 31, .max] as [UInt32] {
            refuse(.corruptFile, mentions: "table of \(count) sections") { $0.sectionCount = count }
        }
        for offset in [0, 63, 65, 64 + 320 + 8, 1 << 62, 1 << 63, .max - 63, .max] as [UInt64] {
            refuse(.corruptFile, mentions: "section IDS  0") { $0.sections[1].offset = offset }
        }
        for length in [1 << 20, 1 << 63, .max - 7, .max] as [UInt64] {
            refuse(.corruptFile, mentions: "section IDS  0") { $0.sections[1].length = length }
        }
    }

    @Test func sections() {
        refuse(.corruptFile, mentions: "does not lie between") { $0.sections[0].length = 384 + 64 }  // into the next
        refuse(.corruptFile, mentions: "does not lie between") { $0.sections[1].offset = 64 }  // on the one before
        refuse(.corruptFile, mentions: "does not lie between") {
            $0.sections.swapAt(0, 1); $0.sections[0].offset = 384
        }
        refuse(.corruptFile, mentions: "whole number of elements") { $0.sections[0].stride = 0 }
        refuse(.corruptFile, mentions: "whole number of elements") { $0.sections[0].stride = 48 }
        refuse(.corruptFile, mentions: "twice") { $0.sections[2].number = 0 }
        refuse(.corruptFile, mentions: "tag of section 3") { $0.sections[3].tag = "NO\nE" }
        refuse(.corruptFile, mentions: "reserved bytes of section NOTE 9") { $0.sections[3].reserved[31] = 1 }
    }

    @Test func additionsOfLaterMinorVersionsAreIgnored() throws {
        var file = SampleFile.byHand
        file.version = (1, 4)
        file.reserved[0] = 1
        file.sections[1].reserved[5] = 7
        file.sections.insert(.init("new!", 0, stride: 3, [1, 2, 3]), at: 1)
        let bytes = file.bytes
        let opened = try SectionFile(copyOf: bytes)
        #expect(opened.section("IDS ")?.count == 5)
        #expect(try verifySectionFile(reading: opened.image).isIntact)
    }

    @Test func sectionsMayBeAlignedMoreWidely() throws {
        var file = SampleFile.byHand
        let gap = HandmadeFile.Section("GAP ", 0, stride: 1, [UInt8](repeating: 0, count: 4096))
        file.sections.insert(gap, at: 1)
        var bytes = file.bytes
        // Removes the gap's table entry and leaves its zeros.
        let table = Int(number(bytes[32..<40]))
        bytes.removeSubrange(table + 64..<table + 128)
        bytes.replaceSubrange(24..<32, with: littleEndian(UInt64(bytes.count)))
        bytes.replaceSubrange(40..<44, with: littleEndian(UInt32(4)))
        let sealed = resealed(bytes)
        #expect(try verifySectionFile(reading: FileImage(copyOf: sealed)).isIntact)
    }
}
