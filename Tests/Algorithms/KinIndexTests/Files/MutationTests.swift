import KinIndex
import KinTestSupport
import Testing

/// Deterministic fuzzing: every kind of damage is detected, and no bytes cause more than an error.
@Suite("Any bytes open or give an error")
struct MutationTests {
    private let original: [UInt8]
    private let table: Int

    init() throws {
        original = try SampleFile.bytes()
        table = Int(number(original[32..<40]))
    }

    /// Opens, reads every section and verifies; returns whether the file opened, and the report.
    private func exercise(_ bytes: [UInt8]) throws(KinError) -> FileReport {
        let file = try SectionFile(copyOf: bytes)
        var sum: UInt64 = 0
        for view in file.sections {
            view.withElements(ofBytes: { sum &+= UInt64($0) })
            #expect(file.section(view.name.tag, view.name.number)?.section == view.section)
        }
        return try verifySectionFile(reading: file.image)
    }

    private func expectRefused(_ bytes: [UInt8], _ comment: @autoclosure () -> String) {
        do throws(KinError) {
            _ = try exercise(bytes)
            Issue.record("opened: \(comment())")
        } catch {
            #expect(error.code == .corruptFile || error.code == .unsupportedFormat, "\(error): \(comment())")
        }
    }

    @Test func everyBitOfHeaderAndTableIsVerified() {
        for byte in Array(0..<64) + Array(table..<original.count) {
            for bit in 0..<8 {
                var bytes = original
                bytes[byte] ^= 1 << bit
                expectRefused(bytes, "bit \(bit) of byte \(byte)")
            }
        }
    }

    @Test func everyBitOfTheBodyIsVerified() throws {
        let sections = try SectionFile(copyOf: original).sections.map(\.section)
        for byte in 64..<table {
            let owner = sections.first { ($0.offset..<$0.end).contains(byte) }
            let next = sections.first { $0.offset > byte }
            for bit in 0..<8 {
                var bytes = original
                bytes[byte] ^= 1 << bit
                let report = try exercise(bytes)
                let damage = try #require(report.damage, "bit \(bit) of byte \(byte)")
                #expect(damage.section == (owner ?? next)?.name.description)
                #expect(damage.offset == (owner?.offset ?? byte))
                #expect(
                    report.sections.filter { !$0.checksumMatches }.map(\.name) == owner.map { [$0.name.description] }
                        ?? []
                )
                #expect(throws: KinError.self) { try report.requireIntact() }
            }
        }
    }

    @Test func theFirstDamageIsTheOneReported() throws {
        var bytes = original
        let sections = try SectionFile(copyOf: original).sections.map(\.section)
        bytes[sections[3].offset] ^= 1
        bytes[sections[1].end + 3] ^= 1
        bytes[sections[1].end + 5] ^= 1
        let report = try exercise(bytes)
        #expect(report.damage?.offset == sections[1].end + 3)
        #expect(report.sections.map(\.checksumMatches) == [true, true, true, false])
    }

    @Test func everyTruncationIsRefused() {
        for length in 0..<original.count {
            expectRefused(Array(original[..<length]), "cut to \(length) bytes")
            expectRefused(resealed(Array(original[..<length])), "cut to \(length) bytes and resealed")
        }
    }

    @Test func everyExtensionIsRefused() {
        for extra in 1...200 {
            expectRefused(original + [UInt8](repeating: 0, count: extra), "\(extra) zeros more")
            expectRefused(original + original.prefix(extra), "\(extra) bytes more")
        }
    }
}

extension SectionView {
    fileprivate func withElements(ofBytes body: (UInt8) -> Void) {
        withBytes { bytes in
            for i in bytes.byteOffsets { body(unsafe bytes.unsafeLoad(fromByteOffset: i, as: UInt8.self)) }
        }
    }
}
