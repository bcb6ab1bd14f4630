/// Reads a whole file and checks every byte: header, table, each section's checksum, and the zeros between them.
///
/// The file is read, not mapped, so a failing disk gives an error. O(bytes) time, O(sections) memory.
/// - Throws: `inputOutput`, and `unsupportedFormat` or `corruptFile` if the header or the table cannot be read; with
///   the path. Damage in a section is in the report.
package func verifySectionFile(
    at path: String,
    files: some FileOperations = SystemFiles()
) throws(KinError) -> FileReport {
    try withOpenFile(at: path, files: files) { file throws(KinError) in try verifySectionFile(reading: file) }
}

/// Checks the bytes of any source; see ``verifySectionFile(at:files:)``.
package func verifySectionFile(reading source: some ByteSource) throws(KinError) -> FileReport {
    let layout = try SectionFileLayout(reading: source)
    var damage: FileReport.Damage?
    var sections: [FileReport.Section] = []
    sections.reserveCapacity(layout.sections.count)
    var end = SectionFileHeader.size
    for section in layout.sections {
        let name = section.name.description
        let stray = try firstNotZero(in: end..<section.offset, of: source)
        damage = damage ?? stray.map { .padding(before: name, at: $0) }

        var checksum = CRC32C()
        try source.scan(section.offset..<section.end) { piece throws(KinError) in checksum.update(piece) }
        let matches = checksum.value == section.checksum
        if !matches {
            damage = damage ?? FileReport.Damage(of: section)
        }
        sections.append(
            FileReport.Section(
                name: name,
                offset: section.offset,
                length: section.length,
                stride: section.stride,
                checksumMatches: matches
            )
        )
        end = section.end
    }
    let stray = try firstNotZero(in: end..<layout.header.tableOffset, of: source)
    damage = damage ?? stray.map { .padding(before: nil, at: $0) }

    return FileReport(
        kind: layout.header.kind.description,
        version: layout.header.version,
        kindVersion: layout.header.kindVersion,
        totalBytes: source.length,
        sections: sections,
        damage: damage,
        facts: []
    )
}

/// The offset of the first byte of a range that is not zero.
private func firstNotZero(in range: Range<Int>, of source: some ByteSource) throws(KinError) -> Int? {
    var found: Int?
    var offset = range.lowerBound
    try source.scan(range) { piece throws(KinError) in
        if found == nil {
            found = unsafe piece.withUnsafeBytes { buffer in unsafe buffer.firstIndex { $0 != 0 } }.map { $0 + offset }
        }
        offset += piece.byteCount
    }
    return found
}

extension FileReport.Damage {
    /// The damage of a section whose bytes do not match its checksum.
    init(of section: Section) {
        self.init(
            section: section.name.description,
            offset: section.offset,
            description: "the \(section.length) bytes from byte \(section.offset) do not match their checksum"
        )
    }

    fileprivate static func padding(before section: String?, at offset: Int) -> Self {
        Self(
            section: section,
            offset: offset,
            description: "byte \(offset), padding before \(section ?? "the table of sections"), is not zero"
        )
    }
}
