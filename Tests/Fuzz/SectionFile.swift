// module: KinIndex
// seeds: Tests/Algorithms/KinIndexTests/Golden

// Opens, reads and verifies arbitrary bytes as a Kin file, once unchanged and once with corrected checksums. No fuzzer
// guesses these checksums, so the rules behind them would otherwise not be tested.

import KinIndex

@c(LLVMFuzzerTestOneInput)
public func fuzzSectionFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    exercise(input)
    exercise(resealed(input))
    return 0
}

/// Any error is allowed; a crash, a hang, or a section that violates the format is not.
private func exercise(_ bytes: [UInt8]) {
    let span = unsafe bytes.span.bytes
    guard let file = try? SectionFile(copying: span) else { return }
    var end = 64
    var checksums: [Bool] = []
    for view in file.sections {
        let section = view.section
        precondition(section.offset >= end && section.end <= file.header.tableOffset, "sections overlap")
        precondition(section.offset % 64 == 0 && section.count * section.stride == section.length, "misplaced section")
        precondition(file.section(section.name.tag, section.name.number)?.section == section, "lost section")
        checksums.append(view.withBytes { CRC32C.of($0) == section.checksum })
        end = section.end
    }
    precondition(file.header.fileLength == bytes.count, "bytes outside the file")
    guard let report = try? verifySectionFile(reading: file.image) else { preconditionFailure("opens, yet fails") }
    precondition(report.sections.map(\.checksumMatches) == checksums, "the verifier sees other bytes")
    precondition(!report.isIntact || checksums.allSatisfy { $0 }, "damage not reported")
}
