/// Texts in two sections of a Kin file: the concatenated bytes of all texts, and the end of each text.
///
/// A text is decoded only when it is accessed, so opening many texts costs one pass over their ends.
package struct SavedTexts: Sendable {
    /// The tags of the two sections.
    package typealias Tags = (bytes: FourCharacterCode, ends: FourCharacterCode)

    private let bytes: SectionView
    private let ends: SectionView

    /// Reads texts from a file.
    ///
    /// - Parameters:
    ///   - file: The file, or a part of one.
    ///   - tags: The tags of their sections.
    ///   - count: The required number of texts; nil for any number.
    /// - Throws: `.corruptFile`.
    /// - Complexity: O(texts), less than 1 ns each.
    package init(_ file: SectionFile, _ tags: Tags, count: Int? = nil) throws(KinError) {
        bytes = try file.section(tags.bytes, requiring: 1)
        ends = try file.section(tags.ends, requiring: 8, count: count)
        let isAscending = unsafe ends.unsafeBytes.withMemoryRebound(to: UInt64.self) { ends in
            var end: UInt64 = 0
            for index in 0..<ends.count {
                guard unsafe ends[index] >= end else { return false }
                end = unsafe ends[index]
            }
            return end == UInt64(bytes.count)
        }
        guard isAscending else { throw .corrupt("section \(ends.name) does not divide section \(bytes.name)") }
    }

    /// The number of texts.
    package var count: Int { ends.count }

    /// The size of the texts, in bytes.
    package var byteCount: Int { bytes.count + 8 * count }

    /// The text at an index.
    package subscript(index: Int) -> String {
        unsafe withBytes(of: index) { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }

    /// Calls a function with the bytes of the text at an index.
    package func withBytes<Result, Failure>(
        of index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition((0..<count).contains(index), "there is no such text")
        defer { withExtendedLifetime(bytes.image) {} }
        let ends = unsafe ends.start(of: UInt64.self)
        let start = unsafe index == 0 ? 0 : Int(ends[index - 1])
        let end = unsafe Int(ends[index])
        return try unsafe body(
            UnsafeBufferPointer(rebasing: bytes.unsafeBytes.assumingMemoryBound(to: UInt8.self)[start..<end]))
    }
}

extension SectionFileWriter {
    /// Writes texts, which ``SavedTexts`` reads.
    ///
    /// - Throws: `inputOutput`.
    package mutating func write(
        texts: some Sequence<some Collection<UInt8>>, to tags: SavedTexts.Tags
    ) throws(KinError) {
        var ends: [UInt64] = []
        try begin(tags.bytes, stride: 1)
        for text in texts {
            try append(Array(text).span)
            ends.append((ends.last ?? 0) + UInt64(text.count))
        }
        try write(ends.span, to: tags.ends)
    }
}
