package import KinCore
import KinLinearAlgebra

/// The header and the table of sections of one Kin file, read and checked.
///
/// It guarantees: every section lies inside the file, aligned, after the one before it in the table, and no two have the same name. The
/// sections' content is not checked yet; ``verifySectionFile(reading:)`` does that.
package struct SectionFileLayout: Sendable {
    package let header: SectionFileHeader
    /// In the order of the table, which is the order in the file.
    package let sections: [Section]
    private let indices: [Section.Name: Int]

    /// Reads the header and the table; no byte of a section is touched.
    ///
    /// O(sections) time and memory, both bounded by the file's length.
    /// - Throws: `corruptFile` or `unsupportedFormat`, and `inputOutput` when the source can't be read.
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

    /// The section of that name, if the file has it.
    package func section(_ name: Section.Name) -> Section? {
        indices[name].map { sections[$0] }
    }
}
