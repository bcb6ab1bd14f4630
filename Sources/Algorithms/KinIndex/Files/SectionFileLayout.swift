/// The header and the table of sections of a Kin file, read and checked.
///
/// It guarantees that every section is inside the file, aligned and after the previous section in the table, and that
/// all names differ. The sections' content is not checked yet; ``verifySectionFile(reading:)`` does that.
package struct SectionFileLayout: Sendable {
    package let header: SectionFileHeader
    /// The sections in the order of the table, which is their order in the file.
    package let sections: [Section]
    private let indices: [Section.Name: Int]

    /// Reads the header and the table, without accessing any section.
    ///
    /// O(sections) time and memory, both bounded by the file's length.
    /// - Throws: `corruptFile` or `unsupportedFormat`, and `inputOutput` if the source cannot be read.
    package init(reading source: some ByteSource) throws(KinError) {
        let length = source.length
        header = try SectionFileHeader(
            decoding: source.bytes(in: 0..<min(SectionFileHeader.size, length)),
            actualLength: length
        )
        let table = try source.bytes(in: header.tableOffset..<length)
        guard CRC32C.of(unsafe table.span.bytes) == header.tableChecksum else {
            throw .corrupt(
                "the checksum of the table of sections (bytes \(header.tableOffset) to \(length - 1)) does not match"
            )
        }

        var sections: [Section] = []
        var indices: [Section.Name: Int] = [:]
        sections.reserveCapacity(header.sectionCount)
        var end = SectionFileHeader.size
        var reader = LittleEndianReader(table, of: "a table of sections")
        for index in 0..<header.sectionCount {
            let section = try Section(
                decoding: &reader,
                entry: index,
                within: end..<header.tableOffset,
                reservedIsZero: header.version.minor <= SectionFileHeader.currentVersion.minor
            )
            guard indices.updateValue(index, forKey: section.name) == nil else {
                throw .corrupt("section \(section.name) is in the table twice")
            }
            sections.append(section)
            end = section.end
        }
        self.sections = sections
        self.indices = indices
    }

    /// The section with this name; nil if the file has none.
    package func section(_ name: Section.Name) -> Section? {
        indices[name].map { sections[$0] }
    }
}
