/// The first 64 bytes of a Kin file: its kind, its length, and the position of its table of sections.
///
/// `FORMAT.md` gives the byte-level layout.
package struct SectionFileHeader: Sendable, Hashable {
    /// The version of the container: header, table and sections.
    package var version: FormatVersion
    /// The kind of file, for example a flat index.
    package var kind: FourCharacterCode
    /// The version of the sections' content; checked by the reader of the kind.
    package var kindVersion: FormatVersion
    package var fileLength: Int
    package var tableOffset: Int
    package var sectionCount: Int
    package var tableChecksum: UInt32

    /// The container version that this release writes; its minor version is the highest that is fully supported.
    static let currentVersion = FormatVersion(major: 1, minor: 0)

    /// The number of bytes in the header.
    static let size = 64
    static let magic = Array("KINFILE\0".utf8)
    static let byteOrderMark: UInt32 = 0x0102_0304
    private static let checksumOffset = 60
    private static let reserved = 48..<checksumOffset
}

extension SectionFileHeader {
    /// The header's 64 bytes, including the checksum.
    func encoded() -> [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(bytes: Self.magic)
        writer.write(Self.byteOrderMark)
        writer.write(version.major)
        writer.write(version.minor)
        writer.write(kind.rawValue)
        writer.write(kindVersion.major)
        writer.write(kindVersion.minor)
        writer.write(UInt64(fileLength))
        writer.write(UInt64(tableOffset))
        writer.write(UInt32(sectionCount))
        writer.write(tableChecksum)
        writer.write(bytes: repeatElement(0, count: Self.reserved.count))
        let bytes = writer.bytes
        writer.write(CRC32C.of(unsafe bytes.span.bytes))
        return writer.bytes
    }

    /// Whether a source begins as a Kin file.
    static func isMagic(in source: some ByteSource) throws(KinError) -> Bool {
        try source.bytes(in: 0..<min(magic.count, source.length)) == magic
    }

    /// Reads and checks a header.
    ///
    /// - Parameters:
    ///   - bytes: The file's first 64 bytes, or all bytes of a shorter file.
    ///   - actualLength: The number of bytes in the file.
    /// - Throws: `unsupportedFormat` if it is not a Kin file or has a later major version, `corruptFile` for damage.
    init(decoding bytes: [UInt8], actualLength: Int) throws(KinError) {
        try Self.checkIntegrity(bytes)
        var reader = LittleEndianReader(bytes, from: Self.magic.count, of: "a Kin file")
        let mark = try reader.read(UInt32.self)
        version = FormatVersion(major: try reader.read(), minor: try reader.read())
        try Self.checkReadable(bytes, mark, version)
        guard let kind = FourCharacterCode(rawValue: try reader.read()) else {
            throw .corrupt("the kind of file at byte 16 is not four printable characters")
        }
        self.kind = kind
        kindVersion = FormatVersion(major: try reader.read(), minor: try reader.read())
        let length = try reader.read(UInt64.self)
        let offset = try reader.read(UInt64.self)
        let count = try reader.read(UInt32.self)
        tableChecksum = try reader.read()
        guard length == UInt64(actualLength) else {
            throw .corrupt(
                length > UInt64(actualLength)
                    ? "the file was cut short: it has \(actualLength) of \(length) bytes"
                    : "the file has \(actualLength) bytes, but a Kin file of \(length) bytes was written"
            )
        }
        fileLength = actualLength

        // Neither the product nor the difference overflows: count < 2³² and 64 <= offset <= length.
        guard offset >= UInt64(Self.size), offset <= length, offset % UInt64(Section.alignment) == 0,
            UInt64(count) * UInt64(Section.entrySize) == length - offset
        else {
            throw .corrupt("the header puts a table of \(count) sections at byte \(offset) of \(length)")
        }
        tableOffset = Int(offset)
        sectionCount = Int(count)
    }

    /// Checks that this is a Kin file of any version with an intact header.
    private static func checkIntegrity(_ bytes: [UInt8]) throws(KinError) {
        guard !bytes.isEmpty else {
            throw .corrupt("the file is empty")
        }
        guard bytes.starts(with: magic.prefix(bytes.count)) else {
            throw KinError(
                .unsupportedFormat,
                "this is not a Kin file (it does not begin with KINFILE); give the path of a file that Kin saved"
            )
        }
        guard bytes.count >= size else {
            throw .corrupt("the file was cut short: it has \(bytes.count) bytes, the header alone has \(size)")
        }
        var reader = LittleEndianReader(bytes, from: checksumOffset, of: "a Kin file")
        let expected = try reader.read(UInt32.self)
        guard CRC32C.of(unsafe bytes.span.bytes.extracting(first: checksumOffset)) == expected else {
            throw .corrupt("the header's checksum does not match its bytes 0 to \(checksumOffset - 1)")
        }
    }

    /// Checks that this release can read the version in the header.
    private static func checkReadable(_ bytes: [UInt8], _ mark: UInt32, _ version: FormatVersion) throws(KinError) {
        guard mark == byteOrderMark else {
            throw KinError(
                .unsupportedFormat,
                "the file was written in another byte order; write it again with this release of Kin"
            )
        }
        guard version.major == currentVersion.major else {
            throw .unreadable(
                "a Kin file of version \(version)",
                known: currentVersion.major,
                isNewer: version > currentVersion
            )
        }
        // A later minor version may use these bytes for data that older readers can ignore.
        guard version.minor > currentVersion.minor || bytes[reserved].allSatisfy({ $0 == 0 }) else {
            throw .corrupt("reserved bytes \(reserved.lowerBound) to \(reserved.upperBound - 1) are not zero")
        }
    }
}
