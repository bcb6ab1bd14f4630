import SystemPackage

/// A Kin file that is open for reading: its header, its table of sections, and the sections' bytes in place.
///
/// Opening checks the header and the table and accesses no section, so it takes microseconds at any size.
/// ``verifySectionFile(at:files:)`` checks the sections.
package struct SectionFile: Sendable {
    package let layout: SectionFileLayout
    package let image: FileImage
    /// The part of the file whose sections are read; see ``part(_:)``.
    private var partNumber: UInt8 = 0
}

extension SectionFile {
    /// Opens a file by mapping it to memory.
    ///
    /// The mapping shows the present file: see ``FileImage`` for files that are replaced, deleted or shortened.
    /// O(sections); the sections' pages are read when they are first accessed.
    /// - Parameter isMapped: Whether the file is mapped; otherwise it is read into memory, in O(bytes).
    /// - Throws: `inputOutput`, `unsupportedFormat` or `corruptFile`, with the path.
    package init(
        mapping path: String, _ isMapped: Bool = true, files: some FileOperations = SystemFiles()
    ) throws(KinError) {
        self = try withOpenFile(at: path, files: files) { file throws(KinError) in
            // Read rather than mapped, so that a disk failure here causes an error and not a signal.
            let layout = try SectionFileLayout(reading: file)
            guard isMapped else { return SectionFile(layout: layout, image: try FileImage(reading: file)) }
            let image = try attempt("map the file to memory") { () throws(Errno) in
                try FileImage(mapping: file.descriptor, length: file.length, files: files)
            }
            return SectionFile(layout: layout, image: image)
        }
    }

    /// Opens a file by mapping it to memory, after checking that all its bytes are intact.
    ///
    /// - Throws: As ``init(mapping:files:)``, and `corruptFile` for damage anywhere.
    /// - Complexity: O(bytes), about 10 GB/s from the system's cache.
    package init(verifying path: String, files: some FileOperations) throws(KinError) {
        do throws(KinError) {
            try verifySectionFile(at: path, files: files).requireIntact()
        } catch {
            throw error.naming(path)
        }
        try self.init(mapping: path, files: files)
    }

    /// Opens a file whose bytes are in memory, and copies them.
    ///
    /// - Throws: `unsupportedFormat` or `corruptFile`.
    package init(copying bytes: borrowing RawSpan) throws(KinError) {
        try self.init(image: FileImage(copying: bytes))
    }

    /// Opens a file from an image of its bytes.
    ///
    /// - Throws: `unsupportedFormat` or `corruptFile`.
    init(image: FileImage) throws(KinError) {
        self.init(layout: try SectionFileLayout(reading: image), image: image)
    }
}

extension SectionFile {
    package var header: SectionFileHeader { layout.header }

    /// The sections in the order of the file. Readers skip those with unknown tags.
    package var sections: [SectionView] {
        layout.sections.map { SectionView(section: $0, image: image) }
    }

    /// A view of one part of the file, written by ``SectionFileWriter/writePart(_:_:)``.
    ///
    /// - Parameter number: The number of the part, 1…255.
    package func part(_ number: UInt8) -> SectionFile {
        var file = self
        file.partNumber = number
        return file
    }

    /// The section with this name; nil if the file has none.
    package func section(_ tag: FourCharacterCode, _ number: UInt32 = 0) -> SectionView? {
        guard let name = Section.Name(tag, number, inPart: partNumber) else { return nil }
        return layout.section(name).map { SectionView(section: $0, image: image) }
    }

    /// The section with this name, which a file of this kind must have.
    ///
    /// - Parameters:
    ///   - stride: The required number of bytes in an element.
    ///   - count: The required number of elements; nil for any number.
    /// - Throws: `corruptFile`.
    package func section(
        _ tag: FourCharacterCode,
        _ number: UInt32 = 0,
        requiring stride: Int,
        count: Int? = nil
    ) throws(KinError) -> SectionView {
        guard let view = section(tag, number) else {
            throw .corrupt("section \(Section.Name(tag, number)) is missing")
        }
        guard view.stride == stride, view.count == count ?? view.count else {
            let wanted = count.map { "\($0) elements" } ?? "elements"
            throw .corrupt(
                "section \(view.name) has \(view.count) elements of \(view.stride) bytes, "
                    + "where \(wanted) of \(stride) bytes belong"
            )
        }
        return view
    }

    /// A copy of the elements of a section, which a file of this kind must have.
    ///
    /// - Parameters:
    ///   - type: The type of an element, a number or a struct of numbers without padding.
    ///   - count: The required number of elements; nil for any number.
    /// - Throws: `corruptFile`.
    package func array<Element: BitwiseCopyable>(
        _ tag: FourCharacterCode, _ number: UInt32 = 0, of type: Element.Type, count: Int? = nil
    ) throws(KinError) -> [Element] {
        try section(tag, number, requiring: MemoryLayout<Element>.stride, count: count).array(of: type)
    }

    /// Checks that the file has the kind that the caller reads.
    ///
    /// - Parameters:
    ///   - kind: The required kind of file.
    ///   - version: The newest supported version of that kind; every minor version with the same major version is
    ///     accepted.
    ///   - name: The name of the kind in errors, such as "not `name`".
    /// - Throws: `unsupportedFormat`.
    package func require(_ kind: FourCharacterCode, version: FormatVersion, name: String) throws(KinError) {
        guard header.kind == kind else {
            throw KinError(
                .unsupportedFormat,
                "the file is a Kin file of kind \"\(header.kind)\", not \(name); open it as that kind"
            )
        }
        guard header.kindVersion.major == version.major else {
            throw .unreadable(
                "\(name) of version \(header.kindVersion)",
                known: version.major,
                isNewer: header.kindVersion.major > version.major
            )
        }
    }
}
