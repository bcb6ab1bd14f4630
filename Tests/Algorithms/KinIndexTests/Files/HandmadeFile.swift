@testable import KinIndex

/// A Kin file built byte by byte from `FORMAT.md`, without the writer's code; any field may be wrong.
struct HandmadeFile {
    struct Section {
        var tag: String
        var number: UInt32
        var stride: UInt32
        var payload: [UInt8]
        /// These replace the values computed from the payload, unless nil.
        var offset: UInt64?
        var length: UInt64?
        var checksum: UInt32?
        var reserved = [UInt8](repeating: 0, count: 32)

        init(_ tag: String, _ number: UInt32, stride: UInt32, _ payload: [UInt8]) {
            self.tag = tag
            self.number = number
            self.stride = stride
            self.payload = payload
        }
    }

    var magic = Array("KINFILE\0".utf8)
    var byteOrderMark: UInt32 = 0x0102_0304
    var version: (UInt16, UInt16) = (1, 0)
    var kind: String
    var kindVersion: (UInt16, UInt16)
    var sections: [Section]
    var reserved = [UInt8](repeating: 0, count: 12)
    var padding: UInt8 = 0
    var fileLength: UInt64?
    var tableOffset: UInt64?
    var sectionCount: UInt32?

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var table: [UInt8] = []
        for section in sections {
            let offset = 64 + body.count
            table += Array(section.tag.utf8) + littleEndian(section.number)
            table += littleEndian(section.offset ?? UInt64(offset))
            table += littleEndian(section.length ?? UInt64(section.payload.count))
            table += littleEndian(section.stride)
            table += littleEndian(section.checksum ?? bitwiseCRC32C(section.payload)) + section.reserved
            body += section.payload
            while body.count % 64 != 0 { body.append(padding) }
        }
        var header = magic + littleEndian(byteOrderMark) + littleEndian(version.0) + littleEndian(version.1)
        header += Array(kind.utf8) + littleEndian(kindVersion.0) + littleEndian(kindVersion.1)
        header += littleEndian(fileLength ?? UInt64(64 + body.count + table.count))
        header += littleEndian(tableOffset ?? UInt64(64 + body.count))
        header += littleEndian(sectionCount ?? UInt32(sections.count))
        header += littleEndian(bitwiseCRC32C(table)) + reserved
        return header + littleEndian(bitwiseCRC32C(header)) + body + table
    }
}

/// The same bytes with the two checksums that opening verifies corrected, so that a mutation of the header or the table
/// is judged on its own. Returns fewer than 64 bytes unchanged.
func resealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 64 else { return bytes }
    var bytes = bytes
    let table = Int(clamping: number(bytes[32..<40]))
    if table >= 64, table <= bytes.count {
        bytes.replaceSubrange(44..<48, with: littleEndian(bitwiseCRC32C(Array(bytes[table...]))))
    }
    bytes.replaceSubrange(60..<64, with: littleEndian(bitwiseCRC32C(Array(bytes[..<60]))))
    return bytes
}

extension SectionFile {
    /// Corrects the checksum in the table entry of a section whose bytes differ in a copy of the file.
    func correctChecksum(ofEntry number: Int, in bytes: inout [UInt8]) {
        let section = sections[number].section
        let place = header.tableOffset + Section.entrySize * number + 28
        let checksum = unsafe CRC32C.of(bytes.span.bytes.extracting(section.offset..<section.end))
        bytes.replaceSubrange(place..<place + 4, with: littleEndian(checksum))
    }

    /// A copy of the file with different bytes in a section, and matching checksums.
    func replacing(_ new: [UInt8], at byte: Int, of section: Section, in whole: [UInt8]) -> [UInt8] {
        var bytes = whole
        bytes.replaceSubrange(section.offset + byte..<section.offset + byte + new.count, with: new)
        if let entry = sections.firstIndex(where: { $0.name == section.name }) {
            correctChecksum(ofEntry: entry, in: &bytes)
        }
        return resealed(bytes)
    }
}

func littleEndian<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

/// CRC-32C by definition, one bit at a time.
func bitwiseCRC32C(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
    }
    return ~crc
}
