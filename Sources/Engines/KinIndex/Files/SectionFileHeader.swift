import KinCore
import KinLinearAlgebra

/// The first 64 bytes of a Kin file: what it is, how long it is, and where its table of sections lies.
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

    /// The container version that this release writes, and the highest minor one that it supports in full.
    static let currentVersion = FormatVersion(major: 1, minor: 0)

    /// Bytes of the header.
    static let size = 64
    static let magic = Array("KINFILE\0".utf8)
    static let byteOrderMark: UInt32 = 0x0102_0304
    private static let checksumOffset = 60
    private static let reserved = 48..<checksumOffset
}

extension SectionFileHeader {
    /// The 64 bytes, checksum included.
    func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: Self.byteOrderMark)
        bytes.append(littleEndian: version.major)
        bytes.append(littleEndian: version.minor)
        bytes.append(littleEndian: kind.rawValue)
        bytes.append(littleEndian: kindVersion.major)
        bytes.append(littleEndian: kindVersion.minor)
        bytes.append(littleEndian: UInt64(fileLength))
        bytes.append(littleEndian: UInt64(tableOffset))
        bytes.append(littleEndian: UInt32(sectionCount))
        bytes.append(littleEndian: tableChecksum)
        bytes.append(zeros: Self.reserved.count)
        bytes.append(littleEndian: CRC32C.of(unsafe bytes.span.bytes))
        return bytes
    }

    /// Reads and checks a header.
    ///
    /// - Parameters:
    ///   - bytes: the file's first 64 bytes, or all of a shorter file.
    ///   - actualLength: how many bytes the file has.
    /// - Throws: `unsupportedFormat` for what is no Kin file or one of a later major version, `corruptFile` for damage.
    init(decoding bytes: [UInt8], actualLength: Int) throws(KinError) {
        try Self.checkIntegrity(bytes)
        version = Self.version(in: bytes, at: 12)
        try Self.checkReadable(bytes, version)
        guard let kind = FourCharacterCode(rawValue: bytes.littleEndian(UInt32.self, at: 16)) else {
            throw .corrupt("the kind of file at byte 16 is not four printable characters")
        }
        self.kind = kind
        kindVersion = Self.version(in: bytes, at: 20)
        tableChecksum = bytes.littleEndian(UInt32.self, at: 44)

        let length = bytes.littleEndian(UInt64.self, at: 24)
        guard length == UInt64(actualLength) else {
            throw .corrupt(
                length > UInt64(actualLength)
                    ? "the file was cut short: it has \(actualLength) of \(length) bytes"
                    : "the file has \(actualLength) bytes, but a Kin file of \(length) bytes was written"
            )
        }
        fileLength = actualLength

        let offset = bytes.littleEndian(UInt64.self, at: 32)
        let count = bytes.littleEndian(UInt32.self, at: 40)
        // Neither product nor difference overflows: count < 2³² and 64 <= offset <= length.
        guard offset >= UInt64(Self.size), offset <= length, offset % UInt64(Section.alignment) == 0,
            UInt64(count) * UInt64(Section.entrySize) == length - offset
        else {
            throw .corrupt("the header puts a table of \(count) sections at byte \(offset) of \(length)")
        }
        tableOffset = Int(offset)
        sectionCount = Int(count)
    }

    private static func version(in bytes: [UInt8], at offset: Int) -> FormatVersion {
        FormatVersion(
            major: bytes.littleEndian(UInt16.self, at: offset),
            minor: bytes.littleEndian(UInt16.self, at: offset + 2)
        )
    }

    /// Checks that this is a Kin file with an undamaged header, of any version.
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
        let expected = bytes.littleEndian(UInt32.self, at: checksumOffset)
        guard CRC32C.of(unsafe bytes.span.bytes.extracting(first: checksumOffset)) == expected else {
            throw .corrupt("the header's checksum does not match its bytes 0 to \(checksumOffset - 1)")
        }
    }

    /// Checks that this release can read the version in the header.
    private static func checkReadable(_ bytes: [UInt8], _ version: FormatVersion) throws(KinError) {
        guard bytes.littleEndian(UInt32.self, at: 8) == byteOrderMark else {
            throw KinError(
                .unsupportedFormat,
                "the file was written in another byte order; write it anew with this release of Kin"
            )
        }
        guard version.major == currentVersion.major else {
            throw .unreadable(
                "a Kin file of version \(version)",
                known: currentVersion.major,
                isNewer: version > currentVersion
            )
        }
        // A later minor version may have given these bytes a meaning that older readers can do without.
        guard version.minor > currentVersion.minor || bytes[reserved].allSatisfy({ $0 == 0 }) else {
            throw .corrupt("reserved bytes \(reserved.lowerBound) to \(reserved.upperBound - 1) are not zero")
        }
    }
}
