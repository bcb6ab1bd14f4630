/// Memory for codes of a chunk, which is not initialized: a piece of a slab or, if the slab has no room, an allocation.
///
/// The owner must free it once.
@safe
struct CodeMemory {
    /// The bytes, 64-byte aligned.
    let codes: UnsafeMutablePointer<UInt8>
    /// Retains the slab that contains the memory; nil if the memory is allocated.
    private let slab: CodeSlab?

    init(_ byteCount: Int, in slab: CodeSlab?) {
        let piece = unsafe slab?.take(byteCount)
        self.slab = unsafe piece == nil ? nil : slab
        unsafe codes = (piece ?? .allocate(byteCount: max(byteCount, 1), alignment: 64))
            .bindMemory(to: UInt8.self, capacity: byteCount)
    }

    func free() { if slab == nil { unsafe UnsafeMutableRawPointer(codes).deallocate() } }
}
