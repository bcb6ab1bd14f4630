/// One section of a Kin file: a named run of bytes with its entry in the table of sections.
package struct Section: Sendable, Hashable {
    /// The tag and number of the section.
    package let name: Name
    /// The offset of its first byte in the file; a multiple of ``alignment``.
    package let offset: Int
    /// The length in bytes, without padding.
    package let length: Int
    /// The number of bytes in an element; 1 for plain bytes.
    package let stride: Int
    /// The CRC-32C of the bytes.
    package let checksum: UInt32

    /// The kind of a section, and its number within that kind: an index in chunks has a section of each kind for every
    /// chunk.
    package struct Name: Sendable, Hashable {
        package let tag: FourCharacterCode
        package let number: UInt32

        package init(_ tag: FourCharacterCode, _ number: UInt32 = 0) {
            self.tag = tag
            self.number = number
        }

        /// The name of a section in a part of a file: the upper eight bits of its number are the part's number.
        ///
        /// - Parameter part: 0 for the file itself, otherwise 1…255.
        /// - Returns: nil for a number that leaves no room for the part's number.
        init?(_ tag: FourCharacterCode, _ number: UInt32, inPart part: UInt8) {
            guard part == 0 || number < 1 << 24 else { return nil }
            self.init(tag, UInt32(part) << 24 | number)
        }
    }

    /// The number of elements: the length divided by the stride.
    package var count: Int { length / stride }
    /// The offset of the first byte after the section.
    package var end: Int { offset + length }

    /// Sections begin at multiples of a cache line, which is also the widest SIMD register.
    package static let alignment = 64
    /// The number of bytes in an entry of the table.
    static let entrySize = 64
    private static let reservedBytes = 32
}

extension Section.Name: CustomStringConvertible {
    package var description: String { "\(tag) \(number)" }
}

extension Section {
    /// Appends the section's 64-byte entry.
    func encode(to writer: inout LittleEndianWriter) {
        writer.write(name.tag.rawValue)
        writer.write(name.number)
        writer.write(UInt64(offset))
        writer.write(UInt64(length))
        writer.write(UInt32(stride))
        writer.write(checksum)
        writer.write(bytes: repeatElement(0, count: Self.reservedBytes))
    }

    /// Reads the next entry of a table, and checks that the section is in the free part of the file.
    ///
    /// - Parameters:
    ///   - table: The remaining entries, starting with this one.
    ///   - index: The number of the entry, for errors.
    ///   - free: The range from the end of the previous section to the table.
    ///   - reservedIsZero: Whether bytes without a meaning must be zero, as in every minor version so far.
    init(
        decoding table: inout LittleEndianReader, entry index: Int, within free: Range<Int>, reservedIsZero: Bool
    ) throws(KinError) {
        guard let tag = FourCharacterCode(rawValue: try table.read()) else {
            throw .corrupt("the tag of section \(index) in the table is not four printable characters")
        }
        name = Name(tag, try table.read())
        let offset = try table.read(UInt64.self)
        let length = try table.read(UInt64.self)
        let stride = try table.read(UInt32.self)
        checksum = try table.read()
        let reserved = try table.readBytes(count: Self.reservedBytes)

        guard offset % UInt64(Self.alignment) == 0 else {
            throw .corrupt("section \(name) begins at byte \(offset), which is not a multiple of \(Self.alignment)")
        }
        // Compared without addition, so that no sum of two malicious numbers can overflow.
        guard offset >= UInt64(free.lowerBound), offset <= UInt64(free.upperBound),
            length <= UInt64(free.upperBound) - offset
        else {
            throw .corrupt(
                "section \(name) (\(length) bytes at byte \(offset)) does not lie between the section before it "
                    + "and the table, bytes \(free.lowerBound) to \(free.upperBound)"
            )
        }
        guard stride > 0, length % UInt64(stride) == 0 else {
            throw .corrupt("section \(name) has \(length) bytes, not a whole number of elements of \(stride) bytes")
        }
        guard !reservedIsZero || reserved.allSatisfy({ $0 == 0 }) else {
            throw .corrupt("reserved bytes of section \(name) in the table are not zero")
        }
        self.offset = Int(offset)
        self.length = Int(length)
        self.stride = Int(stride)
    }
}

/// The smallest multiple of ``Section/alignment`` that is at least `offset`.
func alignedToSection(_ offset: Int) -> Int {
    (offset + Section.alignment - 1) / Section.alignment * Section.alignment
}
