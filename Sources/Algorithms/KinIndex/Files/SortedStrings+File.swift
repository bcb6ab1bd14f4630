extension SortedStrings {
    /// The tags of the two sections: the end of each string, and the bytes of all strings.
    typealias Tags = (ends: FourCharacterCode, bytes: FourCharacterCode)

    func write(to writer: inout SectionFileWriter, _ tags: Tags, _ number: UInt32 = 0) throws(KinError) {
        try writer.write(unsafe Span(_unsafeStart: ends, count: count), to: tags.ends, number)
        try writer.write(unsafe Span(_unsafeStart: bytes, count: byteCount), to: tags.bytes, number)
    }

    /// The first error in the list; nil if it is valid.
    var firstContradiction: String? {
        var start: UInt64 = 0
        for index in 0..<count {
            let end = unsafe ends[index]
            guard end >= start, end <= UInt64(byteCount) else {
                return "string \(index) is outside the section of their bytes"
            }
            guard unsafe utf8(at: index).isUTF8 else { return "string \(index) is not UTF-8" }
            let isAfter = unsafe index == 0 || utf8(at: index - 1).lexicographicallyPrecedes(utf8(at: index))
            guard isAfter else {
                return "string \(index) does not come after the one before it"
            }
            start = end
        }
        return start == UInt64(byteCount) ? nil : "the strings do not fill the section of their bytes"
    }
}

extension SectionFile {
    /// The strings in two sections, in place.
    ///
    /// - Throws: `.corruptFile` unless there is an end for each of the strings.
    func sortedStrings(_ tags: SortedStrings.Tags, _ number: UInt32 = 0, count: Int) throws(KinError) -> SortedStrings {
        let ends = try section(tags.ends, number, requiring: 8, count: count)
        let bytes = try section(tags.bytes, number, requiring: 1)
        return unsafe SortedStrings(
            count: count, ends: UnsafePointer(ends.start(of: UInt64.self)),
            bytes: UnsafePointer(bytes.start(of: UInt8.self)), byteCount: bytes.count, mapping: image)
    }
}
