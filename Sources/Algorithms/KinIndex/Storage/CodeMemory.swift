/// Zeroed memory for codes that are made beside those of a chunk: a piece of a slab, or where that has no room an allocation.
///
/// Whoever has it frees it once.
@safe
struct CodeMemory {
    /// The bytes, `byteCount` of them, 64-byte aligned.
    let codes: UnsafeMutablePointer<UInt8>
    let byteCount: Int
    /// Keeps the memory alive that is part of a slab; nil when it is allocated.
    private let slab: CodeSlab?

    init(_ byteCount: Int, in slab: CodeSlab?) {
        let piece = unsafe slab?.take(byteCount)
        self.slab = unsafe piece == nil ? nil : slab
        self.byteCount = byteCount
        unsafe codes = (piece ?? .allocate(byteCount: byteCount, alignment: 64))
            .bindMemory(to: UInt8.self, capacity: byteCount)
        unsafe codes.initialize(repeating: 0, count: byteCount)
    }

    func free() { if slab == nil { unsafe UnsafeMutableRawPointer(codes).deallocate() } }
}
