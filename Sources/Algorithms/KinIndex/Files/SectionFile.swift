package import KinCore
import SystemPackage

/// A Kin file that is open for reading: its header, its table of sections, and the sections' bytes in place.
///
/// Opening checks the header and the table and touches no section, so it takes microseconds at any size;
/// ``verifySectionFile(at:files:)`` checks the sections.
package struct SectionFile: Sendable {
    package let layout: SectionFileLayout
    package let image: FileImage
    /// The part of the file whose sections are read; see ``part(_:)``.
    private var partNumber: UInt8 = 0

    /// Opens a file by mapping it to memory.
    ///
    /// The file is mapped as it is now: see ``FileImage`` for files that are replaced, deleted or shortened.
    /// O(sections); the sections' pages are read when they are first touched.
    /// - Parameter isMapped: Whether the file is mapped; otherwise all of it is read into memory, in O(bytes).
    /// - Throws: `inputOutput`, `unsupportedFormat` or `corruptFile`, with the path.
    package init(
        mapping path: String, _ isMapped: Bool = true, files: some FileOperations = SystemFiles()
    ) throws(KinError) {
        self = try withOpenFile(at: path, files: files) { file throws(KinError) in
            // Read, not taken from the mapping: a disk that fails here gives an error and not a signal.
            let layout = try SectionFileLayout(reading: file)
            guard isMapped else { return SectionFile(layout: layout, image: try FileImage(reading: file)) }
            let image = try attempt("map the file to memory") { () throws(Errno) in
                try FileImage(mapping: file.descriptor, length: file.length, files: files)
            }
            return SectionFile(layout: layout, image: image)
        }
    }

    /// Opens a file by mapping it to memory, if every byte of it is as it was written.
    ///
    /// - Throws: As ``init(mapping:files:)``, and `corruptFile` for damage anywhere.
    /// - Complexity: O(bytes), some 10 GB/s from the system's cache.
    package init(verifying path: String, files: some FileOperations) throws(KinError) {
        do throws(KinError) {
            try verifySectionFile(at: path, files: files).requireIntact()
        } catch {
            throw error.naming(path)
        }
        try self.init(mapping: path, files: files)
    }

    /// Opens the bytes of a file that are in memory, and copies them.
    ///
    /// - Throws: `unsupportedFormat` or `corruptFile`.
    package init(copying bytes: borrowing RawSpan) throws(KinError) {
        try self.init(image: FileImage(copying: bytes))
    }

    /// A file whose bytes are an image of it.
    ///
    /// - Throws: `unsupportedFormat` or `corruptFile`.
    init(image: FileImage) throws(KinError) {
        self.init(layout: try SectionFileLayout(reading: image), image: image)
    }

    private init(layout: SectionFileLayout, image: FileImage) {
        self.layout = layout
        self.image = image
    }
}

extension SectionFile {
    package var header: SectionFileHeader { layout.header }

    /// The sections in the order of the file. Readers skip those with unknown tags.
    package var sections: [SectionView] {
        layout.sections.map { SectionView(section: $0, image: image) }
    }

    /// The file seen from one of its parts, which ``SectionFileWriter/writePart(_:_:)`` wrote.
    ///
    /// - Parameter number: The number of the part, 1…255.
    package func part(_ number: UInt8) -> SectionFile {
        var file = self
        file.partNumber = number
        return file
    }

    /// The section of that name, or nil when the file has none.
    package func section(_ tag: FourCharacterCode, _ number: UInt32 = 0) -> SectionView? {
        guard let name = Section.Name(tag, number, inPart: partNumber) else { return nil }
        return layout.section(name).map { SectionView(section: $0, image: image) }
    }

    /// The section of that name, which a file of this kind must have.
    ///
    /// - Parameters:
    ///   - stride: bytes that an element must have.
    ///   - count: how many elements there must be; nil for any number.
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
    ///   - count: The number of elements; nil for any.
    /// - Throws: `corruptFile`.
    package func array<Element: BitwiseCopyable>(
        _ tag: FourCharacterCode, _ number: UInt32 = 0, of type: Element.Type, count: Int? = nil
    ) throws(KinError) -> [Element] {
        try section(tag, number, requiring: MemoryLayout<Element>.stride, count: count).array(of: type)
    }

    /// Checks that the file holds what the caller reads.
    ///
    /// - Parameters:
    ///   - kind: what the sections together should be.
    ///   - version: the newest supported version of that kind; every minor one of the same major is read.
    ///   - name: what to call the kind in an error, as in "not `name`".
    /// - Throws: `unsupportedFormat`.
    package func require(
        _ kind: FourCharacterCode,
        version: FormatVersion,
        name: String
    ) throws(KinError) {
        guard header.kind == kind else {
            throw KinError(
                .unsupportedFormat,
                "the file is a Kin file of kind \"\(header.kind)\", not \(name); open it as what it is"
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
