// Sections are used in their file representation, so the host must be little-endian like the file. Every platform that
// Swift supports is.
#if _endian(big)
    #error("Kin files are little-endian and read in place; this platform is big-endian")
#endif

/// The bytes of one section, retained by this value.
package struct SectionView: Sendable {
    package let section: Section
    /// The memory that contains the bytes.
    package let image: FileImage

    package var name: Section.Name { section.name }
    /// The number of elements of ``stride`` bytes.
    package var count: Int { section.count }
    package var stride: Int { section.stride }

    /// The bytes, 64-byte aligned, valid while this value or ``image`` is alive.
    @unsafe package var unsafeBytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: image.unsafeBytes[section.offset..<section.end])
    }

    /// Calls `body` with the bytes.
    package func withBytes<Result, Failure>(
        _ body: (borrowing RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(image) {} }
        return try unsafe body(RawSpan(_unsafeBytes: unsafeBytes))
    }

    /// A pointer to the elements, in read-only memory that lives as long as ``image``.
    ///
    /// The type is mutable because chunks use owned and mapped memory in the same way. They write only to owned memory.
    package func start<Element: BitwiseCopyable>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
        unsafe UnsafeMutableRawPointer(mutating: unsafeBytes.baseAddress!)
            .assumingMemoryBound(to: Element.self)
    }

    /// A copy of the section as numbers or structs of numbers whose size divides the stride.
    package func array<Element: BitwiseCopyable>(of type: Element.Type) -> [Element] {
        withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Element.self)) }
        }
    }
}
