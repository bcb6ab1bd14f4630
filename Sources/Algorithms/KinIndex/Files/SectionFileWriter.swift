/// Writes a Kin file section by section, as a stream, with only a small buffer in memory.
///
///     try SectionFileWriter.write(to: path, kind: "FLAT", kindVersion: version) { writer throws(KinError) in
///         try writer.begin("VECS", 0, stride: 64)
///         try writer.append(block.span)       // as often as needed
///         try writer.begin("IDS ", 0, stride: 8)
///         …
///     }
///
/// The same calls produce the same bytes. ``replaceFile(at:files:_:)`` describes how the file is put in place, and the
/// effects of an error.
package struct SectionFileWriter {
    private let output: OutputFile
    /// The progress of the writing, in bytes; nil if it cannot be cancelled.
    private let work: LongWork?
    /// The bytes that are not yet in the output.
    private var pending: [UInt8] = []
    /// The offset of the next byte, after the pending bytes.
    private var offset: Int
    private var finished: [Section] = []
    private var names: Set<Section.Name> = []
    private var current: Current?
    /// The part of the file being written.
    private var partNumber: UInt8 = 0

    /// The section being written.
    private struct Current {
        let name: Section.Name
        let stride: Int
        let offset: Int
        var checksum = CRC32C()
    }

    /// The number of bytes per call: enough to hide its cost, few enough that they are still in the second-level cache
    /// after the checksum.
    private static let pieceSize = 1 << 18

    /// Writes a file with the sections that `body` writes, and replaces the file at `path`, all or nothing. A new file is
    /// accessible only to its owner, because it may have people's vectors.
    ///
    /// - Parameters:
    ///   - kind: The kind of file.
    ///   - kindVersion: The version of the sections' content.
    /// - Throws: `inputOutput`, `cancelled` (units are bytes), or the error of `body`, with the path.
    package static func write(
        to path: String,
        kind: FourCharacterCode,
        kindVersion: FormatVersion,
        files: some FileOperations = SystemFiles(),
        _ body: (inout SectionFileWriter) throws(KinError) -> Void
    ) throws(KinError) {
        try replaceFile(
            at: path, files: files, isPrivate: true, replacing: FileContent.replaceable(by: kind)
        ) { output throws(KinError) in
            _ = try write(to: output, kind: kind, kindVersion: kindVersion, work: LongWork(of: nil), body)
        }
    }

    /// Writes a file with the sections that `body` writes to a scratch file, for this process only.
    ///
    /// - Returns: The file, mapped.
    /// - Throws: `inputOutput`, or the error of `body`.
    static func write(
        to scratch: borrowing ScratchFile, kind: FourCharacterCode, kindVersion: FormatVersion,
        _ body: (inout SectionFileWriter) throws(KinError) -> Void
    ) throws(KinError) -> SectionFile {
        let length = try write(to: scratch.output, kind: kind, kindVersion: kindVersion, body)
        return try SectionFile(image: scratch.image(length: length))
    }

    /// Writes a file with the sections that `body` writes.
    ///
    /// - Returns: The number of its bytes.
    private static func write(
        to output: OutputFile, kind: FourCharacterCode, kindVersion: FormatVersion, work: LongWork? = nil,
        _ body: (inout SectionFileWriter) throws(KinError) -> Void
    ) throws(KinError) -> Int {
        var writer = SectionFileWriter(output: output, work: work)
        try body(&writer)
        try writer.finish(kind: kind, kindVersion: kindVersion)
        return writer.offset
    }

    private init(output: OutputFile, work: LongWork?) {
        self.output = output
        self.work = work
        offset = SectionFileHeader.size
        pending.reserveCapacity(Self.pieceSize)
    }

    /// Begins the next section and completes the previous one.
    ///
    /// - Parameters:
    ///   - number: The number of the section within its kind.
    ///   - stride: The number of bytes in an element.
    /// - Throws: `inputOutput` if the end of the previous section cannot be written.
    /// - Precondition: No section has this name yet, and the previous section has a whole number of elements.
    package mutating func begin(_ tag: FourCharacterCode, _ number: UInt32 = 0, stride: Int) throws(KinError) {
        try end()
        guard let name = Section.Name(tag, number, inPart: partNumber) else {
            preconditionFailure("section \(number) of a part")
        }
        precondition(names.insert(name).inserted, "section \(name) was written before")
        precondition(stride > 0 && stride <= Int(UInt32.max), "a stride is 1 to 2³² − 1 bytes")
        current = Current(name: name, stride: stride, offset: offset)
    }

    /// Appends bytes to the current section.
    ///
    /// - Throws: `inputOutput`.
    package mutating func append(_ bytes: borrowing RawSpan) throws(KinError) {
        precondition(current != nil, "begin a section first")
        var start = 0
        while start < bytes.byteCount {
            let piece = bytes.extracting(start..<min(start + Self.pieceSize, bytes.byteCount))
            current?.checksum.update(piece)
            try emit(piece)
            start += piece.byteCount
        }
    }

    /// Appends elements, which are numbers or structs of numbers without padding, in their memory representation.
    ///
    /// - Throws: `inputOutput`.
    package mutating func append<Element: BitwiseCopyable>(_ elements: borrowing Span<Element>) throws(KinError) {
        try unsafe append(elements.bytes)
    }

    /// Writes a whole section in its memory representation.
    ///
    /// - Parameter stride: The number of bytes in an element of the section; nil for the stride of `Element`.
    /// - Throws: `inputOutput`.
    /// - Precondition: As for ``begin(_:_:stride:)``.
    package mutating func write<Element: BitwiseCopyable>(
        _ elements: borrowing Span<Element>, to tag: FourCharacterCode, _ number: UInt32 = 0, stride: Int? = nil
    ) throws(KinError) {
        try begin(tag, number, stride: stride ?? MemoryLayout<Element>.stride)
        try append(elements)
    }

    /// Writes a part: sections in their own name space, so that a file can have several indexes.
    ///
    /// - Parameters:
    ///   - number: The number of the part, 1…255, for ``SectionFile/part(_:)``.
    ///   - body: Writes the part's sections, with numbers below 2²⁴.
    /// - Throws: The error of `body`.
    package mutating func writePart(
        _ number: UInt8, _ body: (inout SectionFileWriter) throws(KinError) -> Void
    ) throws(KinError) {
        partNumber = number
        try body(&self)
        partNumber = 0
    }
}

extension SectionFileWriter {
    /// Ends the current section and pads to the start of the next one.
    private mutating func end() throws(KinError) {
        guard let section = current else { return }
        let length = offset - section.offset
        precondition(length % section.stride == 0, "section \(section.name) ends within an element")
        finished.append(
            Section(
                name: section.name,
                offset: section.offset,
                length: length,
                stride: section.stride,
                checksum: section.checksum.value
            )
        )
        current = nil
        let padding = [UInt8](repeating: 0, count: alignedToSection(offset) - offset)
        try unsafe emit(padding.span.bytes)
    }

    /// Writes the table after the sections, and then the header at the start of the file.
    private mutating func finish(kind: FourCharacterCode, kindVersion: FormatVersion) throws(KinError) {
        try end()
        guard let count = UInt32(exactly: finished.count) else {
            throw KinError(.capacityExceeded, "a Kin file has at most 2³² − 1 sections; save larger chunks")
        }
        var writer = LittleEndianWriter()
        for section in finished { section.encode(to: &writer) }
        let table = writer.bytes
        let header = SectionFileHeader(
            version: SectionFileHeader.currentVersion,
            kind: kind,
            kindVersion: kindVersion,
            fileLength: offset + table.count,
            tableOffset: offset,
            sectionCount: Int(count),
            tableChecksum: CRC32C.of(unsafe table.span.bytes)
        )
        try unsafe emit(table.span.bytes)
        try flush()
        try unsafe output.write(header.encoded().span.bytes, at: 0)
    }

    private mutating func emit(_ bytes: borrowing RawSpan) throws(KinError) {
        if pending.count + bytes.byteCount > Self.pieceSize { try flush() }
        if bytes.byteCount >= Self.pieceSize {
            try output.write(bytes, at: offset)
        } else {
            unsafe bytes.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
        }
        offset += bytes.byteCount
        try work?.step(by: bytes.byteCount)
    }

    private mutating func flush() throws(KinError) {
        try unsafe output.write(pending.span.bytes, at: offset - pending.count)
        pending.removeAll(keepingCapacity: true)
    }
}
