/// Up to ``RowLayout/chunkRows`` rows with their ids and codes, in owned memory or in a mapped file.
///
/// Invariants:
/// - rows, codes and ids have room for `capacity` rows, a multiple of 64; the first `count` are in use, and the floats
///   of the others are zero;
/// - if `coding` is not nil, every row in use is coded on its grid, and is within its errors or listed as an outlier.
///
/// An index and its snapshots share a chunk. Only an index that holds the sole reference changes it (``RowStore``
/// copies it first otherwise). This makes `@unchecked Sendable` true: a chunk that two threads can see is never
/// written. For the same reason, the compiler's exclusivity checks are off for its variables: they would cost a call
/// into the runtime for every row that a search reads, and a writer has exclusive access by construction.
@safe
package final class Chunk: BlockedRows, @unchecked Sendable {
    package let layout: RowLayout
    package let capacity: Int
    package internal(set) var count: Int {
        get { unsafe uncheckedCount }
        set { unsafe uncheckedCount = newValue }
    }
    package internal(set) var coding: RowCoding? {
        get { unsafe uncheckedCoding }
        set { unsafe uncheckedCoding = newValue }
    }
    @exclusivity(unchecked) private var uncheckedCount = 0
    @exclusivity(unchecked) private var uncheckedCoding: RowCoding?
    /// The number of rows when the last attempt to code them failed, or 0.
    var uncodable = 0

    /// capacity × stride floats, 64-byte aligned.
    package let rows: UnsafeMutablePointer<Float>
    /// capacity ∕ 64 code blocks, 64-byte aligned.
    package let codes: UnsafeMutablePointer<UInt8>
    /// The ids of the rows, `capacity` elements.
    package let ids: UnsafeMutablePointer<VectorID>

    /// Retains the mapped file that rows, codes and ids point into; nil if the chunk owns them.
    private let mapping: FileImage?

    /// The memory of the codes; nil if they are in a mapped file.
    private let codeMemory: CodeMemory?

    /// Releases memory that was just written to a file, if it is mapped from a scratch file.
    func releasePages(_ bytes: UnsafeRawBufferPointer) { unsafe mapping?.release(bytes) }

    /// Whether the memory is a read-only mapping.
    var isMapped: Bool { mapping != nil }

    /// Creates an empty chunk with room for at least `minimumCapacity` rows, with its codes in the slab if the slab has
    /// room.
    ///
    /// - Parameter isCleared: Whether the memory is zeroed; if not, call ``clear(from:codes:)`` first.
    convenience init(
        layout: RowLayout, minimumCapacity: Int, codesIn slab: CodeSlab? = nil, isCleared: Bool = true
    ) {
        self.init(layout: layout, minimumCapacity: minimumCapacity, codesIn: slab, copying: nil)
        if isCleared { clear(from: 0, codes: 0) }
    }

    /// Creates a chunk with the rows, codes and ids of a chunk of the same layout, padded with zeros; with nil, the
    /// memory is not initialized.
    private init(layout: RowLayout, minimumCapacity: Int, codesIn slab: CodeSlab?, copying other: Chunk?) {
        self.layout = layout
        capacity = max(Kernels.blockRows, (minimumCapacity + Kernels.blockRows - 1) & ~(Kernels.blockRows - 1))
        mapping = nil
        unsafe rows = Self.allocate(Float.self, capacity * layout.stride)
        let codeMemory = CodeMemory(capacity * 4 * layout.groups, in: slab)
        self.codeMemory = codeMemory
        unsafe codes = codeMemory.codes
        unsafe ids = Self.allocate(VectorID.self, capacity)
        guard let other else { return }
        let coded = other.coding == nil ? 0 : other.blocks * layout.blockBytes
        unsafe rows.initialize(from: other.rows, count: other.count * layout.stride)
        unsafe codes.initialize(from: other.codes, count: coded)
        unsafe ids.initialize(from: other.ids, count: other.count)
        count = other.count
        coding = other.coding
        uncodable = other.uncodable
        clear(from: count, codes: coded)
    }

    /// Zeroes the rows from one on, and the bytes of codes from one on.
    func clear(from row: Int, codes coded: Int) {
        unsafe self.row(row).initialize(repeating: 0, count: (capacity - row) * layout.stride)
        unsafe (codes + coded).initialize(repeating: 0, count: capacity * 4 * layout.groups - coded)
        unsafe (ids + row).initialize(repeating: .none, count: capacity - row)
    }

    /// Creates a chunk whose memory is in a mapped file.
    ///
    /// The caller has checked that each section is long enough for `count` rows.
    ///
    /// - Parameter codes: The codes; nil if and only if the chunk is not coded.
    init(layout: RowLayout, count: Int, coding: RowCoding?, rows: SectionView, codes: SectionView?, ids: SectionView) {
        precondition(coding == nil || codes != nil, "a coded chunk has codes")
        self.layout = layout
        capacity = count
        unsafe self.rows = rows.start(of: Float.self)
        // Never read if the chunk has no coding.
        unsafe self.codes = (codes ?? rows).start(of: UInt8.self)
        unsafe self.ids = ids.start(of: VectorID.self)
        mapping = rows.image
        codeMemory = nil
        self.count = count
        self.coding = coding
    }

    deinit {
        guard let codeMemory else { return }
        unsafe UnsafeMutableRawPointer(rows).deallocate()
        codeMemory.free()
        unsafe UnsafeMutableRawPointer(ids).deallocate()
    }

    private static func allocate<T>(_ type: T.Type, _ n: Int) -> UnsafeMutablePointer<T> {
        unsafe UnsafeMutableRawPointer
            .allocate(byteCount: max(n, 1) * MemoryLayout<T>.stride, alignment: 64)
            .bindMemory(to: T.self, capacity: max(n, 1))
    }

    /// A copy of the rows in owned memory, with room for at least `minimumCapacity`.
    func copy(minimumCapacity: Int) -> Chunk {
        Chunk(layout: layout, minimumCapacity: max(minimumCapacity, count), codesIn: nil, copying: self)
    }

    /// Makes a chunk uniquely referenced, in owned memory with room for at least `capacity` rows.
    ///
    /// Full memory is doubled, up to a whole chunk, so that the copying cost per row stays constant.
    ///
    /// - Parameter capacity: At most ``RowLayout/chunkRows``.
    static func makeWritable(_ chunk: inout Chunk, capacity: Int) {
        let isFull = chunk.capacity < capacity
        guard isFull || chunk.isMapped || !isKnownUniquelyReferenced(&chunk) else { return }
        let doubled = isFull ? min(2 * chunk.capacity, chunk.layout.chunkRows) : 0
        chunk = chunk.copy(minimumCapacity: max(doubled, capacity))
    }

    /// Changes the coding in place, if there is one.
    func updateCoding(_ change: (inout RowCoding) -> Void) {
        guard unsafe uncheckedCoding != nil else { return }
        unsafe change(&uncheckedCoding!)
    }

    /// The `stride` floats of a row below `capacity`, with zeros after the dimension.
    func row(_ r: Int) -> UnsafeMutablePointer<Float> { unsafe rows + r * layout.stride }

    /// The size of the chunk in bytes, in memory or mapped.
    var bytes: Int {
        capacity * (layout.stride * 4 + layout.groups * 4 + MemoryLayout<VectorID>.stride)
    }
}
